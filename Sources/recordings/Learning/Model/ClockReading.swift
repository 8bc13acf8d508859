import DeviceModel
import Framing

/// What a clock of a device showed.
struct ClockReading: Hashable, Sendable {
  /// Microseconds since the device started.
  var time: Double
  var number: Int64

  /// The expression that shows as many of the readings as possible, for a device that starts with the first conversation; nil:
  /// there are none.
  ///
  /// - Parameter limit: the number after the greatest that the clock shows.
  static func expression(for readings: [ClockReading], unitsPerSecond rate: Int64, limit: Int64)
    -> Expression?
  {
    guard rate > 0, limit > 0, let offset = offset(of: readings, rate, limit) else { return nil }
    let uptime = Expression.known(.uptime)
    let time = offset == 0 ? uptime : uptime + offset
    let scaled = [1, 1000].contains(rate) ? time : .binary(.multiply, time, .number(rate))
    return (rate == 1000 ? time : .binary(.divideWhole, scaled, .number(1000))) % limit
  }

  /// What the clock was ahead of the device's time, in milliseconds, below a whole turn. Each reading permits a range of one unit;
  /// it is the middle of where most ranges overlap.
  private static func offset(of readings: [ClockReading], _ rate: Int64, _ limit: Int64) -> Int64? {
    let unit = 1_000_000 / Double(rate)
    let turn = unit * Double(limit)
    guard let first = readings.first else { return nil }
    let starts = readings.map { reading in
      let start = Double(reading.number) * unit - reading.time
      let reference = Double(first.number) * unit - first.time
      return start + ((reference - start) / turn).rounded() * turn
    }
    let edges: [(place: Double, change: Int)] =
      (starts.map { ($0, 1) } + starts.map { ($0 + unit, -1) }).sorted { $0.place < $1.place }
    var (depth, most, best) = (0, 0, 0.0)
    for (edge, next) in zip(edges, edges.dropFirst()) {
      depth += edge.change
      if depth > most { (most, best) = (depth, (edge.place + next.place) / 2) }
    }
    let offset = (best / 1000).rounded()
    let wrapped = offset.truncatingRemainder(dividingBy: turn / 1000)
    return Int64(wrapped < 0 ? wrapped + turn / 1000 : wrapped)
  }
}

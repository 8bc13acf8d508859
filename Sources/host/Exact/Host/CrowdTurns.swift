import Bluetooth
import EventLoop
import Framing
import HCIPackets

/// Lets more advertisers than a controller has sets advertise in turn. Each keeps its address, and has the next turn after all others.
@EventLoop
final class CrowdTurns {
  private var sets: [AdvertisingSet]
  /// What each set of the controller advertises now, by index.
  private var shown: [Int]
  private var timers: [EventLoop.Timer?]
  private var next: Int
  private let onTurn: @EventLoop () -> Void

  /// More sets would not help: each change takes the controller some commands.
  private static let mostAtOnce = 4
  /// Long enough for an advertising event with the shortest interval, 20 ms, and its delay of up to 10 ms.
  private static let shortestTurn = Duration.milliseconds(30)

  /// - Parameters:
  ///   - room: how many sets the controller has for them.
  ///   - onTurn: called when ``current`` has changed.
  init(_ sets: [AdvertisingSet], room: Int, onTurn: @escaping @EventLoop () -> Void) {
    self.sets = sets
    let count = sets.count <= room ? sets.count : min(room, Self.mostAtOnce)
    shown = Array(0..<max(1, count))
    timers = Array(repeating: nil, count: shown.count)
    next = shown.count % sets.count
    self.onTurn = onTurn
  }

  /// What advertises now.
  var current: [AdvertisingSet] {
    shown.map { index in
      var set = sets[index]
      if takesTurns { set.parameters.interval = interval(of: set) }
      return set
    }
  }

  private var takesTurns: Bool { shown.count < sets.count }

  /// Takes other values of the same advertisers, whose turns go on.
  ///
  /// - Returns: whether they are as many as before, for as many sets.
  func change(_ sets: [AdvertisingSet], room: Int) -> Bool {
    guard sets.count == self.sets.count, room >= shown.count else { return false }
    self.sets = sets
    return true
  }

  /// A set of the controller has begun to advertise: the next one has its turn when this one has been heard.
  func began(_ slot: Int) {
    guard takesTurns, shown.indices.contains(slot) else { return }
    timers[slot] = EventLoop.after(turn(of: sets[shown[slot]])) { [weak self] in self?.advance(slot) }
  }

  private func advance(_ slot: Int) {
    shown[slot] = next
    next = (next + 1) % sets.count
    onTurn()
  }

  /// So long that each advertiser has a turn in its interval, if there is time for that.
  private func turn(of set: AdvertisingSet) -> Duration {
    let interval = set.parameters.interval.lowerBound.milliseconds
    return max(Self.shortestTurn, .milliseconds(interval * Double(shown.count) / Double(sets.count)))
  }

  /// Within its turn, it advertises once or twice.
  private func interval(of set: AdvertisingSet) -> ClosedRange<AdvertisingInterval> {
    let milliseconds = Double((turn(of: set) - .milliseconds(10)).wholeMilliseconds)
    let interval = AdvertisingInterval(milliseconds: milliseconds) ?? AdvertisingInterval.legacy.lowerBound
    return interval...interval
  }
}

import Framing

/// Computes when the bytes of a serial line are due. A byte takes 10 bits: a start bit, 8 data bits and a stop bit. The
/// times count from the beginning of a burst, so a late byte does not delay those after it.
struct LinePace {
  private static let bitsPerByte: Int64 = 10
  /// After this time the count restarts with `baud` bytes less, which keeps the numbers of an endless burst small.
  private static let period = Duration.seconds(bitsPerByte)

  /// Bits per second.
  let baud: Int64
  /// The bytes of a burst that are due at once; 0 for a line.
  let headStart: Int64
  private var start = Instant()
  /// The bytes since the beginning of the burst.
  private var count: Int64 = 0

  init(baud: Int, headStart: Int = 0) {
    self.baud = Int64(baud)
    self.headStart = Int64(headStart)
  }

  /// The number of bytes that fit into a time, at least one.
  func bytes(in duration: Duration) -> Int {
    max(1, Int(baud * duration.wholeMicroseconds / (Self.bitsPerByte * 1_000_000)))
  }

  /// Begins a burst, unless the line is still busy with the last one.
  mutating func begin(at now: Instant) {
    if now >= instant(ofByte: count) { (start, count) = (now, 0) }
  }

  /// The number of further bytes that are due.
  func due(at now: Instant) -> Int {
    let elapsed = max(0, start.duration(to: now).wholeMicroseconds)
    return Int(elapsed * baud / (Self.bitsPerByte * 1_000_000) + headStart - count)
  }

  /// The instant at which this number of further bytes is due.
  func dueInstant(of more: Int) -> Instant { instant(ofByte: count + Int64(more) - headStart) }

  mutating func advance(by bytes: Int) {
    count += Int64(bytes)
    while count >= baud + headStart { (start, count) = (start.advanced(by: Self.period), count - baud) }
  }

  /// The end of a byte's last bit, rounded up.
  private func instant(ofByte number: Int64) -> Instant {
    let microseconds = (number * Self.bitsPerByte * 1_000_000 + baud - 1) / baud
    return start.advanced(by: .microseconds(max(0, microseconds)))
  }
}

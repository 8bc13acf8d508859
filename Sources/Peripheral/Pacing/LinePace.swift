import Framing

/// When the bytes of a serial line are due: 10 bits for each (a start bit, eight of data, a stop bit), counted from
/// the begin of a burst, so that what comes late does not delay what comes behind it.
struct LinePace {
  private static let bitsPerByte: Int64 = 10
  /// After so long the count begins anew, with just `baud` bytes less: numbers stay small in a burst without end.
  private static let period = Duration.seconds(bitsPerByte)

  /// Bits a second.
  let baud: Int64
  /// Bytes of a burst that are due at once; a line has none.
  let headStart: Int64
  private var start = Instant()
  /// Bytes since the begin of the burst.
  private var count: Int64 = 0

  init(baud: Int, headStart: Int = 0) {
    self.baud = Int64(baud)
    self.headStart = Int64(headStart)
  }

  /// Bytes in a time, at least one.
  func bytes(in duration: Duration) -> Int {
    max(1, Int(baud * duration.wholeMicroseconds / (Self.bitsPerByte * 1_000_000)))
  }

  /// Begins a burst, unless the line is still busy with what was counted before.
  mutating func begin(at now: Instant) {
    if now >= instant(ofByte: count) { (start, count) = (now, 0) }
  }

  /// How many more bytes are due.
  func due(at now: Instant) -> Int {
    let elapsed = max(0, start.duration(to: now).wholeMicroseconds)
    return Int(elapsed * baud / (Self.bitsPerByte * 1_000_000) + headStart - count)
  }

  /// When so many more bytes are due.
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

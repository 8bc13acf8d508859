import Framing

/// An interface of a pcapng file (draft-ietf-opsawg-pcapng 4.2): the link type and the clock of its packets.
struct PcapngInterface {
  let linkType: UInt32
  /// The longest packet; 0: there is no limit.
  let longest: UInt32
  private let ticks: UInt64
  /// Seconds.
  private let timeOffset: Int64

  /// - Parameter body: link type(2), reserved(2), the longest packet(4), options.
  init?(_ body: ArraySlice<UInt8>, _ order: ByteOrder) {
    guard body.count >= 8 else { return nil }
    var fields = ByteReader(body, order)
    let type: UInt16 = fields.field()
    linkType = UInt32(type)
    fields.skip(2)
    longest = fields.field()
    let options = Self.options(fields.rest, order)
    ticks = Self.ticks(resolution: options[9]?.first ?? 6)
    var offset = ByteReader(options[14] ?? [], order)
    timeOffset = offset.field()
  }

  /// The time of a packet, whose clock counts since 1970.
  func time(_ count: UInt64) -> Instant {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: ticks)
    let fraction = ticks.dividingFullWidth(rest.multipliedFullWidth(by: 1_000_000)).quotient
    let whole = Int64(truncatingIfNeeded: seconds) &+ timeOffset
    return Instant(microseconds: whole &* 1_000_000 &+ Int64(truncatingIfNeeded: fraction))
  }

  /// The ticks of a second: a power of 10, or with the highest bit set a power of 2. Finer clocks than 64 bits do not exist.
  private static func ticks(resolution: UInt8) -> UInt64 {
    let exponent = resolution & 0x7F
    if resolution & 0x80 != 0 { return 1 << UInt64(min(exponent, 63)) }
    return (0..<min(exponent, 19)).reduce(1) { ticks, _ in ticks * 10 }
  }

  /// Options by their code (3.5). The last of several with one code counts.
  private static func options(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder) -> [UInt16: ArraySlice<UInt8>] {
    var (options, fields) = ([UInt16: ArraySlice<UInt8>](), ByteReader(bytes, order))
    while fields.rest.count >= 4 {
      let (code, length): (UInt16, UInt16) = (fields.field(), fields.field())
      guard code != 0, fields.rest.count >= length else { break }
      options[code] = fields.rest.prefix(Int(length))
      fields.skip((Int(length) + 3) / 4 * 4)
    }
    return options
  }
}

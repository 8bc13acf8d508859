import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// What is read is built again, byte for byte.
@Suite struct RoundTripTests {
  static let templates =
    [
      "A5 {a: u8} {b: i16be} {xor8}", "{a: bytes} 0D", "01 {a: bytes(2)} {b: bytes} {sum8(1)} 77",
      "{n: i8} {crc16-modbus} {rest: bytes}", "{a: u24le}{b: i24be}{c: u32be}{d: i64le}{e: u64be}{f: u48le}",
      "{a: bytes} {xor8(1, 2)}", "{a: bcd}{b: bcd(2)}{c: bcd(4, le)}", "{a: text} 00 {b: bytes(0..3)}",
      "{bits(a: 1, b: 2, 5: 5)} {bitsle(c: 9, d: 7)} {bits(e: 32)} {bitsle(f: 20, 0: 4)}",
      "{bits(a: 40)} {bitsle(b: 64)} {bits(c: 1, d: 63)} {bitsle(5: 3, e: 45)}",
      "{n: text(8)} {m: text(4, 20)} {o: bytes(3, FF)} {p: text(1..6)}",
      "01 {n: u8} {maybe}{m: u16le}{o: u8}{end}", "{maybe} 02 {m: u8} {end} 03 {rest: bytes}",
      "{bits(x: 1, y: 1, 0: 6)} {if x}{a: u16le}{end} {if y}{b: bytes}{end}", "{n: u8}{if n}{m: bytes}{end}",
      "{a: u8} {pad(15)} {sum8}", "{n: u8}{if n}{m: u16le}{end}{pad(9, AA)}{crc8-maxim}",
      "{repeat items}{k: u8}{v: i16be}{end}", "{repeat items(3)}{v: u8}{end} {rest: bytes}",
      "{repeat items(0..4)} 01 {v: bytes(2)} {end} 02",
      "{size: u8}{data: bytes}{sum16}", "{size(a): u8}{size(b) + 1: u16be}{a: bytes}{b: text}{c: bytes}",
      "{count(items): u8}{repeat items}{t: u8}{size(v): u8}{v: bytes}{end}{crc32}",
      "{size(items): bcd(2)}{repeat items}{v: u24be}{end}{rest: bytes}",
      "{n: u8}{maybe} 3D {count(items): u8}{repeat items}{bits(a: 4, b: 4)}{end}{end}",
      "{a: bytes} 2C {b: bytes} 2C {c: bytes}",
      "{a: f32le}{b: f64be}{c: sfloat}{d: float(-1)}", "01 {t: sfloat(-1)}{maybe}{u: float}{end}",
      "{p: u8(on: 0x23, off: 0x24)}{m: macle}{bits(k(a: 0, b: 2): 2, n: 6)}{rest: bytes}",
      "{repeat items}{t: f32be}{p: u16le(low: 1, high: 500)}{end}",
      "{repeat records}{tag: u8}{count(items): u8}{repeat items}{v: u16le}{end}{end}",
      "{count(a): u8}{repeat a}{size(b): u8}{repeat b}{t: u8}{size(v): u8}{v: bytes}{end}{w: i8}{end}{rest: bytes}",
      "{repeat a}{bits(x: 1, y: 1, 0: 6)}{if x}{v: u16be}{end}{if y}{n: u8}{end}{end}",
      "{flags: u8}{repeat a}{id: u8}{if flags}{t: sfloat(-1)}{end}{if id}{b: u8}{end}{end}",
      "{repeat a} 01 {v: u8}{maybe} 2C {w: u8}{k: u8}{end} 00 {end}",
      "{repeat a(1..3)}{n: u8}{repeat b(2)}{m: u8}{repeat c(0..2)} 2C {v: u8}{repeat d(1)} 2D {w: u8}{end}{end} 0D {end}{end}",
      "{repeat a}{n: u8}{if n}{count(b): u8}{repeat b}{v: mac}{end}{end}{end}",
      "01 {maybe}{count(a): u8}{repeat a}{count(b): u8}{repeat b}{v: i8}{end}{end}{end}",
      "{a: varint}{b: varint(signed)}{k: varint(on: 1, off: 300)}{rest: bytes}",
      "{size(a): varint}{n: varint}{if n}{m: varint}{end}{a: text}{crc16-modbus}",
      "{count(items): varint}{repeat items}{t: varint}{size(v): varint}{v: bytes}{end}",
      "{size: varint}{a: bytes}{sum8}",
      "{bits(a: 13, b: 13, 5: 3, c: 64, d: 11)}{bitsle(e: 40, f(x: 1, y: 70): 40, g: 60, 1: 4)}",
      "03 {protobuf(1 a: varint, 2 b: text, 3 c: bool, 4 d: optional varint(signed), 5 e: u32le, 200 f: f64le)}",
      "{size(m): varint}{m: protobuf(1 k: varint(off: 0, on: 9), 2 l: repeated varint, 3 n: repeated text)}{rest: bytes}",
      "{protobuf(1 a: protobuf(1 b: repeated protobuf(1 c: optional text, 2 d: f32le), 2 e: bytes), 2 f: mac)}{sum8}",
      "{repeat items}{v: bytes} 00 {end}", "{repeat items}{a: text} 2C {b: dec} 0A {end}",
    ].map { try! message($0) }
    + [
      "AT+NAME{name: text(1..12)}", "{a: dec},{b: dec(3)},{c: dec(1..3)},{d: dec(2..4)}",
      "{a: hex};{b: hex(4)};{c: hex(2..3)};{d: hexbytes(2)}{e: hexbytes}",
      "AT{command: text(1..12)}{maybe}={value: text}{end}\r\n",
      "{size: dec(4)}{size(a): hex(2)}{a: text}{b: text}", "{{{n: dec}}}{u: u8}",
      "MAC={m: mac(colons)};{n: macle(colons, lower)}",
    ].map { try! textMessage($0) }

  /// Each once, though several devices may have it from one that they extend.
  static let bundled = Dictionary(
    try! BundledDefinition.all.flatMap { try $0.load().definition?.messages ?? [] }.map { ($0.source, $0) },
    uniquingKeysWith: { first, _ in first }
  ).values.sorted { $0.source < $1.source }

  @Test(arguments: templates + bundled)
  func `whatever the values`(message: MessageTemplate) throws {
    var random = SplitMix64(seed: 21)
    var builtCount = 0
    let rounds = Sample.rounds(of: 300)
    for _ in 0..<rounds {
      guard let frame = try? message.build(message.randomValues(using: &random)) else { continue }
      builtCount += 1
      #expect((message.minimumSize...message.maximumSize).contains(frame.count))
      let values = try #require(message.match(frame))
      #expect(try message.build(values) == frame)
    }
    #expect(builtCount > rounds / 3)
  }

  /// Bytes that were changed, cut off or put together anyhow; a checksum lets few of them through.
  @Test func `whatever the bytes`() throws {
    var random = SplitMix64(seed: 22)
    var readCount = 0
    let rounds = Sample.rounds(of: 400)
    // What '{skip(1)}' has read is not built again.
    for message in Self.templates + Self.bundled where !message.source.contains("{skip(") {
      for _ in 0..<rounds {
        let frame = try random.frame(like: message)
        var matcher = TemplateMatcher()
        let matches = matcher.matches(frame.span, message)
        #expect(matcher.steps <= TemplateMatcher.budget)
        guard matches, let values = message.match(frame) else { continue }
        readCount += 1
        let built = try message.build(values)
        // Hexadecimal digits are read in either case, and so is some text.
        let isInEitherCase =
          message.source.contains("hex") || message.source.contains("colons")
          || message.form == .text(ignoringCase: true)
        let isSame = isInEitherCase ? built.lowercased == frame.lowercased : built == frame
        // A varint may be longer than it needs to be.
        #expect(
          isSame
            || (message.source.contains("varint") || message.source.contains("protobuf"))
              && message.match(built) == values
        )
      }
    }
    #expect(readCount > 7 * rounds)
  }

  /// With one matcher for all messages, as in the engine.
  @Test func `a field that is asked for is the one that is parsed`() throws {
    var random = SplitMix64(seed: 23)
    var matcher = TemplateMatcher()
    for message in Self.templates + Self.bundled {
      let order = Array(message.fields.indices.reversed())
      for _ in 0..<Sample.rounds(of: 60) {
        let frame = try random.frame(like: message)
        let fields = message.fields(of: frame, in: order, with: &matcher)
        let values = fields.map { fields in order.indices.map { fields.value($0, in: frame) } }
        #expect(values == message.parse(frame).map { $0.reversed() })
      }
    }
  }

  @Test(arguments: templates + bundled)
  func `there is a sample of each`(message: MessageTemplate) throws {
    let frame = try message.build(message.sampleValues())
    #expect(message.match(frame) != nil)
    #expect(try message.build(message.sampleValues()) == frame)
  }

  @Test func `a sample has small numbers, letters and two rows`() throws {
    let message = try textMessage(
      "{a: u8}{b: text(2)} {c: text}/{d: dec(1)}{count(r): dec(2)}{repeat r}{v: u8}{w: hex(2)}{end}")
    #expect(described(message.sampleValues(), of: message) == "a=1 b=ab c=abc d=4 r=(1, 2) (2, 3)")
    let short = try DeviceModel.MessageTemplate(name: "m", template: "{data: bytes} {xor8(1, 6)}")
    #expect(described(short.sampleValues(), of: short) == "data=01 02 03 04 05 06 07 08")
  }
}

extension SplitMix64 {
  fileprivate mutating func frame(like message: MessageTemplate) throws -> [UInt8] {
    var frame = bytes(Int.random(in: 0...40, using: &self))
    if next() % 8 > 0, let built = try? message.build(message.randomValues(using: &self)) { frame = built }
    guard !frame.isEmpty else { return frame }
    switch next() % 4 {
    case 0: frame[Int.random(in: frame.indices, using: &self)] = UInt8(truncatingIfNeeded: next())
    case 1: frame.removeLast(Int.random(in: 0...frame.count, using: &self))
    case 2: frame.insert(0x2C, at: Int.random(in: 0...frame.count, using: &self))
    default: break
    }
    return frame
  }
}

extension [UInt8] {
  fileprivate var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension MessageTemplate: CustomTestStringConvertible {
  public var testDescription: String { source }
}

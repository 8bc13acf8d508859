import Testing

@testable import Definitions

@Suite struct MessageTemplateTests {
  /// The frames of the bracelet of "IOS Bluetooth development", with the values of their fields.
  @Test(
    arguments: [
      // start, length 6, command 03, month 1, day 2, XOR of the five before
      ("day-request", "A5 06 03 01 02 A3", [.integer(1), .integer(2)]),
      // 5 packets, 300 packets: low byte first
      ("day-total", "A5 06 83 05 00 25", [.integer(5)]), ("day-total", "A5 06 83 2C 01 0D", [.integer(300)]),
    ] as [(String, String, [Value])])
  func `the bracelet's frames, both ways`(name: String, frame: String, values: [Value]) throws {
    let message = try #require(bundled("bracelet").messages.first { $0.name == name })
    #expect(message.parse(hex(frame)) == values)
    #expect(try message.build(values) == hex(frame))
  }

  @Test func `what the bracelet builds it also reads, whatever the fields`() throws {
    let messages = try bundled("bracelet").messages
    var random = SplitMix64(seed: 4)
    for message in messages {
      for _ in 0..<200 {
        let values = message.fields.map { Self.value(of: $0.encoding, &random) }
        let frame = try message.build(values)
        #expect(frame.count == message.size)
        #expect(message.parse(frame) == values)
        #expect(messages.filter { $0.parse(frame) != nil }.map(\.name) == [message.name])
      }
    }
  }

  static func value(of encoding: FieldEncoding, _ random: inout SplitMix64) -> Value {
    switch encoding {
    case .integer: .integer(Int64.random(in: encoding.range!, using: &random))
    case .bytes(let count, _): .bytes(random.bytes(count ?? 9))
    case .text: .text(String(random.next()))
    }
  }

  @Test func `any frame that is read is built again byte for byte`() throws {
    let templates = [
      "A5 {a: u8} {b: i16be} {xor8}", "{a: bytes} 0D", "01 {a: bytes(2)} {b: bytes} {sum8(1)} 77",
      "{n: i8} {crc16-modbus} {rest: bytes}", "{a: u24le}{b: i24be}{c: u32be}{d: i64le}",
      "{a: bytes} {xor8(1, 2)}",
    ]
    var random = SplitMix64(seed: 5)
    var readCount = 0
    for text in templates {
      let message = try MessageTemplate(name: "m", template: text)
      for _ in 0..<300 {
        var frame = random.bytes(Int.random(in: 0...24, using: &random))
        if let built = try? message.build(message.fields.map { Self.value(of: $0.encoding, &random) }) {
          frame = Bool.random(using: &random) ? built : frame
        }
        guard let values = message.parse(frame) else { continue }
        readCount += 1
        #expect(try message.build(values) == frame)
      }
    }
    #expect(readCount > 600)
  }

  @Test(
    arguments: [
      // a field that takes what remains, at each place
      ("{data: bytes} 0D 0A", "41 54 0D 0A", ["41 54"]), ("{data: bytes} 0D 0A", "0D 0A", [""]),
      ("A5 {data: bytes}", "A5", [""]), ("A5 {data: bytes} {xor8}", "A5 01 02 A6", ["01 02"]),
      ("A5 {n: bytes(1)} {data: bytes} {tail: bytes(1)}", "A5 01 02 03 04", ["01", "02 03", "04"]),
      // checksums: all before, from an index, from one to another, two of them
      ("A5 01 02 {xor8}", "A5 01 02 A6", []), ("A5 01 02 {xor8(1)}", "A5 01 02 03", []),
      ("A5 01 02 {xor8(1, 1)}", "A5 01 02 01", []), ("A5 01 02 {xor8(0,1)} 77", "A5 01 02 A4 77", []),
      ("{sum16(0, 0)} 01", nil, []), ("01 {xor8} {sum8}", "01 01 02", []),
      ("D2 03 00 00 00 3E {crc16-modbus} {n: bytes(1)}", "D2 03 00 00 00 3E D7 B9 07", ["07"]),
      ("D2 03 00 00 00 3E {crc16-modbus-be}", "D2 03 00 00 00 3E B9 D7", []),
      ("{data: bytes} {xor8}", "00", [""]), ("{data: bytes} {xor8(1)}", "A5 00", ["A5"]),
      ("{data: bytes} {xor8(1)}", "A5 01 02 03", ["A5 01 02"]),
      ("{data: bytes} {xor8(1, 2)}", "A5 01 02 03", ["A5 01 02"]),
    ] as [(String, String?, [String])])
  func `templates, both ways`(template: String, frame: String?, values: [String]) throws {
    guard let frame else {
      #expect(throws: TextError.self) { try MessageTemplate(name: "m", template: template) }
      return
    }
    let message = try MessageTemplate(name: "m", template: template)
    let fields = values.map { Value.bytes(hex($0)) }
    #expect(message.parse(hex(frame)) == fields)
    #expect(try message.build(fields) == hex(frame))
  }

  @Test(
    arguments: [
      ("A5 06 {n: u8} {xor8}", ""), ("A5 06 {n: u8} {xor8}", "A5 06 01"),
      ("A5 06 {n: u8} {xor8}", "A5 06 01 A2 00"),
      ("A5 06 {n: u8} {xor8}", "A5 06 01 A3"), ("A5 06 {n: u8} {xor8}", "A5 07 01 A3"),
      ("{data: bytes} 0D 0A", "0A"),
      ("{data: bytes} 0D 0A", "0D 0B"), ("A5 {data: bytes} {sum16}", "A5 01"),
      // A frame too short for the stretch that its checksum covers.
      ("{data: bytes} {xor8(5)}", "A5"), ("{data: bytes} {xor8(5)}", "A5 01 02 03 00"),
      ("{data: bytes} {xor8(1, 6)}", "A5 01 02"), ("{data: bytes} {xor8(7, 9)}", ""),
      ("{data: bytes} {xor8(0, 3)}", "01 01 00 00"),
    ])
  func `another frame is not this message`(template: String, frame: String) throws {
    #expect(try MessageTemplate(name: "m", template: template).parse(hex(frame)) == nil)
  }

  @Test func `a message too short for its checksum cannot be built`() throws {
    let message = try MessageTemplate(name: "m", template: "{data: bytes} {xor8(1, 6)}")
    #expect(throws: EncodingError.tooShort(count: 3, needed: 7)) { try message.build([.bytes([1, 2, 3])]) }
    #expect(try message.build([.bytes([9, 1, 2, 3, 4, 5, 6])]) == [9, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `no frame crashes a template`() throws {
    let templates = [
      "A5 {a: u8} {xor8(1)}", "{a: bytes} {xor8(9)} {b: u16le}", "{a: text} {crc32(3, 4)}",
      "{a: bytes(4)} {sum8(3)}",
    ].map { try! MessageTemplate(name: "m", template: $0) }
    var random = SplitMix64(seed: 6)
    for _ in 0..<2000 {
      let frame = random.bytes(Int.random(in: 0...16, using: &random))
      for template in templates { _ = template.parse(frame) }
    }
  }
}

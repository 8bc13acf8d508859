import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

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

  @Test func `what the bracelet builds no other of its messages reads`() throws {
    let messages = try bundled("bracelet").messages
    var random = SplitMix64(seed: 4)
    for message in messages {
      for _ in 0..<200 {
        let values = message.randomValues(using: &random)
        let frame = try message.build(values)
        #expect(frame.count == message.size)
        #expect(message.match(frame) == values)
        #expect(messages.filter { $0.parse(frame) != nil }.map(\.name) == [message.name])
      }
    }
  }

  @Test(
    arguments: [
      // a field that takes what remains, at each place
      ("{data: bytes} 0D 0A", "41 54 0D 0A", ["41 54"]), ("{data: bytes} 0D 0A", "0D 0A", [""]),
      ("A5 {data: bytes}", "A5", [""]), ("A5 {data: bytes} {xor8}", "A5 01 02 A6", ["01 02"]),
      ("A5 {n: bytes(1)} {data: bytes} {tail: bytes(1)}", "A5 01 02 03 04", ["01", "02 03", "04"]),
      // up to the literal that follows, the first one where that goes
      ("{a: bytes} 2C {b: bytes}", "01 02 2C 03 2C 04", ["01 02", "03 2C 04"]),
      ("{a: bytes} 2C {b: bytes} 2C {c: bytes}", "2C 01 2C 2C", ["", "01", "2C"]),
      ("{a: bytes(2..3)} 2C {b: bytes}", "01 2C 2C 2C", ["01 2C", "2C"]),
      ("{a: bytes} 0D {b: bytes(1)} 0A", "0D 01 0D 02 0A", ["0D 01", "02"]),
      // checksums: all before, from an index, from one to another, two of them
      ("A5 01 02 {xor8}", "A5 01 02 A6", []), ("A5 01 02 {xor8(1)}", "A5 01 02 03", []),
      ("A5 01 02 {xor8(1, 1)}", "A5 01 02 01", []), ("A5 01 02 {xor8(0,1)} 77", "A5 01 02 A4 77", []),
      ("01 {xor8} {sum8}", "01 01 02", []),
      ("D2 03 00 00 00 3E {crc16-modbus} {n: bytes(1)}", "D2 03 00 00 00 3E D7 B9 07", ["07"]),
      ("D2 03 00 00 00 3E {crc16-modbus-be}", "D2 03 00 00 00 3E B9 D7", []),
      ("{data: bytes} {xor8}", "00", [""]), ("{data: bytes} {xor8(1)}", "A5 00", ["A5"]),
      ("{data: bytes} {xor8(1)}", "A5 01 02 03", ["A5 01 02"]),
      ("{data: bytes} {xor8(1, 2)}", "A5 01 02 03", ["A5 01 02"]),
      // braces, fill, bytes that nobody cares for
      ("{n: bytes(1)}{pad(4)}", "07 00 00 00", ["07"]),
      ("{n: bytes(1)}{pad(3, EE)} 01", "07 EE EE 01", ["07"]),
      ("01{pad(1)}", "01", []), ("01 {skip(2)} {n: bytes(1)}", "01 00 00 07", ["07"]),
    ] as [(String, String, [String])])
  func `templates, both ways`(template: String, frame: String, values: [String]) throws {
    let message = try message(template)
    let fields = values.map { Value.bytes(hex($0)) }
    #expect(message.parse(hex(frame)) == fields)
    #expect(try message.build(fields) == hex(frame))
  }

  @Test(
    arguments: [
      ("A5 06 {n: u8} {xor8}", ""), ("A5 06 {n: u8} {xor8}", "A5 06 01"),
      ("A5 06 {n: u8} {xor8}", "A5 06 01 A2 00"), ("A5 06 {n: u8} {xor8}", "A5 06 01 A3"),
      ("A5 06 {n: u8} {xor8}", "A5 07 01 A3"), ("{data: bytes} 0D 0A", "0A"),
      ("{data: bytes} 0D 0A", "0D 0B"),
      ("A5 {data: bytes} {sum16}", "A5 01"),
      // a frame too short for the stretch that its checksum covers
      ("{data: bytes} {xor8(5)}", "A5"), ("{data: bytes} {xor8(5)}", "A5 01 02 03 00"),
      ("{data: bytes} {xor8(1, 6)}", "A5 01 02"), ("{data: bytes} {xor8(7, 9)}", ""),
      ("{data: bytes} {xor8(0, 3)}", "01 01 00 00"),
      ("{a: bytes} 2C {b: bytes}", "01 02 03"), ("{a: bytes(0..1)} 2C {b: bytes}", "01 02 2C"),
      ("{a: bytes(1..2)} 2C", "2C"), ("{a: bytes(1..2)} 2C", "01 02 03 2C"),
      ("{n: u8}{pad(4)}", "07 00 01 00"), ("{n: u8}{pad(4)}", "07 00 00"), ("{n: bcd} 01", "1A 01"),
    ])
  func `another frame is not this message`(template: String, frame: String) throws {
    #expect(try message(template).parse(hex(frame)) == nil)
  }

  @Test func `bytes that nobody cares for may be anything, and are built as 0`() throws {
    let message = try message("01 {skip(2)} {n: u8}")
    #expect(described(hex("01 AA BB 07"), by: message) == "n=7")
    #expect(try message.build([.integer(7)]) == hex("01 00 00 07"))
  }

  @Test func `a message too short for its checksum cannot be built`() throws {
    let message = try message("{data: bytes} {xor8(1, 6)}")
    #expect(throws: EncodingError.tooShort(count: 3, needed: 7)) { try message.build([.bytes([1, 2, 3])]) }
    #expect(try message.build([.bytes([9, 1, 2, 3, 4, 5, 6])]) == [9, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `a field that nothing fills is named`() throws {
    #expect(throws: EncodingError.missing("b")) { try message("{a: u8}{b: u8}").build([.integer(1), nil]) }
  }

  @Test(
    arguments: [
      "4F 4B", "45 {rest: bytes}", "45 {rest: bytes(2..3)} 0D 0A", "{rest: bytes(2)} 0A", "{rest: bytes}",
    ],
    [[], [0x45], [0x4F, 0x4B], [0x45, 1], [0x45, 1, 2, 0x0D, 0x0A], [1, 2, 0x0A], [0x45, 0x0D, 0x0A]]
      as [[UInt8]])
  func `a plain message is recognised and built like any other`(template: String, frame: [UInt8]) throws {
    let message = try message(template)
    let matched = message.match(frame)
    #expect(message.parse(frame).map { $0.map(Value?.some) } == matched)
    if let matched { #expect(try message.build(matched) == frame) }
  }

  @Test func `no message is longer than 4096 bytes`() throws {
    let message = try message("{data: bytes} 0A")
    let data = [UInt8](repeating: 1, count: 4096)
    #expect(try message.build([.bytes(Array(data.dropLast()))]).count == 4096)
    #expect(throws: EncodingError.tooLong(count: 4097, limit: 4096)) { try message.build([.bytes(data)]) }
    #expect(message.parse(Array(data.dropLast()) + [0x0A]) != nil)
    #expect(message.parse(data + [0x0A]) == nil)
  }

  @Test(
    arguments: [
      ("A5 {n: u16le} {crc32}", 7, 7), ("{data: bytes}", 0, 4096), ("{data: bytes(2..5)} 0A", 3, 6),
      ("{n: u8}{maybe}{m: u16le}{end}", 1, 3), ("{n: u8}{if n}{m: u16le}{end}{pad(8)}", 8, 8),
      ("{repeat items(2..3)}{v: u16le}{end}", 4, 6), ("{size: u8}{data: bytes}", 1, 255),
      ("{size(data): u8}{data: bytes}", 1, 256), ("{size(data) + 2: u8} 01 {data: bytes} {sum8}", 3, 256),
      ("{count(items) - 1: bcd}{repeat items}{v: u16le}{end}", 3, 201),
      ("{bits(a: 4, b: 4)}{bitsle(a2: 12, b2: 12)}", 4, 4), ("{n: dec}", 1, 20),
      ("{n: dec(3)}{m: hex(4)}", 7, 7),
    ])
  func `how many bytes a message has`(template: String, least: Int, most: Int) throws {
    let message = try message(template)
    #expect(message.minimumSize == least)
    #expect(message.maximumSize == most)
    #expect(message.size == (least == most ? least : nil))
  }
}

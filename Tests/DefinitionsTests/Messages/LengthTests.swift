import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Lengths that are computed: nobody fills them, and a frame must have them right.
@Suite struct LengthTests {
  @Test(
    arguments: [
      // of the message, with something added, in other forms, behind what it counts
      ("A5 {size: u8} {data: bytes}", "A5 03 07", "data=07"),
      ("A5 {size - 2: u8} {data: bytes}", "A5 01 07", "data=07"),
      ("A5 {size + 1: u16be} {data: bytes}", "A5 00 05 07", "data=07"),
      ("{data: bytes} {size: u8}", "07 02", "data=07"),
      ("{size: bcd} 00 00 00 00 00 00 00 00 {data: bytes}", "10 00 00 00 00 00 00 00 00 07", "data=07"),
      ("{size: u16le} {data: bytes} {xor8}", "04 00 07 03", "data=07"),
      // of a field, which is then known where it ends
      ("{size(a): u8} {a: bytes} {b: bytes}", "02 01 02 03", "a=01 02 b=03"),
      ("{size(a): u8} {a: bytes} {b: bytes}", "00", "a= b="),
      ("{size(a): u8}{size(b): u8} {a: bytes} {b: text}", "01 02 07 61 62", "a=07 b=ab"),
      ("{size(a) + 3: u16le} {n: u8} {a: bytes}", "05 00 09 01 02", "n=9 a=01 02"),
      ("{size(a): u8} {a: u16le}", "02 05 00", "a=5"), ("{a: bytes} {size(a): u8}", "01 02 02", "a=01 02"),
      ("{a: bytes} 00 {size(a): u8} {b: bytes}", "01 00 00 02 05", "a=01 00 b=05"),
      ("{a: bytes} 00 {size(a): u8} {b: bytes}", "07 00 01 05", "a=07 b=05"),
      // of a repeated part, in rows and in bytes
      ("{count(items): u8} {repeat items}{v: u8}{end} {rest: bytes}", "02 01 02 03", "items=(1) (2) rest=03"),
      (
        "{size(items): u8} {repeat items}{v: u16le}{end} {rest: bytes}", "04 01 00 02 00 03",
        "items=(1) (2) rest=03"
      ),
      ("{count(items) + 1: u8}{size(items): u8} {repeat items}{v: u16le}{end}", "02 02 01 00", "items=(1)"),
      ("{repeat items}{v: u8}{end} {count(items): u8}", "05 06 02", "items=(5) (6)"),
      ("{count(items): u8} {repeat items(0..2)}{v: u8}{end}", "02 01 02", "items=(1) (2)"),
      // in each row
      (
        "{repeat items}{tag: u8}{size(value): u8}{value: bytes}{end}", "01 00 02 02 AA BB 03 01 CC",
        "items=(1, ) (2, AA BB) (3, CC)"
      ),
      (
        "{repeat items}{size(value) + 1: u8}{tag: u8}{value: bytes}{end}", "02 09 AA 01 08",
        "items=(9, AA) (8, )"
      ),
      ("{repeat items}{value: bytes} 00 {size(value): u8}{end}", "AA 00 01 00 00", "items=(AA) ()"),
      // within an optional part
      ("01 {maybe}{size(a): u8}{a: bytes}{end}", "01 02 07 08", "a=07 08"),
      ("01 {maybe}{size(a): u8}{a: bytes}{end}", "01", "a=-"),
      // as varints, which take the room that they need
      ("{size(a): varint} {a: bytes} {b: bytes}", "02 01 02 03", "a=01 02 b=03"),
      ("{size(a) - 1: varint(signed)} {a: bytes} {b: bytes}", "01 03", "a= b=03"),
      ("{a: bytes(0..1)} 2C {size(a): varint}", "01 2C 01", "a=01"),
      (
        "{size(b): varint}{size(a): u8}{size(a) + 200: varint} {a: bytes} {b: text}", "01 02 CA 01 09 08 62",
        "a=09 08 b=b"
      ),
      ("{count(items): varint}{repeat items}{size(v): varint}{v: text}{end}", "02 01 61 00", "items=(a) ()"),
      (
        "{size(r): varint}{repeat r}{t: u8}{size(v): varint}{v: bytes}{end}{n: u8}", "05 01 00 02 01 AA 09",
        "r=(1, ) (2, AA) n=9"
      ),
      ("A5 {size: varint} {data: bytes}", "A5 03 07", "data=07"),
      ("{size: u8}{size + 124: varint}{data: bytes} {sum8}", "05 81 01 09 90", "data=09"),
      ("01 {maybe}{size(a): varint}{a: bytes}{end}", "01 02 07 08", "a=07 08"),
      ("{size(a): varint} {a: bytes} {pad(5)} {sum8(0, 3)}", "01 07 00 00 00 08", "a=07"),
      // a checksum covers the lengths, too
      ("{size: u8} {size(a): u8} {a: bytes} {sum8}", "04 01 0A 0F", "a=0A"),
    ])
  func `lengths, both ways`(template: String, frame: String, values: String) throws {
    let message = try message(template)
    #expect(described(hex(frame), by: message) == values)
    #expect(try message.build(#require(message.match(hex(frame)))) == hex(frame))
  }

  @Test(
    arguments: [
      ("A5 {size: u8} {data: bytes}", "A5 04 07"), ("A5 {size - 2: u8} {data: bytes}", "A5 02 07"),
      ("{size(a): u8} {a: bytes}", "02 01"), ("{size(a): u8} {a: bytes}", "00 01"),
      ("{size(a) + 3: u8} {a: bytes}", "02"),
      ("{size(a): u8} {a: u16le}", "01 05 00"), ("{size(a): u8} {a: bytes(1..2)} {b: bytes}", "03 01 02 03"),
      ("{a: bytes} {size(a): u8}", "01 02 01"), ("{count(items): u8} {repeat items}{v: u8}{end}", "02 01"),
      ("{count(items): u8} {repeat items(0..2)}{v: u8}{end}", "03 01 02 03"),
      ("{size(items): u8} {repeat items}{v: u16le}{end}", "03 01 00 02"),
      ("{size(items): u8} {repeat items}{v: u16le}{end} {rest: bytes}", "03 01 00 02 00"),
      ("{count(items): u8}{size(items): u8} {repeat items}{v: u16le}{end}", "02 02 01 00 02 00"),
      ("{repeat items}{v: u8}{end} {count(items): u8}", "05 06 03"),
      ("{repeat items}{size(value): u8}{value: bytes}{end}", "01"),
      ("{size(a): bcd} {a: bytes}", "0A 01 02 03 04 05 06 07 08 09 0A"),
      ("{size: u64le} {a: bytes}", "00 00 00 00 00 00 00 80"),
      ("{size - 9: u64le} {a: bytes}", "FF FF FF FF FF FF FF 7F"),
    ])
  func `a wrong length is another message`(template: String, frame: String) throws {
    #expect(described(hex(frame), by: try message(template)) == "another message")
  }

  @Test(
    arguments: [
      ("+{size: dec(3)},{data: text}", "+007,ab", "data=ab"),
      ("{size(data): hex(2)}:{data: text}{rest: text}", "02:abc", "data=ab rest=c"),
    ])
  func `lengths as digits`(template: String, text: String, values: String) throws {
    let message = try textMessage(template)
    #expect(described(Array(text.utf8), by: message) == values)
    #expect(try message.build(#require(message.match(Array(text.utf8)))) == Array(text.utf8))
  }

  @Test func `a length that its type cannot say is refused`() throws {
    let message = try message("{size(data): u8} {data: bytes}")
    #expect(throws: EncodingError.outOfRange(256, 0...255)) {
      try message.build([.bytes([UInt8](repeating: 0, count: 256))])
    }
    let less = try self.less()
    #expect(throws: EncodingError.outOfRange(-1, 0...255)) { try less.build([.bytes([])]) }
  }

  private func less() throws -> MessageTemplate { try message("{size - 2: u8} {data: bytes}") }

  @Test func `a field may be called count, or begin like size`() throws {
    #expect(
      try message("{count: u8} {size-left: u8} {sizes: u8}").fields.map(\.name) == [
        "count", "size-left", "sizes",
      ])
  }
}

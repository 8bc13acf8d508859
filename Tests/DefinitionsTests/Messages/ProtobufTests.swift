import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Messages of Protocol Buffers. The first examples are those of its encoding guide.
@Suite struct ProtobufTests {
  @Test(
    arguments: [
      ("{protobuf(1 a: varint)}", "08 96 01", "a=150"),
      ("{protobuf(2 b: text)}", "12 07 74 65 73 74 69 6E 67", "b=testing"),
      ("{protobuf(3 c: protobuf(1 a: varint))}", "1A 03 08 96 01", "c=(150)"),
      ("{protobuf(6 e: repeated varint)}", "32 06 03 8E 02 9E A7 05", "e=(3) (270) (86942)"),
      // of every type
      ("{protobuf(1 a: varint(signed), 2 b: bool)}", "08 03 10 01", "a=-2 b=true"),
      ("{protobuf(1 a: varint)}", "08 FE FF FF FF FF FF FF FF FF 01", "a=-2"),
      ("{protobuf(1 a: u32le, 2 b: i64le)}", "0D 01 00 00 00 11 FE FF FF FF FF FF FF FF", "a=1 b=-2"),
      ("{protobuf(1 a: f32le, 2 b: f64le)}", "0D 00 00 80 3F 11 00 00 00 00 00 00 00 40", "a=1.0 b=2.0"),
      (
        "{protobuf(1 a: bytes, 16 b: macle)}", "0A 01 FF 82 01 06 06 05 04 03 02 01",
        "a=FF b=01 02 03 04 05 06"
      ),
      ("{protobuf(1 k: varint(off: 0, on: 2))}", "08 02", "k=on"),
      ("{protobuf(1 k: varint(off: 0, on: 2))}", "", "k=off"), ("{protobuf(1 k: varint(on: 2))}", "", "k=-"),
      // repeated, nested, optional
      ("{protobuf(1 a: repeated text)}", "0A 01 61 0A 00", "a=(a) ()"),
      ("{protobuf(1 a: repeated u32le)}", "0A 08 01 00 00 00 02 00 00 00", "a=(1) (2)"),
      (
        "{protobuf(1 a: repeated protobuf(1 b: varint, 2 c: repeated bool))}",
        "0A 04 12 02 01 00 0A 02 08 07", "a=(-, (true) (false)) (7, )"
      ),
      ("{protobuf(1 a: optional varint, 2 b: optional text)}", "08 00 12 00", "a=0 b="),
      ("{protobuf(1 a: varint)}", "", "a=-"), ("{protobuf(1 c: protobuf(1 a: varint))}", "0A 00", "c=(-)"),
      ("{protobuf(1 c: protobuf(1 a: varint))}", "", "c="),
      // with a size, and in other parts
      ("{size(m): varint}{m: protobuf(1 a: varint)}{n: varint}", "02 08 05 07", "m=(5) n=7"),
      ("A5 {protobuf(1 a: varint)} {xor8}", "A5 08 05 A8", "a=5"),
      ("{repeat r}{size(m): u8}{m: protobuf(1 a: varint)}{end}", "02 08 05 00", "r=((5)) ((-))"),
      ("{protobuf(1 a: varint)} 0D", "08 0D 0D", "a=13"),
      ("{n: u8}{if n}{protobuf(1 a: varint)}{end}", "01 08 05", "n=1 a=5"),
      ("{maybe} 01 {m: protobuf(1 a: varint)}{end}", "01 08 05", "m=(5)"),
    ])
  func `fields, both ways`(template: String, frame: String, values: String) throws {
    let message = try message(template)
    #expect(described(hex(frame), by: message) == values)
    #expect(try message.build(#require(message.match(hex(frame)))) == hex(frame))
  }

  @Test(
    arguments: [
      // in any order, and the last one counts
      ("10 02 08 01", "a=1 b=2 t=- c="), ("08 01 08 07 08 05", "a=5 b=- t=- c="),
      ("22 02 08 01 22 02 10 02", "a=- b=- t=- c=(-, 2)"),
      // unknown ones, of all wire types, and groups
      ("28 96 01 08 01", "a=1 b=- t=- c="), ("2D 01 02 03 04 08 01", "a=1 b=- t=- c="),
      ("29 01 02 03 04 05 06 07 08 08 01", "a=1 b=- t=- c="), ("2A 03 08 09 0A 08 01", "a=1 b=- t=- c="),
      ("2B 08 09 33 34 2C 08 01", "a=1 b=- t=- c="),
      // a known number with another wire type
      ("0A 01 61 08 01", "a=1 b=- t=- c="), ("18 05", "a=- b=- t=- c="),
      // not the shortest form
      ("88 80 00 81 00", "a=1 b=- t=- c="), ("22 84 00 08 81 80 00", "a=- b=- t=- c=(1, -)"),
    ])
  func `what other writers send`(frame: String, values: String) throws {
    let message = try message(
      "{protobuf(1 a: varint, 2 b: varint, 3 t: text, 4 c: protobuf(1 a: varint, 2 b: varint))}")
    #expect(described(hex(frame), by: message) == values)
    let read = try #require(message.match(hex(frame)))
    #expect(message.match(try message.build(read)) == read)
  }

  @Test(
    arguments: [
      "08", "08 80", "0A 02 61", "0D 01 02 03", "09 01", "0E", "0F", "00 01", "03 08 01", "04", "0B 0C 0C",
      "1A 01 FF",
      "22 02 08 80", "22 01 08", "08 FF FF FF FF FF FF FF FF FF 02", "F8 FF FF FF 7F 01",
      "0A FF FF FF FF FF FF FF FF FF 01 00",
    ])
  func `bytes that are no message`(frame: String) throws {
    let message = try message(
      "{protobuf(1 a: varint, 2 b: varint, 3 t: text, 4 c: protobuf(1 a: varint, 2 b: varint))}")
    #expect(message.match(hex(frame)) == nil)
  }

  @Test func `what is 0 or empty is not written, unless it is optional`() throws {
    let message = try message(
      "{protobuf(3 c: bool, 1 a: varint, 2 b: text, 4 d: f32le, 5 e: varint(off: 0, on: 1), 6 f: bytes)}")
    let zeros: [Value?] = [.boolean(false), .integer(0), .text(""), .decimal(0), .text("off"), .bytes([])]
    #expect(try message.build(zeros) == [])
    #expect(try message.build([nil, nil, nil, nil, nil, nil]) == [])
    #expect(
      try message.build([.boolean(true), .integer(1), nil, nil, .text("on"), nil]) == hex("08 01 18 01 28 01")
    )
    let optional = try DeviceModel.MessageTemplate(
      name: "m", template: "{protobuf(1 a: optional varint, 2 b: optional bool)}")
    #expect(try optional.build([.integer(0), .boolean(false)]) == hex("08 00 10 00"))
    #expect(try optional.build([nil, nil]) == [])
  }

  @Test func `packed numbers are read in pieces, and each by itself`() throws {
    let message = try message("{protobuf(1 a: repeated varint)}")
    let values = message.match(hex("08 01 0A 02 02 03 08 04"))
    #expect(values.map { described($0, of: message) } == "a=(1) (2) (3) (4)")
    #expect(message.match(hex("0A 02 02 80")) == nil)
  }

  @Test(
    arguments: [
      ("{protobuf(1 a: repeated protobuf(1 b: repeated protobuf(1 c: repeated varint)))}", 4096),
      ("{a: bytes} 08 {protobuf(1 b: varint, 2 c: varint, 3 d: varint)} 08 {e: bytes}", 4000),
    ])
  func `no frame takes long`(template: String, count: Int) throws {
    let message = try message(template)
    for byte: UInt8 in [0x08, 0x0A, 0x0B, 0x00, 0x80] {
      var matcher = TemplateMatcher()
      _ = matcher.matches([UInt8](repeating: byte, count: count).span, message)
      #expect(matcher.steps <= 2 * TemplateMatcher.budget)
    }
  }

  @Test(
    arguments: [
      ("{protobuf(1 a: repeated varint, 2 b: u8)}", "'u8' is not a type of Protocol Buffers"),
      ("{protobuf(1 a: u32be)}", "'u32be' is not a type of Protocol Buffers"),
      ("{protobuf(1 a: int32)}", "'int32' is not a type of Protocol Buffers"),
      ("{protobuf(1 a: float)}", "'float' is not a type of Protocol Buffers"),
      ("{protobuf(1 a: required varint)}", "'required varint' is not a type of Protocol Buffers"),
      ("{protobuf(0 a: varint)}", "Protocol Buffers numbers fields from 1 to 536870911"),
      ("{protobuf(1 a: varint, 1 b: text)}", "'a' and 'b' both have the number 1"),
      ("{protobuf(1 a: varint, 2 a: text)}", "a second field 'a'"),
      ("{protobuf}", "expected the numbers of fields with their names and types"),
      ("{protobuf()}", "expected the numbers of fields with their names and types"),
      ("{protobuf(a: varint)}", "expected the numbers of fields with their names and types"),
      ("{m: protobuf}", "expected the numbers of fields with their names and types"),
      (
        "{protobuf(1 a: varint)} {b: bytes}",
        "a receiver cannot tell where the message of Protocol Buffers ends and 'b' begins"
      ),
      (
        "{maybe}{protobuf(1 a: varint)}{end}",
        "an optional part cannot contain a message of Protocol Buffers without a name"
      ),
      (
        "{protobuf(1 a: protobuf(1 b: protobuf(1 c: protobuf(1 d: protobuf(1 e: varint)))))}",
        "messages of Protocol Buffers are nested too deep"
      ),
      ("{protobuf(1 a_b: varint)}", "'a_b' is not a name"),
    ])
  func `mistakes`(template: String, message: String) {
    #expect(mistake(in: template)?.hasPrefix(message) == true, "\(mistake(in: template) ?? "none")")
  }
}

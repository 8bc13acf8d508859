import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct BlockTests {
  @Test(
    arguments: [
      // optional parts: at the end, in the middle, with a literal that begins them
      ("01 {n: u8} {maybe}{m: u16le}{end}", "01 02", "n=2 m=-"),
      ("01 {n: u8} {maybe}{m: u16le}{end}", "01 02 03 00", "n=2 m=3"),
      ("01 {maybe}{m: u16le}{end} {xor8}", "01 03 00 02", "m=3"),
      ("01 {maybe}{m: u16le}{end} {xor8}", "01 01", "m=-"),
      ("01 {maybe} 02 {m: u8} {end} 03 {rest: bytes}", "01 02 03 03 04", "m=3 rest=04"),
      ("01 {maybe} 02 {m: u8} {end} 03 {rest: bytes}", "01 03 02 05", "m=- rest=02 05"),
      // taken where its bytes could be, unless the rest then does not fit
      ("{maybe} 02 {m: u8} 00 {end} {rest: bytes}", "02 05 00 06", "m=5 rest=06"),
      ("{maybe} 02 {m: u8} 00 {end} {rest: bytes}", "02 05 01 06", "m=- rest=02 05 01 06"),
      ("01 {maybe}{a: u8}{b: bytes}{end}", "01", "a=- b=-"),
      ("01 {maybe}{a: u8}{b: bytes}{end}", "01 02", "a=2 b="),
      // conditions: a number, a bit, one in a part that is absent itself
      ("{n: u8} {if n}{m: u8}{end} 77", "02 05 77", "n=2 m=5"),
      ("{n: u8} {if n}{m: u8}{end} 77", "00 77", "n=0 m=-"),
      ("{bits(a: 1, 0: 7)} {if a} 0D {end}", "80 0D", "a=1"),
      ("{bits(a: 1, 0: 7)} {if a} 0D {end}", "00", "a=0"),
      ("01 {maybe}{n: u8}{end} {if n} FF {end}", "01 01 FF", "n=1"),
      ("01 {maybe}{n: u8}{end} {if n} FF {end}", "01 00", "n=0"),
      ("01 {maybe}{n: u8}{end} {if n} FF {end}", "01", "n=-"),
      ("{a: u8}{b: u8} {if b}{x: bytes}{end} {if a} 00 {end}", "01 01 07 00", "a=1 b=1 x=07"),
      // repeated parts: what remains, so many, within bounds, before something else
      ("01 {repeat items}{v: u16le}{end}", "01", "items="),
      ("01 {repeat items}{v: u16le}{end}", "01 02 00 03 00", "items=(2) (3)"),
      ("{repeat items}{k: u8}{v: bytes(1)}{end} {sum8}", "01 02 03 04 0A", "items=(1, 02) (3, 04)"),
      ("{repeat items(2)}{v: u8}{end}{rest: bytes}", "01 02 03", "items=(1) (2) rest=03"),
      ("01 {repeat items(0..2)}{v: u8}{end}", "01 05 06", "items=(5) (6)"),
      ("{repeat items} 01 {v: u8}{end} 02 {rest: bytes}", "01 07 01 08 02 01 01", "items=(7) (8) rest=01 01"),
      ("{repeat items}{v: bytes} 00 {end}", "01 02 00 00 03 00", "items=(01 02) () (03)"),
      ("{repeat items}{bits(a: 4, b: 4)}{end}", "12 34", "items=(1, 2) (3, 4)"),
      ("{repeat a(1)}{v: u8}{end} {repeat b}{v: u8}{end}", "01 02 03", "a=(1) b=(2) (3)"),
      // a repeated part in another block
      ("{n: u8} {if n}{repeat items}{v: u8}{end}{end}", "01 02 03", "n=1 items=(2) (3)"),
      ("{n: u8} {if n}{repeat items}{v: u8}{end}{end}", "00", "n=0 items=-"),
      ("{n: u8} {maybe} 3D {repeat items}{v: u8}{end}{end}", "01 3D 05", "n=1 items=(5)"),
      ("{n: u8} {maybe} 3D {repeat items}{v: u8}{end}{end}", "01", "n=1 items=-"),
    ])
  func `blocks, both ways`(template: String, frame: String, values: String) throws {
    let message = try message(template)
    #expect(described(hex(frame), by: message) == values)
    #expect(try message.build(#require(message.match(hex(frame)))) == hex(frame))
  }

  @Test(
    arguments: [
      ("01 {n: u8} {maybe}{m: u16le}{end}", "01 02 03"), ("{n: u8} {if n}{m: u8}{end} 77", "01 77"),
      ("{n: u8} {if n}{m: u8}{end} 77", "00 05 77"), ("01 {repeat items}{v: u16le}{end}", "01 02"),
      ("{repeat items(2)}{v: u8}{end}", "01"), ("{repeat items(2)}{v: u8}{end}", "01 02 03"),
      ("01 {repeat items(1..2)}{v: u8}{end}", "01"), ("01 {repeat items(0..2)}{v: u8}{end}", "01 02 03 04"),
      ("{repeat items}{v: bytes} 00 {end}", "01 02"),
    ])
  func `another frame is not this message`(template: String, frame: String) throws {
    #expect(described(hex(frame), by: try message(template)) == "another message")
  }

  @Test func `what is absent is 0 or empty for expressions`() throws {
    let message = try message("01 {maybe}{a: u8}{b: text(2)}{repeat c}{v: u8}{end}{end}")
    #expect(message.parse([1]) == [.integer(0), .text(""), .group([])])
    #expect(message.match([1]) == [nil, nil, nil])
    #expect(message.fields.map(\.presence) == [.optional, .optional, .optional])
  }

  @Test func `an optional part is built when its fields are given, all of them`() throws {
    let message = try message("01 {maybe}{a: u8}{b: u8}{end}")
    #expect(try message.build([.integer(2), .integer(3)]) == [1, 2, 3])
    #expect(try message.build([nil, nil]) == [1])
    #expect(throws: EncodingError.missing("b")) { try message.build([.integer(2), nil]) }
  }

  @Test func `an optional part without fields is read, and not built`() throws {
    let message = try textMessage("AT{maybe}\r\n{end}")
    #expect(message.match(Array("AT\r\n".utf8)) == [])
    #expect(message.match(Array("AT".utf8)) == [])
    #expect(try message.build([]) == Array("AT".utf8))
  }

  @Test func `the fields of a part that its condition leaves out do not matter`() throws {
    let message = try message("{n: u8} {if n}{m: u8}{end}")
    #expect(message.fields.map(\.presence) == [.always, .conditional(on: "n")])
    #expect(try message.build([.integer(0), .integer(9)]) == [0])
    #expect(try message.build([.integer(0), nil]) == [0])
    #expect(throws: EncodingError.missing("m")) { try message.build([.integer(1), nil]) }
  }

  @Test func `a repeated part has columns, and refuses another number of rows`() throws {
    let message = try message("{repeat cells(1..2)}{volts: u16be}{name: text(2)}{end}")
    let field = message.fields[0]
    #expect(field.encoding == nil)
    #expect(field.columns.map(\.name) == ["volts", "name"])
    #expect(
      field.valueType
        == .group([
          DataTable.Column(name: "volts", type: .integer), DataTable.Column(name: "name", type: .text),
        ]))
    let row: [Value] = [.integer(1), .text("a")]
    #expect(try message.build([.group([row, row])]) == hex("00 01 61 00 00 01 61 00"))
    #expect(throws: EncodingError.rowCount(0, 1...2)) { try message.build([.group([])]) }
    #expect(throws: EncodingError.rowCount(3, 1...2)) { try field.check(.group([row, row, row])) }
    #expect(throws: EncodingError.outOfRange(65536, 0...65535)) {
      try field.check(.group([[.integer(65536), .text("")]]))
    }
  }
}

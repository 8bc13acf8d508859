import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct InlineTemplateTests {
  typealias Inline = MessageTemplate.Inline

  static let text = MessageTemplate.Form.text(ignoringCase: false)

  @Test(
    arguments: [
      ("5A 05 {level + 1: u8} {crc8-maxim}", ["level + 1"], [7]),
      ("{a}{b.slice(0, 2): bytes(3)}", ["a", "b.slice(0, 2)"], [1, 4]),
      ("{if(a, 1, 2): u8}", ["if(a, 1, 2)"], [1]), ("{ x[1: 2] : u8 }", ["x[1: 2]"], [2]),
      ("{pad}{skip}{repeat}", ["pad", "skip", "repeat"], [1, 6, 12]),
      ("{bits(a: 1, b + 1: 2, 0: 5)}", ["a", "b + 1"], [6, 12]),
      ("{size: u8} {size(a): u8}", ["size(a)"], [12]),
    ] as [(String, [String], [Int])])
  func `its holes hold expressions, and say where they stand`(
    template: String, texts: [String], offsets: [Int]
  ) throws {
    let inline = try Inline(template, form: .bytes)
    #expect(inline.holes.map(\.text) == texts)
    #expect(inline.holes.map(\.offset) == offsets)
  }

  @Test(
    arguments: [
      ("{'a}: ' + b}", "'a}: ' + b", nil), ("{\"}\": text(3)}", "\"}\"", "text(3)"),
      ("{a == 'x:y': u8}", "a == 'x:y'", "u8"),
      ("{'{{'}", "'{{'", nil), ("{f('it', \"it's\")}", "f('it', \"it's\")", nil),
    ])
  func `quotes hide braces and colons`(template: String, text: String, type: String?) throws {
    let hole = try #require(try Inline("é" + template, form: Self.text).holes.first)
    #expect(hole.text == text)
    #expect(hole.offset == 2)
    #expect(try hole.encoding == type.map { type throws in try FieldEncoding(type) })
  }

  @Test func `bytes are built from the values of its expressions`() throws {
    let inline = try Inline(
      "5A {size: u8} {bits(a: 4, b: 4)} {x} {y: u16le} {z} {pad(9)} {sum8}", form: .bytes)
    let values: [Value] = [.integer(1), .integer(2), .bytes([0xAA]), .integer(3), .text("é")]
    #expect(try inline.build(values) == hex("5A 0A 12 AA 03 00 C3 A9 00 8F"))
  }

  @Test func `in a text a value without a type stands as people write it`() throws {
    let inline = try Inline("{a} {b} {c: hex(4)} {d: dec(3)} {e}", form: Self.text)
    let values: [Value] = [.bytes([0xA5, 6]), .decimal(1.5), .integer(0xFFE0), .integer(-6), .boolean(true)]
    #expect(try inline.build(values) == Array("A5 06 1.5 FFE0 -06 true".utf8))
  }

  @Test func `it is as short as nothing and as long as is said`() throws {
    #expect(try Inline("", form: .bytes).build([]) == [])
    let inline = try Inline("{a}", form: Self.text)
    #expect(throws: EncodingError.tooLong(count: 3, limit: 2)) { try inline.build([.text("abc")], limit: 2) }
    #expect(throws: EncodingError.tooLong(count: 4097, limit: 4096)) {
      try inline.build([.text(String(repeating: "a", count: 4097))])
    }
  }

  @Test(arguments: ["{if a}{end}", "{repeat a}{b: u8}{end}", "{repeat a(4)}{b: u8}{end}"])
  func `it has no blocks`(template: String) {
    let error = #expect(throws: TextError.self) { try Inline(template, form: .bytes) }
    #expect(error?.message == "a block in a message without a name")
  }

  @Test(arguments: ["{a: u9}", "{a: bytes(0)}", "5A {", "{}", "{pad(0)}", "{xor8(4)}", "0G"])
  func `what is no template has a mistake`(template: String) {
    #expect(throws: TextError.self) { try Inline(template, form: .bytes) }
  }
}

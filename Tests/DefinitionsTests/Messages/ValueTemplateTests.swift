import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct ValueTemplateTests {
  static let scope: NameScope = {
    var scope = NameScope()
    scope.addSetting("local-name", index: 0, type: .text)
    scope.addSetting("level", index: 1, type: .integer)
    return scope
  }()

  static let context = EvaluationContext(
    settings: [.text("Belt"), .integer(80)], address: [0x50, 0x8C, 0xB1, 0x6A, 0x7C, 0xAB])

  @Test(
    arguments: [
      ("", ""), ("48 4D", "48 4D"), ("48 {address} 00", "48 50 8C B1 6A 7C AB 00"),
      ("{local-name}", "42 65 6C 74"),
      ("{level: u16le} {level + 1: u8}", "50 00 51"), ("{address.slice(3, 3)}", "6A 7C AB"),
      ("{local-name: text(6, 20)}", "42 65 6C 74 20 20"),
    ])
  func `bytes with holes`(template: String, bytes: String) throws {
    #expect(try ValueTemplate.bytes(template, in: Self.scope).render(in: Self.context) == hex(bytes))
  }

  @Test(
    arguments: [
      ("", ""), ("DSDTECH", "DSDTECH"), ("{local-name} {level} %", "Belt 80 %"),
      ("{{{local-name}}}", "{Belt}"),
      ("a }} b {{ c", "a } b { c"), ("{ address.slice(3, 3).hex }", "6A7CAB"), ("{level / 3 > 20}", "true"),
      ("{address}", "50 8C B1 6A 7C AB"), ("{level: u8}", "P"),
    ])
  func `text with holes`(template: String, text: String) throws {
    let bytes = try ValueTemplate.text(template, in: Self.scope).render(in: Self.context)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}

import Foundation
import TestSupport
import Testing

@testable import BlemuJSON

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", JSONValue.null), (" true ", true), ("-0", 0), ("-12", -12), ("1.5", .decimal(1.5)),
      ("1e3", .decimal(1000)),
      ("12345678901234567890", .decimal(12_345_678_901_234_567_168)), ("[]", []), ("[1,\t[2]]", [1, [2]]),
      ("{}", [:]),
      (#"{"a": 1, "b": {"a": false}}"#, ["a": 1, "b": ["a": false]]),
      (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e9\uD83D\uDE00""#, "é😀"), ("\"é😀\"", "é😀"),
    ] as [(String, JSONValue)])
  func `text becomes a value`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    #expect(try JSONValue(parsing: Array(value.line.utf8)) == value)
  }

  @Test(arguments: [
    ("", 0, "the text ends where a value is missing"), ("  ", 2, "the text ends where a value is missing"),
    ("nul", 0, "this is not a value"), ("1 2", 2, "there is more text after the value"),
    ("[1", 2, "',' or ']' is missing"),
    ("[1,]", 3, "this is not a value"), ("{1", 1, "the name of a member is missing"),
    (#"{"a" 1}"#, 5, "':' is missing"),
    (#"{"a": 1 "b""#, 8, "',' or '}' is missing"),
    (#"{"a":1,"a":2}"#, 7, "the object has two members of this name"),
    (#""a"#, 0, "text has no closing quote"),
    ("\"a\nb\"", 2, "text has a control character that is not escaped"),
    (#""\x""#, 1, "text has an unknown escape"),
    (#""\uD83D""#, 1, "'\\u' needs four hex digits, and surrogates come in pairs"),
    (#""\u12"#, 1, "'\\u' needs four hex digits, and surrogates come in pairs"),
    ("01", 0, "this is not a number"),
    ("-", 0, "this is not a number"), ("1.", 0, "this is not a number"), ("1e", 0, "this is not a number"),
    ("1e999", 0, "the number is too large"),
  ])
  func `a mistake has a place and a reason`(text: String, offset: Int, reason: String) {
    #expect(throws: JSONMistake(offset: offset, reason: reason)) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test func `text must be UTF-8`() {
    #expect(throws: JSONMistake(offset: 0, reason: "text is not UTF-8")) {
      try JSONValue(parsing: [0x22, 0xFF, 0x22])
    }
  }

  @Test func `depth has a limit`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(JSONValue.deepest)) }
    #expect(throws: JSONMistake.self) { try JSONValue(parsing: nested(JSONValue.deepest + 1)) }
    #expect(throws: JSONMistake.self) { try JSONValue(parsing: nested(1_000_000)) }
  }

  /// Foundation takes more: members of one name, for one.
  @Test func `what is read is what Foundation reads`() throws {
    let seed =
      #"{"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"a": [1.5e2, true, null, "x\n\u00e9"]}}}"#
    var random = SplitMix64(seed: 7)
    var read = 0
    for _ in 0..<20_000 {
      var text = Array(seed.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: text.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = text.randomElement(using: &random)!
        case 1: text.remove(at: place)
        default: text.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        }
      }
      guard let value = try? JSONValue(parsing: text) else { continue }
      read += 1
      let theirs = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      let ours = try JSONSerialization.jsonObject(with: Data(value.line.utf8), options: .fragmentsAllowed)
      #expect((theirs as? NSObject) == (ours as? NSObject), "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(read > 1000)
  }
}

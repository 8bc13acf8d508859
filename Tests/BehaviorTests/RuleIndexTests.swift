import Definitions
import DeviceModel
import TestSupport
import Testing

@testable import Behavior

@Suite struct RuleIndexTests {
  typealias Indexed = (rule: Int, message: MessageTemplate)

  /// The rules that take a frame, one after the other.
  static func linear(_ rules: [Indexed], _ frame: [UInt8]) -> [Int] {
    rules.filter { $0.message.parse(frame) != nil }.map(\.rule)
  }

  static func candidates(_ index: RuleIndex, _ frame: [UInt8]) -> [Int] {
    Array(sequence(first: -1) { index.candidate(for: frame, after: $0) }.dropFirst())
  }

  static func indexed(_ rules: [Indexed], _ index: RuleIndex, _ frame: [UInt8]) -> [Int] {
    candidates(index, frame).filter { candidate in
      rules.first { $0.rule == candidate }!.message.parse(frame) != nil
    }
  }

  @Test(arguments: [0, 1, 2, 10, 100, 1000])
  func `an index finds what a search of all rules finds, in the same order`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let rules = try random.rules(count)
    let index = RuleIndex(rules.map { ($0.rule, $0.message) })
    var found = 0
    for _ in 0..<120 {
      let frame = try random.frame(for: rules)
      let expected = Self.linear(rules, frame)
      #expect(Self.indexed(rules, index, frame) == expected)
      found += expected.isEmpty ? 0 : 1
    }
    #expect(count == 0 || found > 25)
  }

  @Test func `of a thousand commands a frame meets one`() throws {
    let rules = Self.rules(
      (0..<1000).map { number in
        let command = String(number, radix: 16)
        let bytes = String(repeating: "0", count: 4 - command.count) + command
        return "\"A5 \(bytes) {n: u8} {xor8}\""
      })
    let index = RuleIndex(rules.map { ($0.rule, $0.message) })
    #expect(Self.candidates(index, hex("A5 01 02 00 A6")).count <= 4)
  }

  @Test(arguments: [
    "text: \"AT+%{value: text}\"", "text: \"AT+%{value: text}\", ignore-case: true",
    "bytes: \"A5 # {n: u8} {rest: bytes}\"",
  ])
  func `of a thousand messages of any length a frame meets a few`(template: String) throws {
    let rules = Self.rules(
      (0..<1000).map { number in
        let letters = [number / 100, number / 10 % 10, number % 10].map {
          String(UnicodeScalar(UInt8(65 + $0)))
        }
        let digits = String(number + 0x1000, radix: 16)
        return "{ " + template.replacing("%", with: letters.joined()).replacing("#", with: digits) + " }"
      })
    let index = RuleIndex(rules.map { ($0.rule, $0.message) })
    var found = 0
    for frame in [Array("AT+CAB=1".utf8), Array("AT+JJJ".utf8), hex("A5 12 34 00"), hex("A5 13 E7 01 02")] {
      let expected = Self.linear(rules, frame)
      #expect(Self.candidates(index, frame).count <= 3)
      #expect(Self.indexed(rules, index, frame) == expected)
      found += expected.count
    }
    #expect(found > 0)
  }

  @Test func `letters in either case are found in either`() throws {
    let names = ["NAME", "BAUD", "ROLE", "ADDR", "VERR", "name"]
    let rules = Self.rules(
      names.enumerated().map { number, name in "{ text: \"AT+\(name)\", ignore-case: \(number < 5) }" })
    let index = RuleIndex(rules.map { ($0.rule, $0.message) })
    #expect(Self.indexed(rules, index, Array("at+NaMe".utf8)) == [0])
    #expect(Self.indexed(rules, index, Array("AT+name".utf8)) == [0, 5])
    #expect(Self.indexed(rules, index, Array("aT+baud".utf8)) == [1])
  }

  /// A rule for each of these messages. They are in one definition, because reading one for each would take its time.
  static func rules(_ messages: [String]) -> [Indexed] {
    let lines = messages.enumerated().map { "  m\($0.offset): \($0.element)\n" }.joined()
    return definition(
      "services:\n  - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write] }] }\nmessages:\n"
        + lines
    ).messages.enumerated().map { (rule: $0.offset, message: $0.element) }
  }
}

extension SplitMix64 {
  fileprivate mutating func rules(_ count: Int) throws -> [RuleIndexTests.Indexed] {
    let parts = [
      "A5", "A5", "06", "01", "02", "{%: u8}", "{%: u16le}", "{%: bytes(2)}", "{%: bytes}", "{xor8}",
    ]
    let templates = (0..<count).map { _ in
      var isOpen = false
      let chosen = (0..<Int.random(in: 1...5, using: &self)).map { position in
        var part = parts.randomElement(using: &self)!
        if part == "{%: bytes}", isOpen { part = "07" }
        if part == "{xor8}", position == 0 { part = "08" }
        isOpen = isOpen || part == "{%: bytes}"
        return part.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "f\(position)")
      }
      return chosen.joined(separator: " ")
    }
    guard count > 0 else { return [] }
    return RuleIndexTests.rules(templates.map { "\"\($0)\"" }).map {
      (rule: $0.rule * 3, message: $0.message)
    }
  }

  /// One that some rule built, or one of the same bytes at random.
  fileprivate mutating func frame(for rules: [RuleIndexTests.Indexed]) throws -> [UInt8] {
    if Bool.random(using: &self), let message = rules.randomElement(using: &self)?.message {
      return try message.build(message.randomValues(using: &self))
    }
    let bytes: [UInt8] = [0xA5, 0x06, 0x01, 0x02, 0x07, 0x00]
    return (0..<next() % 9).map { _ in bytes.randomElement(using: &self)! }
  }
}

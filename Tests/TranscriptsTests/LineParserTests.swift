import Definitions
import TestSupport
import Testing

@testable import Transcripts

/// Reads single lines.
@Suite struct LineParserTests {
  /// The line has another meaning than expected.
  private struct UnexpectedLine: Error {}

  private func action(_ line: String) throws -> Step.Action? {
    guard case .step(let step) = try LineParser(device).parse(line) else { return nil }
    return step.action
  }

  @Test(
    arguments: [
      ("> control  A5 06", [0xA5, 0x06]), ("> control a506", [0xA5, 0x06]),
      ("> control\tA5  06  # comment", [0xA5, 0x06]),
      ("> control \"\"", []), ("> control \"OK\\r\\n\"", [0x4F, 0x4B, 0x0D, 0x0A]),
      ("> control \"\\t\\\\\\\"\\x00\\xff\"", [0x09, 0x5C, 0x22, 0x00, 0xFF]),
      ("> control \"#é\"", [0x23, 0xC3, 0xA9]), ("> control 01 \"A\" 02", [0x01, 0x41, 0x02]),
      ("> control  ask number=5", [0x01, 0x05]), ("> control  ask number=0x10", [0x01, 0x10]),
      ("> control  answer number=1 note=0102", [0x81, 0x01, 0x01, 0x02]),
      ("> control  answer note=\"hi\" number=1", [0x81, 0x01, 0x68, 0x69]),
      ("> control  label label=abc", [0x82, 0x61, 0x62, 0x63, 0x00]), ("> control  leave", [0x02]),
      ("> control  extra a=1", [0x0A, 0x01]), ("> control  extra a=1 b=2", [0x0A, 0x01, 0x02]),
      ("> control  name-command name=Demo", Array("AT+NAMEDemo".utf8)),
      ("] wire  \"AT\"", [0x41, 0x54]), ("] wire  hide", [0x03]),
    ] as [(String, [UInt8])])
  func `a write has these bytes`(line: String, bytes: [UInt8]) throws {
    switch try action(line) {
    case .write(let value, _, _), .putIntoWire(let value): #expect(value == bytes)
    default: throw UnexpectedLine()
    }
  }

  @Test(arguments: [
    ("A5 06", BytePattern([0xA5, 0x06])), ("A5 **", BytePattern([0xA5, nil])),
    ("A5**06", BytePattern([0xA5, nil, 0x06])),
    ("...", BytePattern(isOpen: true)), ("A5 ...", BytePattern([0xA5], isOpen: true)),
    ("A5...", BytePattern([0xA5], isOpen: true)),
    ("\"A\" ** ...", BytePattern([0x41, nil], isOpen: true)), ("\"\"", BytePattern()),
    ("A5 after 1s", BytePattern([0xA5])), ("A5 within 1s after 300ms", BytePattern([0xA5])),
  ])
  func `an expectation has this pattern`(text: String, pattern: BytePattern) throws {
    guard case .expect(let expectation) = try action("< control  " + text),
      case .bytes(let found) = expectation.value
    else { throw UnexpectedLine() }
    #expect(found == pattern)
  }

  @Test(arguments: [
    ("> control 00", "request"), ("> fast 00", "command"), (">! control 00", "command"),
    (">? fast 00", "request"),
    ("> control/2901 00", "request"),
  ])
  func `a write takes the kind that the characteristic supports, unless its mark selects one`(
    line: String, kind: String
  )
    throws
  {
    guard case .write(_, _, let found) = try action(line) else { throw UnexpectedLine() }
    #expect(found.rawValue == kind)
  }

  @Test(arguments: [
    ("wait 300ms", 300), ("wait 1.5s", 1500), ("wait 2min", 120_000), ("+5s", 5000), ("silence 1s", 1000),
  ])
  func `a duration has a number and a unit`(line: String, milliseconds: Int) throws {
    switch try action(line) {
    case .wait(let duration), .silence(let duration): #expect(duration == .milliseconds(milliseconds))
    default: throw UnexpectedLine()
    }
  }

  @Test(arguments: [
    "psm(stream) == 0x81", "bytes-of(ask, number: 5) == bytes('0105')", "handle(control) > 0",
    "handle('control/2901') > 0", "handle('control/2902') > 0", "doubled(2) == bytes('0104')",
  ])
  func `a condition may use channels, messages and attributes`(condition: String) throws {
    let device = try define(
      """
      blemu: 1
      name: Everything
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, id: control, properties: [write, notify], descriptors: [{ uuid: 2901, text: Control }] }
      channels: { stream: { psm: 0x81 } }
      messages: { ask: "01 {number: u8}" }
      functions: { doubled(x): "bytes-of(ask, number: 2 * x)" }
      rules: [{ on: { receive: ask }, do: { log: "{hex(doubled(number))} {handle(control)}" } }]
      """)
    guard case .step = try LineParser(device).parse("* \(condition)") else { throw UnexpectedLine() }
  }

  @Test(arguments: ["", "   ", "# comment", "  # comment"])
  func `empty lines and comments are blank`(line: String) throws {
    guard case .blank = try LineParser(device).parse(line) else { throw UnexpectedLine() }
  }

  @Test(arguments: [("== A title", "A title"), ("  ==  A \"title\" # 1  ", "A \"title\" # 1"), ("==x", "x")])
  func `a title is the text after the equals signs`(line: String, title: String) throws {
    guard case .section(let found) = try LineParser(device).parse(line) else {
      throw UnexpectedLine()
    }
    #expect(found == title)
  }

  @Test func `a step keeps its text and its line number`() throws {
    guard case .step(let step) = try LineParser(device).parse("  < control  A5  # ever", line: 7) else {
      throw UnexpectedLine()
    }
    #expect(step.text == "< control  A5")
    #expect(step.line == 7)
  }

  @Test func `any text is either read or reported as a mistake`() {
    var random = SplitMix64(seed: 1)
    let pieces = [
      ">", "<", "!", "= ", "]", "[", "wire ", "control ", " ", "\"", "\\", "x", "A5", "**", "...", "ask ",
      "number=", "*",
      "after ", "1s", "connect ", "mtu=", "set ", "limit=", "advertises ", "raw=", ":", "#", "é", "\u{0}",
      "==", "+", "9",
    ]
    for _ in 0..<20_000 {
      let text = (0..<random.next() % 8).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        .joined()
      do { _ = try LineParser(device).parse(text) } catch {
        #expect(error.range.start.column >= 1 && error.range.start.column <= text.unicodeScalars.count + 2)
      }
    }
  }
}

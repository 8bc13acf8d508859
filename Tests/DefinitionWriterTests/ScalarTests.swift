import Testing

@testable import DefinitionWriter

/// Texts that other YAML parsers would read as something else are quoted.
@Suite struct ScalarTests {
  @Test(arguments: [
    "FFE0", "180F", "2A19", "HMSoft", "Heart rate belt", "value.size != 1 or value[0] > 1", "day-total",
    "00DC",
    "4D48", "battery-level", "1st", "5s", "1.5min", "a-b", "x, y", "if(is-on, 'on', 'off')", "Grüße", "+OK",
  ])
  func `a text that every parser reads as it is stays plain`(text: String) {
    #expect(YAMLEmitter.write(.object([.init("key", .text(text))], .block)) == "key: \(text)\n")
  }

  /// Fewer than eight have a line each.
  @Test func `many scalars share lines`() {
    let columns = (1...20).map { YAMLValue.Entry("column-\($0)", .word("integer")) }
    #expect(
      YAMLEmitter.write(.object([.init("columns", .map(columns, .compact))], .block)) == """
        columns:
          { column-1: integer, column-2: integer, column-3: integer, column-4: integer, column-5: integer,
            column-6: integer, column-7: integer, column-8: integer, column-9: integer, column-10: integer,
            column-11: integer, column-12: integer, column-13: integer, column-14: integer, column-15: integer,
            column-16: integer, column-17: integer, column-18: integer, column-19: integer, column-20: integer }

        """)
    let names = (1...7).map { YAMLValue.text("a-long-name-of-a-message-\($0)") }
    let list = YAMLEmitter.write(.object([.init("receive", .list(names, .compact))], .block))
    #expect(list.hasPrefix("receive:\n  - a-long-name-of-a-message-1\n"))
  }

  @Test func `a comment stays on its line`() {
    let value = YAMLValue.object([.init("key", .commented(.text("a"), "b\n\u{1B}c"))], .block)
    #expect(YAMLEmitter.write(value) == "key: a  # b\\n\\x1Bc\n")
  }

  @Test(arguments: [
    "", " ", "0010", "1810", "1E10", "02E1", "0499", "1e5", "-5", "+5", "5.0", ".5", "5.", "0x1F", "0o17",
    "0b11",
    "1_000", "190:20:30", "12:30", "on", "No", "y", "N", "yes", "OFF", "true", "null", "~", "=", "<<", ".inf",
    "-.INF",
    ".nan", "2026-11-26", "2026-11-26T10:00:00Z", "- a", "-", "? a", "a: b", "a:", "a #b", "#a", "&a", "*a",
    "!a", "|",
    ">", "%a", "@a", "`a", "[a]", "{a}", "a ", " a", "'a'", "a\nb", "a\tb", "\u{7F}", "\u{2028}", "\u{FEFF}",
    "00:1A:7D:DA:71:13",
  ])
  func `any other text is quoted`(text: String) {
    let written = YAMLEmitter.write(.object([.init("key", .text(text))], .block))
    #expect(written.hasPrefix("key: \"") || written.hasPrefix("key: '"), "\(written)")
    #expect(written.hasSuffix("\"\n") || written.hasSuffix("'\n"), "\(written)")
  }

  @Test(arguments: [
    ("a, b", "\"a, b\""), ("a[0]", "\"a[0]\""), ("{a}", "\"{a}\""), ("a", "a"),
    ("say \"a\", b", "'say \"a\", b'"),
    ("it's \"a\", b", "\"it's \\\"a\\\", b\""), ("C:\\a", "\"C:\\\\a\""),
  ])
  func `between braces, more is quoted`(text: String, written: String) {
    #expect(YAMLEmitter.inline(.map([.init("key", .text(text))], .flow)) == "{ key: \(written) }")
  }

  @Test func `a key that looks like a number is quoted`() {
    let value = YAMLValue.map(
      [.init("0010", .quoted("00")), .init("004C", .quoted("01")), .init("on", .flag(true))], .flow)
    #expect(YAMLEmitter.inline(value) == "{ \"0010\": \"00\", 004C: \"01\", \"on\": true }")
  }
}

import Testing

@testable import Definitions

/// Files of people who mean no good, and of programs that went wrong: all of them are answered, and soon.
@Suite struct LimitTests {
  /// A definition that is too much, and what is said of it.
  struct Excess: CustomTestStringConvertible {
    var testDescription: String
    var yaml: String
    var files: [String: String] = [:]
    var message: String
    var hint: String?
  }

  private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (1...count).map { line($0) + "\n" }.joined()
  }

  private static func items(_ count: Int, _ item: (Int) -> String) -> String {
    "[" + (1...count).map(item).joined(separator: ", ") + "]"
  }

  private static func characteristics(_ count: Int) -> String {
    items(count) { "{ uuid: \(10_000_000 + $0), properties: [write] }" }
  }

  static let counts: [Excess] =
    [
      ("settings", "settings:\n" + lines(257) { "  s\($0): { type: boolean, default: true }" }, 257, 256),
      ("variables", "variables:\n" + lines(257) { "  v\($0): { type: boolean, default: true }" }, 257, 256),
      ("states", "states: " + items(257) { "s\($0)" }, 257, 256),
      (
        "generators", "generators:\n" + lines(257) { "  g\($0): { shape: random, min: 0, max: 1, every: 1s }" },
        257, 256
      ),
      ("values", "values:\n" + lines(257) { "  v\($0): 1" }, 257, 256),
      ("services", "services: " + items(257) { _ in "{ uuid: FFE0, characteristics: [] }" }, 257, 256),
      (
        "descriptors",
        "services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], descriptors: "
          + items(257) { "{ uuid: \(10_000_000 + $0) }" } + " }] }]", 257, 256
      ),
      ("messages", "messages:\n" + lines(1001) { "  m\($0): \"A5\"" }, 1001, 1000),
      ("tables", "data:\n" + lines(257) { "  t\($0): { columns: { a: integer }, rows: [] }" }, 257, 256),
      (
        "rows", "data: { t: { columns: { a: integer }, rows: " + items(10_001) { _ in "[1]" } + " } }", 10_001,
        10_000
      ),
      ("rules", "rules:\n" + lines(2001) { _ in "  - { on: start, if: true, do: end }" }, 2001, 2000),
      ("actions", "rules: [{ on: start, do: " + items(1001) { _ in "end" } + " }]", 1001, 1000),
      (
        "rows of a group", "rules: [{ on: start, do: { send: m, with: { g: " + items(4097) { _ in "{ v: 1 }" } + " } } }]",
        4097, 4096
      ),
    ].map { what, yaml, count, limit in
      Excess(
        testDescription: what, yaml: yaml, message: "\(count) in one list or mapping",
        hint: "at most \(limit) can stand here")
    }

  static let others: [Excess] = [
    Excess(
      testDescription: "characteristics",
      yaml: "services: [{ uuid: FFE0, characteristics: \(characteristics(200)) },"
        + " { uuid: FFE1, characteristics: \(characteristics(57)) }]",
      message: "more than 256 characteristics", hint: "a device has at most so many, in all its services"),
    Excess(
      testDescription: "timers",
      yaml: "rules:\n" + lines(257) { "  - { on: connect, if: true, do: { start: t\($0), after: 1s } }" },
      message: "more than 256 timers", hint: "a device has at most so many"),
    Excess(
      testDescription: "cells",
      yaml: "data:\n"
        + lines(2) { "  t\($0): { file: t.csv, columns: { a: text, b: text, c: text, d: text, e: text } }" },
      files: ["t.csv": "a,b,c,d,e\n" + lines(25_001) { _ in "1,1,1,1,1" }],
      message: "more than 250000 cells", hint: "all tables together have at most so many"),
    Excess(
      testDescription: "bytes of data",
      yaml: "data:\n" + lines(2) { "  t\($0): { file: \($0).csv, columns: { a: text } }" },
      files: ["1.csv": half, "2.csv": half], message: "the data files have more than 8388608 bytes",
      hint: "at most so many are read of all of them"),
    Excess(
      testDescription: "text of an expression",
      yaml: "rules: [{ on: start, if: \"1 == 1\(String(repeating: " ", count: 4091))\", do: end }]",
      message: "the expression has more than 4096 characters", hint: "'values' gives names to parts of it"),
    Excess(
      testDescription: "parts of an expression", yaml: "values:\n  v0: uptime\n" + lines(11) { "  v\($0): v\($0 - 1) + v\($0 - 1)" },
      message: "the expression is too large, with all that its names stand for",
      hint: "a variable keeps what has been computed"),
    Excess(
      testDescription: "depth of an expression",
      yaml: "values:\n  v0: uptime\n" + lines(2) { "  v\($0): v\($0 - 1)" + String(repeating: " + 1", count: 100) },
      message: "the expression is too large, with all that its names stand for",
      hint: "a variable keeps what has been computed"),
    Excess(
      testDescription: "text of a template", yaml: "messages: { m: \"\(String(repeating: "A5", count: 8193))\" }",
      message: "the template has more than 16384 characters"),
    Excess(
      testDescription: "holes of a template",
      yaml: "messages: { m: \"\((1...257).map { "{f\($0): u8}" }.joined())\" }", message: "more than 256 holes"),
    Excess(
      testDescription: "size of a setting", yaml: "settings: { s: { type: bytes, max: 65537, default: \"\" } }",
      message: "65537 bytes", hint: "at most 65536 are possible"),
  ]

  /// A comment of more than half of what is read.
  private static let half = "a\n#" + String(repeating: "x", count: 4 << 20)

  @Test(arguments: counts + others)
  func `more than there can be is one mistake`(excess: Excess) {
    let loaded = load(excess.yaml, files: excess.files)
    #expect(loaded.definition == nil)
    #expect(loaded.diagnostics.map(\.message) == [excess.message])
    #expect(loaded.diagnostics.first?.hint == excess.hint)
  }

  /// Each one less than what is too much.
  @Test(
    arguments: [
      "settings:\n" + lines(256) { "  s\($0): { type: boolean, default: true }" },
      "messages:\n" + lines(1000) { "  m\($0): \"A5\"" },
      "rules:\n" + lines(2000) { _ in "  - { on: start, if: true, do: end }" },
      "services: [{ uuid: FFE0, characteristics: \(characteristics(256)) }]",
      "values:\n  v0: uptime\n" + lines(10) { "  v\($0): v\($0 - 1) + v\($0 - 1)" },
      "messages: { m: \"\((1...256).map { "{f\($0): u8}" }.joined())\" }",
      "settings: { s: { type: bytes, max: 65536, default: \"\" } }",
    ])
  func `as much as there can be is good`(yaml: String) {
    #expect(load(yaml).definition != nil)
  }
}

/// What is said of a file with very many mistakes, or with very long lines.
@Suite struct LongReportTests {
  @Test func `of many mistakes the first 500 are reported`() {
    let loaded = load("{ " + (1...600).map { "k\($0): 1" }.joined(separator: ", ") + " }", others: [])
    #expect(loaded.diagnostics.count == 501)
    #expect(loaded.diagnostics[0].message == "a definition has no key 'k1'")
    #expect(loaded.diagnostics[499].message == "a definition has no key 'k500'")
    #expect(loaded.diagnostics[500].message == "there are more mistakes than these 500")
    #expect(loaded.diagnostics[500].hint == "correct these first")
  }

  @Test func `a mistake behind very many warnings is reported`() {
    let yaml =
      "variables:\n" + (1...250).map { "  v\($0): { type: boolean, default: true }\n" }.joined()
      + "states: [" + (1...250).map { "s\($0)" }.joined(separator: ", ") + "]\n"
      + "rules:\n" + (1...250).map { "  - { on: connect, if: true, do: { start: t\($0), after: 1s } }\n" }.joined()
    let warned = load(yaml)
    #expect(warned.definition != nil)
    #expect(warned.diagnostics.count == 500)
    #expect(load(yaml + "  - { on: connect, do: [end, end2] }").definition == nil)
  }

  @Test func `nothing is said twice`() {
    let log = DiagnosticLog()
    for _ in 1...3 { log.error("a mistake", at: SourceRange(line: 1, column: 1)) }
    log.error("a mistake", at: SourceRange(line: 2, column: 1))
    #expect(log.sorted.count == 2)
  }

  @Test func `of a long line what stands around the mistake is shown`() {
    let before = String(repeating: "a", count: 400)
    let report = diagnose("# \(before)\nname: \"\(before)\"\nsummary: [\(before), { \(before): 1 }]")
    #expect(
      report == """
        device.yaml:3:10: error: expected text, found a list
            3 | summary: [\(String(repeating: "a", count: 290))…
              |          ^\(String(repeating: "~", count: 290))
        """)
    let other = diagnose("link: { mtu: 23, \(String(repeating: "x", count: 400)): 1, mtv: 24, \(before): 2 }")
    #expect(
      other.hasSuffix(
        """
            1 | …\(String(repeating: "x", count: 139)): 1, mtv: 24, \(String(repeating: "a", count: 138))…
              | \(String(repeating: " ", count: 147))^~~ did you mean 'mtu'?
        """), "\(other)")
  }

  @Test func `of a long text in a message the beginning is shown`() {
    let text = String(repeating: "x", count: 5000)
    let loaded = load("link: { mtu: \(text) }")
    #expect(loaded.diagnostics.map(\.message) == ["expected a whole number, found '" + text.prefix(1000 - 32) + "…"])
  }
}

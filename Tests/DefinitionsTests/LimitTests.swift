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

  private static func lines(_ head: String, _ count: Int, _ line: (Int) -> String) -> String {
    head + "\n" + (1...count).map { line($0) + "\n" }.joined()
  }

  private static func items(_ count: Int, _ item: (Int) -> String) -> String {
    "[" + (1...count).map(item).joined(separator: ", ") + "]"
  }

  private static func characteristics(_ count: Int, from first: Int = 10_000_000) -> String {
    items(count) { "{ uuid: \(first + $0), properties: [write] }" }
  }

  private static func tooMany(_ what: String, _ count: Int, _ yaml: String) -> Excess {
    Excess(
      testDescription: what, yaml: yaml, message: "\(count) elements in one list or mapping",
      hint: "at most \(count - 1) are possible")
  }

  static let counts: [Excess] = [
    tooMany("settings", 257, lines("settings:", 257) { "  s\($0): { type: boolean, default: true }" }),
    tooMany("variables", 257, lines("variables:", 257) { "  v\($0): { type: boolean, default: true }" }),
    tooMany("states", 257, "states: \(items(257) { "s\($0)" })"),
    tooMany(
      "generators", 257,
      lines("generators:", 257) { "  g\($0): { shape: random, min: 0, max: 1, every: 1s }" }),
    tooMany("values", 257, lines("values:", 257) { "  v\($0): 1" }),
    tooMany("services", 257, "services: \(items(257) { _ in "{ uuid: FFE0, characteristics: [] }" })"),
    tooMany("descriptors", 257, descriptors(items(257) { "{ uuid: \(10_000_000 + $0) }" })),
    tooMany("messages", 2001, lines("messages:", 2001) { "  m\($0): \"A5\"" }),
    tooMany("tables", 257, lines("data:", 257) { "  t\($0): { columns: { a: integer }, rows: [] }" }),
    tooMany(
      "rows", 10_001, "data: { t: { columns: { a: integer }, rows: \(items(10_001) { _ in "[1]" }) } }"),
    tooMany("rules", 2001, lines("rules:", 2001) { _ in "  - { on: start, if: true, do: end }" }),
    tooMany("actions", 1001, "rules: [{ on: start, do: \(items(1001) { _ in "end" }) }]"),
    tooMany("rows of a group", 4097, group(items(4097) { _ in "{ v: 1 }" })),
  ]

  private static func descriptors(_ list: String) -> String {
    "services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], descriptors: \(list) }] }]"
  }

  private static func group(_ rows: String) -> String {
    "rules: [{ on: start, do: { send: m, with: { g: \(rows) } } }]"
  }

  static let others: [Excess] = [
    Excess(
      testDescription: "characteristics",
      yaml: services(characteristics(200), characteristics(57, from: 20_000_000)),
      message: "more than 256 characteristics",
      hint: "a device can have at most 256 across all its services"),
    Excess(
      testDescription: "rules in groups",
      yaml: "rules:\n" + (1...3).map { _ in lines("  - rules:", 700) { _ in groupedRule } }.joined(),
      message: "2100 rules, including those in groups", hint: "at most 2000 are possible"),
    Excess(
      testDescription: "timers",
      yaml: lines("rules:", 257) { "  - { on: connect, if: true, do: { start: t\($0), after: 1s } }" },
      message: "more than 256 timers", hint: "a device can have at most 256"),
    Excess(
      testDescription: "cells",
      yaml: lines("data:", 2) { "  t\($0): { file: t.csv, columns: { a: text, b: text, c: text } }" },
      files: ["t.csv": lines("a,b,c", 41_667) { _ in "1,1,1" }],
      message: "more than 250000 cells", hint: "all tables together can have at most 250000"),
    Excess(
      testDescription: "bytes of data",
      yaml: lines("data:", 2) { "  t\($0): { file: \($0).csv, columns: { a: text } }" },
      files: ["1.csv": half, "2.csv": half], message: "the data files have more than 8388608 bytes",
      hint: "the limit applies to all of them together"),
    Excess(
      testDescription: "text of an expression",
      yaml: "rules: [{ on: start, if: \"1 == 1\(String(repeating: " ", count: 4091))\", do: end }]",
      message: "the expression has more than 4096 characters", hint: "'values' gives names to parts of it"),
    Excess(
      testDescription: "parts of an expression", yaml: condition(9, of: doubled(7)), message: tooLarge,
      hint: keep),
    Excess(
      testDescription: "depth of an expression",
      yaml: lines("values:\n  v0: uptime", 2) { "  v\($0): v\($0 - 1)" + hundredMore },
      message: tooLarge, hint: keep),
    Excess(
      testDescription: "text of a template",
      yaml: "messages: { m: \"\(String(repeating: "A5", count: 8193))\" }",
      message: "the template has more than 16384 characters"),
    Excess(
      testDescription: "holes of a template", yaml: holes(257),
      message: "the template has more than 256 holes"),
    Excess(
      testDescription: "size of a setting",
      yaml: "settings: { s: { type: bytes, max: 65537, default: \"\" } }", message: "65537 bytes",
      hint: "at most 65536 are possible"),
  ]

  private static let tooLarge = "with its names expanded, the expression is too large"
  private static let hundredMore = String(repeating: " + 1", count: 100)
  private static let keep = "store a part of it in a variable"

  private static let groupedRule = "    - { on: start, if: uptime < 0, do: { log: a } }"

  private static func services(_ first: String, _ second: String) -> String {
    "services: [{ uuid: FFE0, characteristics: \(first) }, { uuid: FFE1, characteristics: \(second) }]"
  }

  /// Names each of which stands for twice the one before; `v7` for 255 parts.
  private static func doubled(_ count: Int) -> String {
    lines("values:\n  v0: uptime", count) { "  v\($0): v\($0 - 1) + v\($0 - 1)" }
  }

  private static func condition(_ count: Int, of values: String) -> String {
    let sum = Array(repeating: "v7", count: count).joined(separator: " + ")
    return "\(values)rules: [{ on: start, if: \(sum) > 0, do: end }]"
  }

  private static func holes(_ count: Int) -> String {
    "messages: { m: \"\((1...count).map { "{f\($0): u8}" }.joined())\" }"
  }

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
      lines("settings:", 256) { "  s\($0): { type: boolean, default: true }" },
      lines("messages:", 2000) { "  m\($0): \"A5\"" },
      lines("rules:", 2000) { _ in "  - { on: start, if: true, do: end }" },
      "services: [{ uuid: FFE0, characteristics: \(characteristics(256)) }]",
      condition(7, of: doubled(7)), holes(256),
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
    let variables = (1...250).map { "  v\($0): { type: boolean, default: true }\n" }.joined()
    let states = (1...250).map { "s\($0)" }.joined(separator: ", ")
    let rules = (1...250).map { "  - { on: connect, if: true, do: { start: t\($0), after: 1s } }\n" }.joined()
    let yaml = "variables:\n\(variables)states: [\(states)]\nrules:\n\(rules)"
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
    let long = String(repeating: "a", count: 400)
    let report = load("# \(long)\nname: \"\(long)\"\nsummary: [\(long), { \(long): 1 }]").report
    #expect(
      report == """
        device.yaml:3:10: error: expected text, found a list
            3 | summary: [\(String(repeating: "a", count: 290))…
              |          ^\(String(repeating: "~", count: 291))

        """)
  }

  @Test func `what stands far behind in a long line is shown, too`() {
    let (x, a) = (String(repeating: "x", count: 400), String(repeating: "a", count: 400))
    let report = load("link: { mtu: 23, \(x): 1, mtv: 24, \(a): 2 }").report
    #expect(
      report.contains(
        """
            1 | …\(String(repeating: "x", count: 145)): 1, mtv: 24, \(String(repeating: "a", count: 141))…
              | \(String(repeating: " ", count: 151))^~~ did you mean 'mtu'?
        """))
  }

  @Test func `of a long text in a message the beginning is shown`() {
    let text = String(repeating: "x", count: 5000)
    let loaded = load("link: { mtu: \(text) }")
    let shown = "expected a whole number, found '" + String(repeating: "x", count: 1000 - 32) + "…"
    #expect(loaded.diagnostics.map(\.message) == [shown])
  }
}

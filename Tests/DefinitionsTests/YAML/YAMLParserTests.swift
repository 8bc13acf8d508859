import Testing

@testable import Definitions

@Suite struct YAMLParserTests {
  static func parse(_ text: String) throws(Diagnostic) -> YAMLNode {
    try YAMLParser.parse(SourceText(name: "device.yaml", text: text))
  }

  /// A node as one line: its place, and what it is.
  static func outline(_ node: YAMLNode) -> [String] {
    let place = "\(node.range.start.line):\(node.range.start.column)"
    switch node.content {
    case .scalar(let text): return ["\(place) '\(text)'"]
    case .sequence(let nodes): return ["\(place) list"] + nodes.flatMap(outline)
    case .mapping(let entries):
      return ["\(place) mapping"] + entries.flatMap { outline($0.key) + outline($0.value) }
    }
  }

  @Test func `every node knows where it begins`() throws {
    let root = try Self.parse(
      """
      name: HM-10
      services:   # in order
        - uuid: FFE0
          all: [ read,
                 write ]
      "größe": 'a b'
      """)
    #expect(
      Self.outline(root) == [
        "1:1 mapping", "1:1 'name'", "1:7 'HM-10'", "2:1 'services'", "3:3 list", "3:5 mapping",
        "3:5 'uuid'", "3:11 'FFE0'", "4:5 'all'", "4:10 list", "4:12 'read'", "5:12 'write'",
        "6:1 'größe'", "6:10 'a b'",
      ])
  }

  @Test(
    arguments: [
      ("a: 01", "01"), ("a: no", "no"), ("a: ~", "~"), ("a:", ""), ("a: ''", ""), ("a: 0xA5", "0xA5"),
      ("a: 'it''s'", "it's"), ("a: \"\\x41\\u00e4\\n\"", "Aä\n"), ("a: A5 06 # check", "A5 06"),
      ("a: >\n  one\n  two\n", "one two\n"), ("a: |-\n  one\n  two\n", "one\ntwo"),
      ("a: one\n  two", "one two"),
      ("a: \"one\\\n  two\"", "onetwo"),
    ])
  func `a scalar is text, whatever YAML takes it for`(yaml: String, text: String) throws {
    #expect(try Self.parse(yaml)["a"]?.text == text)
  }

  @Test(
    arguments: [
      ("a: A5 06 O3", 10), ("a: \"A5 06 O3\"", 11), ("a: 'A5 06 O3'", 11), ("a:\n  A5 06 O3", 9),
      ("ä: A5 06 O3", 10),
    ])
  func `a place inside a scalar is a place in the file`(yaml: String, column: Int) throws {
    let value = try Self.parse(yaml).entries[0].value
    let line = value.range.start.line
    #expect(value.range(at: 6, length: 2) == SourceRange(line: line, column: column, length: 2))
  }

  @Test(arguments: ["a: \"A5\\x2006\"", "a: 'it''s 06'", "a: >\n  A5 06", "a: A5\n  06"])
  func `a place inside a scalar that is written differently is the whole scalar`(yaml: String) throws {
    let value = try Self.parse(yaml).entries[0].value
    #expect(value.range(at: 3) == value.range)
  }

  @Test(
    arguments: [
      ("a: &x 1\nb: *x", "1:4: anchors and aliases are not part of the language"),
      ("a: [1, *x]", "1:8: anchors and aliases are not part of the language"),
      ("a: &x [1]", "1:4: anchors and aliases are not part of the language"),
      ("a: &x { b: 1 }", "1:4: anchors and aliases are not part of the language"),
      ("&x a: 1", "1:1: anchors and aliases are not part of the language"),
      ("", "1:1: the file is empty"), ("# nothing\n", "1:1: the file is empty"),
      ("a: 1\n---\nb: 2", "2:1: a second document begins here"),
      ("a: 1\n...\nb: 2", "3:1: not valid YAML: did not find expected <document start>"),
      ("a:\n\tb: 1", "2:1: not valid YAML: found character that cannot start any token"),
      ("a: [1, 2", "1:4: the '[' that begins here has no ']'"),
      ("a: \"one\n", "1:4: the quote that begins here has no end"),
      ("a: b: c", "1:5: a colon and a space end a key"),
      ("a: 1\nb\nc: 2", "2:1: not valid YAML: could not find expected ':'"),
      ("a: \u{1}", "1:1: not readable as YAML: control characters are not allowed"),
      ("a: 1\n\nb: \u{7}", "3:1: not readable as YAML: control characters are not allowed"),
      ("a: \0", "1:1: not readable as YAML: control characters are not allowed"),
      ("a: @x", "1:4: not valid YAML: found character that cannot start any token"),
      ("%YAML 9.9\n---\na: 1", "1:1: not valid YAML: found incompatible YAML document"),
    ])
  func `what is no YAML of ours is refused with its place`(yaml: String, message: String) {
    let error = #expect(throws: Diagnostic.self) { try Self.parse(yaml) }
    let place = error.map { "\($0.range.start.line):\($0.range.start.column): \($0.message)" }
    #expect(place == message)
  }

  @Test(arguments: [
    ("a:\n\tb: 1", "indent with spaces, not tabs"),
    ("a: x\n\tb: 1", "indent with spaces, not tabs"),
    ("a: \"one\n", "close it at the end of the text"),
    ("a: one: two", "quote a text that contains them; a key has its own line"),
    ("a: @x", "quote a value that begins with @, ` or %"),
    ("a: 1\nb\nc: 2", "a key ends with a colon and a space; an item of a list begins with '- '"),
    ("a: { b: 1\n", "add it at the end"),
    ("a: { b: x y: 1 }", "quote a text that contains them; a key has its own line"),
    ("a: 1\n- b\n", "the keys of a mapping begin in one column"),
    ("- a\nb: 1\n", "the items of a list begin in one column, with '- '"),
  ])
  func `a common mistake comes with what to do about it`(yaml: String, hint: String) {
    let error = #expect(throws: Diagnostic.self) { try Self.parse(yaml) }
    #expect(error?.hint == hint)
  }

  /// Ten lines of which each holds the one before nine times unfold into 10^9 nodes.
  @Test func `a bomb of aliases does not go off`() {
    var yaml = "a0: &a0 [lol]\n"
    for level in 1..<10 {
      yaml +=
        "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
        + "]\n"
    }
    #expect(throws: Diagnostic.self) { try Self.parse(yaml) }
  }

  @Test func `nesting ends at 64`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "x" + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try Self.parse(nested(63)) }
    let error = #expect(throws: Diagnostic.self) { try Self.parse(nested(64)) }
    #expect(error?.message == "nested more than 64 levels deep")
    #expect(throws: Diagnostic.self) { try Self.parse(nested(400_000)) }
    #expect(throws: Diagnostic.self) { try Self.parse(String(repeating: "{a: ", count: 200_000)) }
    #expect(throws: Diagnostic.self) { try Self.parse(String(repeating: "- ", count: 200_000)) }
  }

  @Test func `a file has at most a mebibyte`() throws {
    let room = YAMLParser.maximumSize - "a: ''".utf8.count
    let text = String(repeating: "x", count: room)
    #expect(try Self.parse("a: '\(text)'")["a"]?.text?.utf8.count == room)
    let error = #expect(throws: Diagnostic.self) { try Self.parse("a: '\(text)x'") }
    #expect(error?.message == "the file has 1048577 bytes")
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
  func `a line ends where YAML ends it`(lineEnd: String) throws {
    let source = SourceText(name: "device.yaml", text: "# one\(lineEnd)a: 1\(lineEnd)b: 2")
    let root = try YAMLParser.parse(source)
    #expect(root["b"]?.range.start == SourcePosition(line: 3, column: 4))
    #expect(source.line(3) == "b: 2")
    #expect(source.line(1) == "# one")
    #expect(source.line(4) == "")
  }
}

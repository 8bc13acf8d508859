import Framing

/// Lays out a page in Markdown for a terminal: paragraphs wrap, tables have columns, and a link is its text with what opens its
/// target.
struct MarkdownPage {
  var width: Int
  var style = TextStyle.plain
  /// What opens the target of a link; nil: the link is its text alone.
  var reference: (String) -> String? = { _ in nil }

  /// Stands for a space in a reference, which does not break.
  private static let space: Character = "\u{A0}"

  func text(_ page: String) -> String {
    var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    var blocks: [String] = []
    while let line = lines.first {
      if line.hasPrefix("```") {
        lines.removeFirst()
        blocks.append(code(lines.takePrefix { !$0.hasPrefix("```") }, indent: 4))
        lines = lines.dropFirst()
      } else if line.hasPrefix("    ") {
        blocks.append(code(lines.takePrefix { $0.hasPrefix("    ") }, indent: 0))
      } else if line.hasPrefix("#") {
        blocks.append(style.mark(plain(line.drop { $0 == "#" || $0 == " " }), as: .heading) + "\n")
        lines.removeFirst()
      } else if line.hasPrefix("|") {
        blocks.append(table(lines.takePrefix { $0.hasPrefix("|") }))
      } else if let item = Self.item(line) {
        lines.removeFirst()
        let rest = lines.takePrefix { Self.isText($0) && Self.item($0) == nil }
        append(item: ([item.text] + rest).joined(separator: " "), item.sign, to: &blocks)
      } else if Self.isText(line) {
        let text = lines.takePrefix { Self.isText($0) && Self.item($0) == nil }.joined(separator: " ")
        blocks.append(Columns.wrapped(plain(text), indent: 0, width: width))
      } else {
        lines.removeFirst()
      }
    }
    return String(blocks.filter { !$0.isEmpty }.joined(separator: "\n").map { $0 == Self.space ? " " : $0 })
  }

  private static func isText(_ line: String) -> Bool {
    !line.allSatisfy { $0 == " " } && !["#", "|", "```", "<!--", "![", "---"].contains { line.hasPrefix($0) }
  }

  private func code(_ lines: [String], indent: Int) -> String {
    lines.map { String(repeating: " ", count: $0.isEmpty ? 0 : indent) + $0 + "\n" }.joined()
  }
}

// MARK: Lists

extension MarkdownPage {
  /// The sign and the text of a line that begins an item: `- ` or `1. `.
  private static func item(_ line: String) -> (sign: String, text: String)? {
    let start = line.prefix { $0 == " " }
    let rest = line.dropFirst(start.count)
    let sign = rest.hasPrefix("- ") ? "- " : rest.prefix { $0.isNumber } + ". "
    guard sign != ". ", rest.hasPrefix(sign) else { return nil }
    return (start + sign, String(rest.dropFirst(sign.count)))
  }

  /// Items follow each other without an empty line.
  private func append(item text: String, _ sign: String, to blocks: inout [String]) {
    let lines = Columns.wrapped(plain(text), indent: sign.count, width: width)
    let item = sign + lines.dropFirst(sign.count)
    guard let last = blocks.last, Self.item(last) != nil else { return blocks.append(item) }
    blocks[blocks.count - 1] += item
  }
}

// MARK: Text

extension MarkdownPage {
  /// Text without the signs of links and of stress. Code keeps its quotes.
  func plain(_ text: some StringProtocol) -> String {
    Self.plain(text) { reference($0).map { String($0.map { $0 == " " ? Self.space : $0 }) } }
  }

  /// - Parameter reference: what opens the target of a link. It follows the link's text.
  static func plain(_ text: some StringProtocol, reference: (String) -> String? = { _ in nil }) -> String {
    var rest = Substring(text)
    var plain = ""
    while let end = rest.firstIndex(of: "]") {
      let after = rest[rest.index(after: end)...]
      if after.first == "(", let last = after.firstIndex(of: ")"), let start = rest[..<end].lastIndex(of: "[")
      {
        let words = String(rest[rest.index(after: start)..<end])
        let opener = reference(String(after[after.index(after: after.startIndex)..<last]))
        plain += rest[..<start] + words + (opener.map { $0 == words ? "" : " (\($0))" } ?? "")
        rest = after[after.index(after: last)...]
      } else {
        plain += rest[...end]
        rest = after
      }
    }
    return (plain + rest).reduce(into: "") { text, character in
      if character == "*", text.last == "*" { text.removeLast() } else { text.append(character) }
    }
  }
}

extension StringProtocol {
  /// Without spaces at its end.
  var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension ArraySlice<String> {
  /// Takes the elements at the start that fulfil a condition.
  fileprivate mutating func takePrefix(while isWanted: (String) -> Bool) -> [String] {
    let taken = Array(prefix(while: isWanted))
    self = dropFirst(taken.count)
    return taken
  }
}

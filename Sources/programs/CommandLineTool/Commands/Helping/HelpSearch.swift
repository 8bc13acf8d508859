import Definitions
import Framing
import Glibc

/// Finds the sections, commands and bundled devices that mention all of the given words.
struct HelpSearch {
  /// Something that one command opens.
  struct Hit {
    let command: String
    /// The line that mentions the most words.
    let line: String
    /// How many of the words its heading has.
    let headings: Int
    /// How often it mentions the words.
    let count: Int
  }

  let words: [String]
  /// The best first.
  private(set) var hits: [Hit] = []
  /// The names of the bundled devices whose pages mention the words.
  private(set) var devices: [String] = []

  init(_ words: [String], in pages: HelpPages) throws(CommandError) {
    self.words = words.flatMap { $0.lowercased().split(separator: " ") }.map(String.init)
    for command in Command.all {
      take(
        "blemu help \(command.name)", command.summary,
        Help().text(for: command).split(separator: "\n").map(String.init))
    }
    for page in pages.reference {
      let sections = PageSection.all(of: try page.text())
      for section in sections {
        take(page.command(section: section.level > 1 ? section.anchor : nil), section.title, section.lines)
      }
    }
    for page in pages.all where page.isOfDevice {
      let text = try page.text().lowercased()
      if self.words.allSatisfy({ text.count(of: $0) > 0 }) { devices.append(page.name) }
    }
    // Equal ones keep their order.
    hits = hits.enumerated().sorted {
      ($1.element.headings, $1.element.count, $0.offset) < ($0.element.headings, $0.element.count, $1.offset)
    }.map(\.element)
  }

  /// - Parameter lines: its lines; the heading is the first.
  private mutating func take(_ command: String, _ heading: String, _ lines: [String]) {
    let lines = lines.filter { !Self.isContents($0) }
    let text = lines.joined(separator: " ").lowercased()
    let counts = words.map(text.count)
    guard counts.allSatisfy({ $0 > 0 }) else { return }
    let line = lines.dropFirst().map { ($0, number(in: $0)) }.reduce((lines[0], 0)) { $1.1 > $0.1 ? $1 : $0 }
      .0
    hits.append(
      Hit(command: command, line: Self.plain(line), headings: number(in: heading), count: counts.reduce(0, +))
    )
  }

  /// Whether a line leads to sections of its page, at the top.
  private static func isContents(_ line: String) -> Bool {
    line.count(of: "](#") > 0 && (line.hasPrefix("[") || line.hasPrefix("- "))
  }

  /// How many of the words a text has.
  private func number(in text: String) -> Int {
    let text = text.lowercased()
    return words.count { text.count(of: $0) > 0 }
  }

  /// A line without the signs of Markdown.
  private static func plain(_ line: String) -> String {
    let cells =
      line.hasPrefix("|") ? line.split(separator: "|").map { $0.drop { $0 == " " }.trimmed } : [line]
    return MarkdownPage.plain(cells.joined(separator: "  ").drop { "#- ".contains($0) })
  }

  /// The hits for the terminal, or why there are none.
  func text(width: Int) throws(CommandError) -> String {
    guard !hits.isEmpty || !devices.isEmpty else {
      throw CommandError(
        .noDefinition, "no command or page mentions '\(words.joined(separator: " "))'",
        "try fewer words or a part of one; 'blemu help guide' and 'blemu help language' list the pages")
    }
    let rows = hits.map { "\($0.command)\n    \($0.line.shortened(to: width - 4, around: words))\n" }
    let names = Columns.wrapped(devices.joined(separator: ", "), indent: 4, width: width)
    return rows.joined() + (devices.isEmpty ? "" : "blemu help DEVICE\n" + names)
  }
}

extension String {
  /// How often another text is in this one.
  fileprivate func count(of other: String) -> Int {
    withCString { text in
      other.withCString { other in
        var (count, rest) = (0, strstr(text, other))
        while let place = rest {
          count += 1
          rest = strstr(place + 1, other)
        }
        return count
      }
    }
  }

  /// At most `width` characters of it, in whole words, with one of `others` among them.
  fileprivate func shortened(to width: Int, around others: [String]) -> String {
    var words = split(separator: " ")[...]
    func size() -> Int { words.reduce(words.count - 1) { $0 + $1.count } }
    var (start, end) = ("", "")
    while size() + start.count + end.count > width, words.count > 1 {
      let place =
        words.firstIndex { word in others.contains { word.lowercased().count(of: $0) > 0 } }
        ?? words.startIndex
      if words.endIndex - place > place - words.startIndex + 1 {
        words.removeLast()
        end = " …"
      } else {
        words.removeFirst()
        start = "… "
      }
    }
    return start + words.joined(separator: " ") + end
  }
}

/// A heading of a page in Markdown, and what follows it up to the next heading.
struct PageSection {
  /// 1 for the title of the page.
  let level: Int
  let title: String
  /// The name that links have for it.
  let anchor: String
  /// The heading first.
  fileprivate(set) var lines: [String]

  static func all(of page: String) -> [PageSection] {
    var sections: [PageSection] = []
    var counts: [String: Int] = [:]
    var isCode = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#") else {
        if !sections.isEmpty { sections[sections.count - 1].lines.append(line) }
        continue
      }
      let level = line.prefix { $0 == "#" }.count
      let title = MarkdownPage.plain(line.dropFirst(level)).trimmed
      let anchor = anchor(of: title)
      let count = counts[anchor, default: 0]
      counts[anchor] = count + 1
      sections.append(
        PageSection(
          level: level, title: String(title.drop { $0 == " " }),
          anchor: count == 0 ? anchor : "\(anchor)-\(count)", lines: [line]))
    }
    return sections
  }

  /// The anchor that GitHub gives a heading: in lower case, hyphens for spaces, and no punctuation.
  static func anchor(of title: String) -> String {
    let words = title.lowercased().split(separator: " ").joined(separator: "-")
    return words.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Its text, with that of the sections within it.
  func whole(of sections: [PageSection]) -> String {
    let rest = sections.drop { $0.anchor != anchor }
    let inner = rest.dropFirst().prefix { $0.level > level }
    return ([self] + inner).flatMap(\.lines).joined(separator: "\n")
  }
}

extension MarkdownPage {
  /// The first heading.
  static func title(of page: String) -> String {
    plain(page.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " })
  }

  /// The paragraph after the title, in one line.
  static func summary(of page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().drop { $0.isEmpty }
    return plain(lines.prefix { !$0.isEmpty }.joined(separator: " "))
  }
}

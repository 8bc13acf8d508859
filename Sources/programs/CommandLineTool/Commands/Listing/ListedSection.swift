import Definitions
import Framing

/// A group of bundled definitions in a list.
struct ListedSection {
  /// The name of its folder, as in `serial-modules`.
  var group: String
  var entries: [ListedDefinition]

  /// The groups in order.
  static func all(of library: DefinitionLibrary) -> [ListedSection] {
    library.groups.map { group in
      ListedSection(
        group: group.name, entries: group.definitions.map { library.listed($0, in: group) })
    }
  }

  /// The entries with `word` in their name, summary or group; nil if there are none.
  func matching(_ word: String) -> ListedSection? {
    if title.hasWord(word) || group.hasWord(word) { return self }
    let entries = entries.filter { $0.has(word) }
    return entries.isEmpty ? nil : ListedSection(group: group, entries: entries)
  }

  /// `Serial modules`
  var title: String {
    let words = group.replacing("-", by: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  func text(column: Int, width: Int?, _ style: TextStyle = .plain) -> String {
    style.mark(title, as: .heading) + "\n"
      + entries.map { Columns.row($0.name, $0.summary, indent: 2, column: column, width: width) }.joined()
  }

  /// One object a line.
  static func json(_ sections: [ListedSection]) -> String {
    sections.flatMap { section in section.entries.map { $0.json(group: section.group).line + "\n" } }.joined()
  }
}

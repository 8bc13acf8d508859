import DefinitionWriter
import Framing

extension LearntDefinition {
  /// The definition as a file, after comments that say where it comes from.
  package var text: String {
    let comments = origin.map { "# \(VisibleText.escape($0))\n" }.joined()
    return comments + (comments.isEmpty ? "" : "\n") + DefinitionWriter.text(of: sections)
  }

  private var sections: [YAMLValue.Entry] {
    var sections: [YAMLValue.Entry] = [.init("blemu", .number(1)), .init("name", .text(name))]
    if !summary.isEmpty { sections.add("summary", .text(summary)) }
    sections.add("settings", Self.section(settings))
    sections.add("variables", Self.section(variables))
    sections.add("generators", Self.section(generators))
    sections.add("advertisement", advertisement)
    sections.add("link", link)
    sections.add("security", security)
    sections.add("services", services)
    sections.add("framing", Self.section(framing))
    sections.add("messages", Self.section(messages))
    sections.add("data", Self.section(data))
    if !rules.isEmpty { sections.add("rules", .list(rules, .block)) }
    return sections
  }

  private static func section(_ entries: [YAMLValue.Entry]) -> YAMLValue? {
    entries.isEmpty ? nil : .map(entries, .block)
  }
}

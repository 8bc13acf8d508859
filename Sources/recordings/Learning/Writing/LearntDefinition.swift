import DefinitionWriter

/// The sections of a definition that is being learnt. Each part of the learning adds entries; ``text`` orders them.
package struct LearntDefinition: Hashable, Sendable {
  package var name: String
  package var summary: String
  /// Where it comes from, and what a reader must know: lines of comments at the start of the file.
  package var origin: [String] = []
  /// Entries of the sections with named entries, in order.
  package var settings: [YAMLValue.Entry] = []
  package var variables: [YAMLValue.Entry] = []
  package var generators: [YAMLValue.Entry] = []
  package var data: [YAMLValue.Entry] = []
  package var framing: [YAMLValue.Entry] = []
  package var messages: [YAMLValue.Entry] = []
  package var rules: [YAMLValue] = []
  /// Whole sections.
  package var advertisement: YAMLValue?
  package var link: YAMLValue?
  package var security: YAMLValue?
  package var services: YAMLValue?
  /// Files beside the definition.
  package var dataFiles: [WrittenDefinition.DataFile] = []
  package var evidence: [Evidence] = []

  package init(name: String, summary: String) { (self.name, self.summary) = (name, summary) }
}

/// A definition's text, and the folder of its other files.
package struct DefinitionFile {
  /// The name that a person would use. Diagnostics print it, and it identifies the file.
  package var name: String
  package var text: String
  package var folder: any DefinitionFolder

  package init(name: String, text: String, folder: any DefinitionFolder) {
    self.name = name
    self.text = text
    self.folder = folder
  }
}

/// The definitions that come with the program, which others may extend by their names.
package protocol BundledDefinitions {
  var names: [String] { get }
  /// The definition with this name; nil if there is none.
  func file(named name: String) throws(FileError) -> DefinitionFile?
}

/// A library without definitions.
package struct NoBundledDefinitions: BundledDefinitions {
  package let names: [String] = []

  package init() {}

  package func file(named name: String) -> DefinitionFile? { nil }
}

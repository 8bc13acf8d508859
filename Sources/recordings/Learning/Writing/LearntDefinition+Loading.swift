import DefinitionWriter
import Definitions

extension LearntDefinition {
  /// Checks the text, as `blemu check` does once it is in a file.
  ///
  /// - Parameter file: the name of the file for diagnostics.
  package func loaded(as file: String) -> LoadedDefinition {
    DefinitionLoader.load(SourceText(name: file, text: text), folder: LearntFolder(files: dataFiles))
  }
}

/// The data files beside a definition that is in no folder yet.
private struct LearntFolder: DefinitionFolder {
  let files: [WrittenDefinition.DataFile]

  var names: [String] { files.map(\.name) }

  func read(_ name: String) throws(FileError) -> String {
    if let file = files.first(where: { $0.name == name }) { return file.text }
    throw FileError(message: "there is no file '\(name)'")
  }

  func displayName(of name: String) -> String { name }
}

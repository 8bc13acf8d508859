import Definitions

/// A folder of files in memory.
package struct MemoryFolder: DefinitionFolder {
  /// The texts of the files, by name.
  package var files: [String: String]
  /// The prefix of file names in diagnostics.
  private let path: String
  /// The text of every other data file; nil if there are none.
  private let otherData: String?

  package init(files: [String: String], path: String = "", otherData: String? = nil) {
    self.files = files
    self.path = path
    self.otherData = otherData
  }

  package var names: [String] { files.keys.sorted() }

  package func displayName(of name: String) -> String { path + name }

  package func read(_ name: String) throws(FileError) -> String {
    if let text = files[name] { return text }
    if let otherData, name.hasSuffix(".csv") { return otherData }
    throw FileError(message: "no file '\(name)'")
  }
}

import Glibc

/// A definition's text, and the folder of its other files.
package struct DefinitionFile {
  /// The name that a person would use. Diagnostics print it, and it tells the file from others.
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
  /// The definition of this name; nil where there is none.
  func file(named name: String) throws(FileError) -> DefinitionFile?
}

/// A library without definitions.
package struct NoBundledDefinitions: BundledDefinitions {
  package let names: [String] = []

  package init() {}

  package func file(named name: String) -> DefinitionFile? { nil }
}

/// A folder on the disk with a folder for each definition, `NAME/NAME.yaml`.
package struct DiskLibrary: BundledDefinitions {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// In order.
  package var names: [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if has(name) { names.append(name) }
    }
    return names.sorted()
  }

  package func has(_ name: String) -> Bool {
    var status = stat()
    return !name.contains("/") && stat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  package func path(of name: String) -> String { "\(folder)/\(name)/\(name).yaml" }

  package func file(named name: String) throws(FileError) -> DefinitionFile? {
    guard has(name) else { return nil }
    let path = path(of: name)
    return DefinitionFile(name: path, text: try TextFile.read(path), folder: DiskFolder(of: path))
  }
}

import Glibc

/// A folder on the disk with a folder for each group, and in it one for each definition: `GROUP/NAME/NAME.yaml`.
package struct DiskLibrary: BundledDefinitions {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// The groups that have definitions, in order.
  package var groups: [DefinitionGroup] {
    Self.entries(of: folder).compactMap { group in
      let names = Self.entries(of: "\(folder)/\(group)").filter { has($0, in: group) }
      return names.isEmpty ? nil : DefinitionGroup(name: group, definitions: names)
    }
  }

  /// The names of all definitions, in order.
  package var names: [String] { groups.flatMap(\.definitions).sorted() }

  /// The path of the definition of this name; nil where there is none.
  package func path(of name: String) -> String? {
    guard !name.contains("/") else { return nil }
    return Self.entries(of: folder).first { has(name, in: $0) }.map { path(of: name, in: $0) }
  }

  package func file(named name: String) throws(FileError) -> DefinitionFile? {
    guard let path = path(of: name) else { return nil }
    return DefinitionFile(name: path, text: try TextFile.read(path), folder: DiskFolder(of: path))
  }
}

// MARK: Files

extension DiskLibrary {
  private func path(of name: String, in group: String) -> String { "\(folder)/\(group)/\(name)/\(name).yaml" }

  private func has(_ name: String, in group: String) -> Bool {
    var status = stat()
    return stat(path(of: name, in: group), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The sorted names in a folder, without those that begin with a dot; empty if there is no folder.
  private static func entries(of folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

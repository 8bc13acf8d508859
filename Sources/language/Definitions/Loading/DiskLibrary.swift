/// A folder on the disk with a folder for each group, and in it one for each definition: `GROUP/NAME/NAME.yaml`.
package struct DiskLibrary: BundledDefinitions {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// The groups that have definitions, in order.
  package var groups: [DefinitionGroup] {
    FileSystem.entries(of: folder).compactMap { group in
      let names = FileSystem.entries(of: "\(folder)/\(group)").filter { has($0, in: group) }
      return names.isEmpty ? nil : DefinitionGroup(name: group, definitions: names)
    }
  }

  /// The names of all definitions, in order.
  package var names: [String] { groups.flatMap(\.definitions).sorted() }

  /// The path of the definition with this name; nil if there is none.
  package func path(of name: String) -> String? {
    guard !name.contains("/") else { return nil }
    return FileSystem.entries(of: folder).first { has(name, in: $0) }.map { path(of: name, in: $0) }
  }

  package func file(named name: String) throws(FileError) -> DefinitionFile? {
    guard let path = path(of: name) else { return nil }
    return DefinitionFile(name: path, text: try TextFile.read(path), folder: DiskFolder(of: path))
  }
}

// MARK: Files

extension DiskLibrary {
  package func path(of name: String, in group: String) -> String { "\(folder)/\(group)/\(name)/\(name).yaml" }

  private func has(_ name: String, in group: String) -> Bool {
    FileSystem.isFile(path(of: name, in: group))
  }
}

/// The files of a definition: itself, those that it extends, and their data files.
struct DefinitionFiles {
  /// Each at its ``SourceText/id``.
  private(set) var sources: [SourceText] = []
  /// The folder of each source that is a definition; nil for a data file.
  private var folders: [(any DefinitionFolder)?] = []
  private var data: [String: SourceText] = [:]
  private var dataSize = 0

  /// Adds a definition.
  mutating func add(_ file: DefinitionFile) -> SourceText {
    append(file.name, file.text, file.folder)
  }

  /// The folder of the definition in which this range lies.
  func folder(of range: SourceRange) -> any DefinitionFolder {
    guard let folder = folders[range.source.index] else { preconditionFailure("only definitions name files") }
    return folder
  }

  /// Whether a source is a definition that the definition extends.
  func isBase(_ source: SourceID) -> Bool { source != .main && folders[source.index] != nil }

  /// Reads a data file that is named at `range`, from the folder of that definition.
  mutating func read(_ name: String, namedAt range: SourceRange) throws(FileError) -> SourceText {
    let folder = folder(of: range)
    let displayName = folder.displayName(of: name)
    if let source = data[displayName] { return source }
    let text = try folder.read(name)
    dataSize += text.utf8.count
    guard dataSize <= TextFile.maximumSize else {
      throw FileError(.tooMuchData(most: TextFile.maximumSize))
    }
    let source = append(displayName, text, nil)
    data[displayName] = source
    return source
  }

  /// The text of the face: the definition's own, or that of the definition that it extends; nil: there is none that can be
  /// read.
  var face: String? {
    for (source, folder) in zip(sources, folders) {
      guard let folder, let path = LoadedDefinition.face(beside: source.name) else { continue }
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      if let text = try? folder.read(name) { return text }
    }
    return nil
  }

  /// The texts of the transcripts next to the definitions, without those that cannot be read.
  var transcripts: [String] {
    folders.compactMap(\.self).flatMap { folder in
      folder.names.filter { $0.hasSuffix(".transcript") }.compactMap { try? folder.read($0) }
    }
  }

  private mutating func append(
    _ name: String, _ text: String, _ folder: (any DefinitionFolder)?
  ) -> SourceText {
    let source = SourceText(name: name, text: text, id: SourceID(index: sources.count))
    sources.append(source)
    folders.append(folder)
    return source
  }
}

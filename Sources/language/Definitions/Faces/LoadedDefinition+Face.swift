extension LoadedDefinition {
  /// The path of its face, an SVG in the same folder with the same name; otherwise the face of the definition that it
  /// extends. nil: there is none.
  package var face: String? {
    for file in files {
      if let path = Self.face(beside: file), FileSystem.isFile(path) { return path }
    }
    return nil
  }

  static func face(beside file: String) -> String? {
    for ending in [".yaml", ".yml"] where file.hasSuffix(ending) {
      return file.dropLast(ending.count) + ".svg"
    }
    return nil
  }
}

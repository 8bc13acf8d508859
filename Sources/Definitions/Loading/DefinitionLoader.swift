/// What reading a definition file has come to.
package struct LoadedDefinition: Sendable {
  /// nil when there are errors.
  package var definition: PeripheralDefinition?
  /// Errors and warnings, in the order of the file.
  package var diagnostics: [Diagnostic]
  package var renderer: DiagnosticRenderer

  /// For people.
  package var report: String { renderer.render(diagnostics) }
  /// For programs.
  package var json: String { renderer.json(diagnostics) }
}

/// Reads definition files.
package enum DefinitionLoader {
  /// Reads and checks a file.
  ///
  /// - Throws: when there is no such file or it is no text; what is wrong inside is in the result.
  package static func load(path: String) throws(FileError) -> LoadedDefinition {
    load(SourceText(name: path, text: try TextFile.read(path)), folder: DiskFolder(of: path))
  }

  /// Checks a text, with its other files from `folder`.
  package static func load(_ source: SourceText, folder: any DefinitionFolder) -> LoadedDefinition {
    let log = DiagnosticLog()
    let root: YAMLNode
    do {
      root = try YAMLParser.parse(source)
    } catch {
      return LoadedDefinition(diagnostics: [error], renderer: DiagnosticRenderer(source))
    }
    ShapeChecker(log: log).check(root, against: .object(Language.root))
    let decoder = DefinitionDecoder(root, log: log, folder: folder)
    decoder.decode()
    return LoadedDefinition(
      definition: log.hasErrors ? nil : decoder.definition, diagnostics: log.sorted,
      renderer: DiagnosticRenderer(source, others: decoder.otherSources))
  }
}

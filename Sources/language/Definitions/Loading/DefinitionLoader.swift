import DeviceModel
import Framing

/// The result of reading a definition file.
package struct LoadedDefinition: Sendable {
  /// nil if there are errors.
  package var definition: PeripheralDefinition?
  /// Errors and warnings in the order of the file, then notes. Warnings and notes about a definition that it extends are
  /// for the author of that.
  package var diagnostics: [Diagnostic]
  package var renderer: DiagnosticRenderer
  /// The names of its files: itself, those that it extends, and their data files; empty if it cannot
  /// be read.
  package var files: [String] = []

  /// For people.
  package var report: String { report(.plain) }
  package func report(_ style: TextStyle) -> String { renderer.styled(style).render(diagnostics) }
  /// For programs.
  package var json: String { renderer.json(diagnostics) }
}

/// Reads definition files.
package enum DefinitionLoader {
  /// Reads and checks a file.
  ///
  /// - Parameters:
  ///   - bundled: the definitions that it may extend by name.
  ///   - transports: the limits of the transports that will serve it.
  /// - Throws: if the file does not exist or is not text. Mistakes in the file are in the result.
  package static func load(
    path: String, bundled: any BundledDefinitions = NoBundledDefinitions(),
    for transports: [any TransportLimits] = []
  ) throws(FileError) -> LoadedDefinition {
    do {
      let file = DefinitionFile(name: path, text: try TextFile.read(path), folder: DiskFolder(of: path))
      return load(file, bundled: bundled, for: transports)
    } catch {
      return try result(of: error, path)
    }
  }

  /// Checks the standard input; its other files are in the current folder.
  package static func loadStandardInput(
    bundled: any BundledDefinitions, for transports: [any TransportLimits]
  ) throws(FileError) -> LoadedDefinition {
    let name = "<stdin>"
    do {
      let text = try TextFile.readStandardInput(as: name)
      let file = DefinitionFile(name: name, text: text, folder: DiskFolder(of: name))
      return load(file, bundled: bundled, for: transports)
    } catch {
      return try result(of: error, name)
    }
  }

  /// The name and the summary of a definition, for lists; nil if there are mistakes before them. The rest of the file is not
  /// checked.
  package static func title(
    path: String, bundled: any BundledDefinitions
  ) -> (name: String, summary: String)? {
    guard let text = try? TextFile.read(path) else { return nil }
    let keys = Language.Definition.outline.keys
    var tree = DefinitionTree(bundled: bundled, log: DiagnosticLog())
    let file = DefinitionFile(name: path, text: text, folder: DiskFolder(of: path))
    let texts = try? tree.texts(under: [keys.name.name, keys.summary.name], of: file)
    guard let name = texts?[keys.name.name] else { return nil }
    return (name, texts?[keys.summary.name] ?? "")
  }

  /// The mistake in a file that is not text.
  private static func result(of error: FileError, _ name: String) throws(FileError) -> LoadedDefinition {
    guard let bad = error.badText else { throw error }
    let source = SourceText(name: name, text: bad.text)
    return LoadedDefinition(
      diagnostics: [bad.diagnostic(in: source)], renderer: DiagnosticRenderer([source]))
  }

  /// Checks a text, with its other files from `folder`.
  package static func load(_ source: SourceText, folder: any DefinitionFolder) -> LoadedDefinition {
    load(
      DefinitionFile(name: source.name, text: source.text, folder: folder), bundled: NoBundledDefinitions())
  }

  /// Checks a definition that has been read.
  ///
  /// - Parameters:
  ///   - bundled: the definitions that it may extend by name.
  ///   - transports: the limits of the transports that will serve it.
  package static func load(
    _ file: DefinitionFile, bundled: any BundledDefinitions, for transports: [any TransportLimits] = []
  ) -> LoadedDefinition {
    let log = DiagnosticLog()
    var tree = DefinitionTree(bundled: bundled, log: log)
    let root: YAMLNode
    do { root = try tree.read(file) } catch {
      return LoadedDefinition(diagnostics: [error], renderer: DiagnosticRenderer(tree.files.sources))
    }
    ShapeChecker(log: log).check(root, against: .object { Language.root })
    let decoder = DefinitionDecoder(root, files: &tree.files, log: log)
    // If a mistake hides attributes, the handles of the others are unknown.
    let hasHandles = !log.gaps.hasGap(in: Language.Definition.outline.keys.services)
    for limits in transports where !log.isClosed {
      for finding in limits.check(decoder.device) where hasHandles || !finding.place.isHandle {
        log.report(decoder.places.diagnostic(of: finding))
      }
    }
    return LoadedDefinition(
      definition: log.hasErrors ? nil : decoder.device,
      diagnostics: log.sorted.filter { $0.severity == .error || !tree.files.isBase($0.range.source) },
      renderer: DiagnosticRenderer(tree.files.sources), files: tree.files.sources.map(\.name))
  }
}

extension DefinitionPlace {
  fileprivate var isHandle: Bool { if case .handle = self { true } else { false } }
}

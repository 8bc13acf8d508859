import DeviceModel
import Framing

/// A stand's file, and the mistakes in it.
package struct StandFile {
  package let path: String
  /// nil: the file cannot be read as a stand, which has been reported.
  package let stand: Stand?
  private let source: SourceText
  private let log = DiagnosticLog()

  /// Reads a file.
  ///
  /// - Throws: if there is no such file. Mistakes in it are in the ``diagnostics``.
  package init(path: String) throws(FileError) {
    do {
      self.init(SourceText(name: path, text: try TextFile.read(path)))
    } catch {
      guard let bad = error.badText else { throw error }
      self.init(bad, of: path)
    }
  }

  package init(_ source: SourceText) {
    (path, self.source) = (source.name, source)
    do {
      let root = try YAMLParser.parse(source)
      ShapeChecker(log: log).check(root, against: .object { Language.stand })
      stand = Stand(Node<Language.Stand>(root))
    } catch {
      log.report(error.ofStand)
      stand = nil
    }
  }

  private init(_ bad: BadText, of path: String) {
    self.path = path
    source = SourceText(name: path, text: bad.text)
    stand = nil
    log.report(bad.diagnostic(in: source))
  }

  /// Whether a text is a stand's and not a definition's.
  package static func isStand(_ text: String) -> Bool {
    var (isStand, rest) = (false, text.utf8[...])
    while !rest.isEmpty {
      if rest.starts(with: "blemu:".utf8) { return false }
      isStand = isStand || rest.starts(with: "stand:".utf8)
      rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.dropFirst()
    }
    return isStand
  }
}

// MARK: Mistakes

extension StandFile {
  package var diagnostics: [Diagnostic] { log.sorted }

  package var hasErrors: Bool { log.hasErrors }

  /// For people.
  package func report(_ style: TextStyle = .plain) -> String {
    DiagnosticRenderer([source], style).render(diagnostics)
  }

  /// For programs.
  package var json: String { DiagnosticRenderer([source]).json(diagnostics) }

  /// - Parameter notes: explanations, a line each.
  package func report(_ mistake: Mistake, at range: SourceRange, notes: [String] = []) {
    log.error(mistake, at: range, notes: notes)
  }

  /// Reads the faults of a device.
  package func faults(_ texts: [Scalar], of definition: PeripheralDefinition) -> [Fault] {
    texts.compactMap { log.fault($0, of: definition) }
  }
}

extension Diagnostic {
  /// The mistake of an empty file has a hint about definitions.
  fileprivate var ofStand: Diagnostic {
    var diagnostic = self
    if message == Mistake.emptyDefinition.message { diagnostic.hint = "begin with 'stand: NAME'" }
    return diagnostic
  }
}

import DeviceModel
import Framing

/// The face of a device: an SVG whose texts, colours and shapes are bound to values, and the mistakes in the bindings.
package struct FaceFile {
  private let source: SourceText
  private let log = DiagnosticLog()

  /// - Parameters:
  ///   - size: the largest file that the page draws, bytes.
  ///   - definition: the device's.
  /// - Throws: when there is no such file, or it is larger. Mistakes in it are in the ``diagnostics``.
  package init(path: String, atMost size: Int, of definition: PeripheralDefinition) throws(FileError) {
    self.init(SourceText(name: path, text: try TextFile.read(path, atMost: size)), of: definition)
  }

  package init(_ source: SourceText, of definition: PeripheralDefinition) {
    self.source = source
    let checker = FaceChecker(definition, log)
    let (attributes, root, mistake) = XMLScanner.read(source)
    for attribute in attributes { checker.check(attribute) }
    if let root { checker.check(root: root) }
    if let mistake { log.report(mistake) }
  }

  package var diagnostics: [Diagnostic] { log.sorted }

  /// For people.
  package func report(_ style: TextStyle = .plain) -> String {
    DiagnosticRenderer([source], style).render(diagnostics)
  }

  /// For programs.
  package var json: String { DiagnosticRenderer([source]).json(diagnostics) }
}

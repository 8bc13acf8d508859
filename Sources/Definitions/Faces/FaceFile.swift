import DeviceModel
import Framing

/// The face of a device: an SVG whose texts, colours and shapes are bound to values, and what is wrong with the bindings.
package struct FaceFile {
  private let source: SourceText
  private let log = DiagnosticLog()

  /// - Parameter definition: the device's.
  /// - Throws: when there is no such file. Mistakes in it are in the ``diagnostics``.
  package init(path: String, of definition: PeripheralDefinition) throws(FileError) {
    self.init(SourceText(name: path, text: try TextFile.read(path)), of: definition)
  }

  package init(_ source: SourceText, of definition: PeripheralDefinition) {
    self.source = source
    let checker = FaceChecker(definition, log)
    do {
      for attribute in try SVGScanner.attributes(of: source) { checker.check(attribute) }
    } catch {
      log.report(error)
    }
  }

  package var diagnostics: [Diagnostic] { log.sorted }

  /// For people.
  package func report(_ style: TextStyle = .plain) -> String {
    DiagnosticRenderer([source], style).render(diagnostics)
  }

  /// For programs.
  package var json: String { DiagnosticRenderer([source]).json(diagnostics) }
}

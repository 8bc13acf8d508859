import Definitions
import DeviceModel
import Devices
import Doctor
import Glibc

/// A definition, and what `blemu check` finds in it for a transport.
struct ExaminedDefinition {
  let definition: PeripheralDefinition
  private(set) var findings: [MachineFinding] = []

  init(_ name: String, for transport: TransportSpecification) throws(CommandError) {
    let library = DefinitionLibrary.ofThisProgram()
    let loaded = try library.load(path: library.find(name), for: transport.limits)
    guard let definition = loaded.definition else {
      Terminal.printError(loaded.report(Terminal.style(of: STDERR_FILENO)))
      throw .badDefinition
    }
    self.definition = definition
    let notes = loaded.diagnostics.count { $0.severity == .note }
    findings = loaded.diagnostics.filter { $0.severity != .note }.map { diagnostic in
      .definitionRemark(
        DefinitionRemark(
          level: .note, place: "\(loaded.renderer.name(of: diagnostic)):\(diagnostic.range.start.line)",
          message: diagnostic.message, hint: diagnostic.hint))
    }
    if notes > 0 {
      let command = "check --on \(transport.word) \(ShellText.quoted(name))"
      findings.append(.definitionNotes(count: notes, command: command))
    }
    if findings.isEmpty { findings = [.definitionFits(name: definition.name)] }
  }
}

extension TransportSpecification {
  /// The word of `--on`, without an adapter.
  fileprivate var word: String {
    switch self {
    case .bluez: "bluez"
    case .exact, .controller: "exact"
    case .loopback: "loopback"
    }
  }
}

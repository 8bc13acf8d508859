import Definitions
import DeviceModel
import Devices
import Glibc

/// Reads a definition, prints its mistakes, and sets its settings.
extension DefinitionChoice {
  /// - Parameters:
  ///   - assignments: `NAME=VALUE`, as after `--set`.
  ///   - transport: the transport that will serve the device.
  ///   - printsWarnings: whether to print the warnings of a definition without errors.
  init(
    _ text: String, assignments: [String], on transport: TransportSpecification,
    library: DefinitionLibrary = .ofThisProgram(), printsWarnings: Bool = true
  ) throws(CommandError) {
    let path = try library.find(text)
    let loaded = try library.load(path: path, for: transport.limits)
    let isPrinted = loaded.definition == nil || (printsWarnings && loaded.hasWarnings)
    if isPrinted { Terminal.printError(loaded.report(Terminal.style(of: STDERR_FILENO))) }
    guard let definition = loaded.definition else { throw .badDefinition }
    self.init(
      definition, path: path, face: loaded.face, chosen: try Self.chosen(of: definition, assignments))
  }

  /// - Parameter face: the path of its face, relative to any folder.
  init(_ definition: PeripheralDefinition, path: String, face: String?, chosen: [Int: Value]) {
    self.init(
      definition, path: path, face: face.flatMap(FileSystem.resolved), chosen: chosen,
      reference: { DefinitionLibrary.ofThisProgram().reference(to: path) })
  }

  /// The values of `NAME=VALUE`, by index in the definition.
  static func chosen(
    of definition: PeripheralDefinition, _ assignments: [String]
  ) throws(CommandError) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else {
        throw .badValue(
          option: "--set", value: assignment, expected: "NAME=VALUE, as in --set local-name=Demo")
      }
      let name = String(assignment[..<equals])
      guard let index = definition.settings.firstIndex(where: { $0.name == name }) else {
        throw .unknownSetting(name, known: definition.settings.map(\.name))
      }
      do {
        values[index] = try definition.settings[index].kind.parse(String(assignment[equals...].dropFirst()))
      } catch {
        throw .badSetting(name, problem: error.message)
      }
    }
    return values
  }
}

extension LoadedDefinition {
  /// Whether there is more than notes.
  fileprivate var hasWarnings: Bool { diagnostics.contains { $0.severity != .note } }
}

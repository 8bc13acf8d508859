import Definitions
import DeviceModel

/// Reads the definition that a person named, prints what is wrong with it, and chooses its settings.
struct DefinitionChoice {
  let definition: PeripheralDefinition
  let path: String
  /// The settings that were chosen, by index in the definition.
  private let chosen: [Int: Value]

  /// One value for each of the definition's settings.
  var settings: [Value] { settings(over: [:]) }

  /// One value for each of the definition's settings: the chosen one, else one of `kept`, else the default.
  func settings(over kept: [Int: Value]) -> [Value] {
    definition.settings.indices.map { chosen[$0] ?? kept[$0] ?? definition.settings[$0].initial }
  }

  /// - Parameters:
  ///   - assignments: `NAME=VALUE`, as after `--set`.
  ///   - transport: what is to serve it.
  ///   - printsWarnings: Whether to print what a definition without errors may do better.
  init(
    _ text: String, assignments: [String], on transport: TransportSpecification,
    library: DefinitionLibrary = .ofThisProgram(), printsWarnings: Bool = true
  ) throws(CommandError) {
    path = try library.find(text)
    let loaded = try library.load(path: path, for: transport.limits)
    let isPrinted = loaded.definition == nil || (printsWarnings && !loaded.diagnostics.isEmpty)
    if isPrinted { Terminal.printError(loaded.report) }
    guard let definition = loaded.definition else { throw .badDefinition }
    self.definition = definition
    chosen = try Self.chosen(of: definition, assignments)
  }

  private static func chosen(
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

import DeviceModel

/// A definition with the settings that a device starts with.
package struct DefinitionChoice: Sendable {
  package let definition: PeripheralDefinition
  /// The definition's file.
  package let path: String
  /// The whole path of its face; nil: it has none.
  package let face: String?
  /// Looks up how transcripts call the definition: the name of a bundled one, otherwise the file's path.
  let reference: @Sendable () -> String
  /// The settings that have been chosen, by index in the definition.
  private let chosen: [Int: Value]

  package init(
    _ definition: PeripheralDefinition, path: String, face: String?, chosen: [Int: Value],
    reference: @escaping @Sendable () -> String
  ) {
    (self.definition, self.path, self.face, self.chosen) = (definition, path, face, chosen)
    self.reference = reference
  }

  /// One value for each of the definition's settings.
  package var settings: [Value] { settings(over: [:]) }

  /// One value for each of the definition's settings: the chosen one, otherwise that of `kept`, otherwise the default.
  package func settings(over kept: [Int: Value]) -> [Value] {
    definition.settings.indices.map { chosen[$0] ?? kept[$0] ?? definition.settings[$0].initial }
  }

  /// The same with this definition, which has the same settings.
  func with(_ definition: PeripheralDefinition) -> DefinitionChoice {
    DefinitionChoice(definition, path: path, face: face, chosen: chosen, reference: reference)
  }

  /// The same with these settings, by index in the definition.
  package func with(_ settings: [Int: Value]) -> DefinitionChoice {
    DefinitionChoice(definition, path: path, face: face, chosen: settings, reference: reference)
  }
}

/// Bundled definitions of similar devices.
package struct DefinitionGroup: Equatable, Sendable {
  /// The name of its folder: `serial-modules`.
  package var name: String
  /// The names of its definitions, in order.
  package var definitions: [String]

  package init(name: String, definitions: [String]) {
    self.name = name
    self.definitions = definitions
  }

  /// The name as a heading: `Serial modules`.
  package var title: String {
    name.prefix(1).uppercased() + name.dropFirst().split(separator: "-").joined(separator: " ")
  }
}

import DeviceModel

/// What a transport cannot serve of a definition that is otherwise right, or serves otherwise than the file says.
package protocol TransportRules: Sendable {
  /// Reports it, each mistake at its place.
  func check(_ file: ReadDefinition, _ log: DiagnosticLog)
}

/// A definition, and what it was read from.
package struct ReadDefinition {
  /// Without what is wrong in its file.
  package let definition: PeripheralDefinition
  /// The tree of its file and of those that it extends.
  package let root: YAMLNode
  /// Where each of the definition's rules stands in the tree.
  package let rules: [YAMLNode]
}

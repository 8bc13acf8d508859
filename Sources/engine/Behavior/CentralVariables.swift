import DeviceModel

/// The variables with a value for each central.
///
/// The engine's ``EvaluationContext`` has the values of one central at a time; the others are here.
struct CentralVariables: Sendable {
  /// Their indices in ``PeripheralDefinition/variables``, with their initial values.
  private let initial: [(index: Int, value: Value)]
  /// The central whose values the context has; nil: the initial values.
  private(set) var owner: Central?
  private var kept: [Central?: [Value]] = [:]

  init(_ definition: PeripheralDefinition) {
    initial = definition.variables.enumerated().filter(\.element.isPerCentral).map {
      ($0.offset, $0.element.initial)
    }
  }

  /// A central has connected.
  mutating func begin(_ central: Central) {
    if !initial.isEmpty { kept[central] = initial.map(\.value) }
  }

  /// Gives the context the values of a central, or those for no central if it is not connected.
  mutating func select(_ central: Central?, in variables: inout [Value]) {
    guard !initial.isEmpty, central != owner else { return }
    kept[owner] = initial.map { variables[$0.index] }
    owner = kept[central] == nil ? nil : central
    for (variable, value) in zip(initial, kept[owner] ?? []) { variables[variable.index] = value }
  }

  /// A central has left.
  mutating func end(_ central: Central, in variables: inout [Value]) {
    guard !initial.isEmpty else { return }
    select(nil, in: &variables)
    kept[central] = nil
  }

  /// Everything has its initial value again, as in the context.
  mutating func reset() {
    for central in kept.keys { kept[central] = initial.map(\.value) }
  }
}

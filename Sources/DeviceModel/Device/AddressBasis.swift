/// What the addresses of a device follow from, besides its definition and its adapter.
package struct AddressBasis: Hashable, Sendable {
  /// Tells devices of the same definition at one adapter apart, from 1 up.
  package var number: Int
  /// Whether a device without an address of its own has the adapter's; otherwise another device has it.
  package var hasAdapter: Bool

  package init(number: Int = 1, hasAdapter: Bool = true) {
    (self.number, self.hasAdapter) = (number, hasAdapter)
  }

  /// The name from which addresses are derived.
  ///
  /// - Parameter definition: its name.
  package func name(of definition: String) -> String { number == 1 ? definition : "\(definition) \(number)" }
}

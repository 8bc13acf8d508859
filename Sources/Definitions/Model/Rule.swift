/// What the device does when something happens.
package struct Rule: Sendable {
  package enum Trigger: Hashable, Sendable {
    /// A frame that is this message has arrived on this characteristic; both by index.
    case received(message: Int, characteristic: Int)
    case connected
    case disconnected
    /// A central has subscribed to this characteristic.
    case subscribed(Int)
    case unsubscribed(Int)
  }

  package enum Destination: Hashable, Sendable {
    /// By notification, or by indication where that is all it has.
    case characteristic(Int)
    case wire
  }

  package enum Action: Sendable {
    /// A message, with an expression for each of its fields.
    case send(message: Int, fields: [Expression], to: Destination)
    case log(ValueTemplate)

    var isForWire: Bool {
      if case .send(_, _, .wire) = self { true } else { false }
    }
  }

  package var trigger: Trigger
  package var condition: Expression?
  package var actions: [Action]
  /// Where the rule begins in the file.
  package var line: Int
}

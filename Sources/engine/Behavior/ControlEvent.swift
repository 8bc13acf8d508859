import Bluetooth
import DeviceModel

/// An operation of the device by a person or a test, neither over the air nor over the wire side.
///
/// The caller has resolved and checked names and values: the engine applies all of an event.
package enum ControlEvent: Hashable, Sendable {
  /// A new value for a setting or a variable. Its type and limits allow it (``SettingDefinition/Kind/problem(with:)``).
  package struct Assignment: Hashable, Sendable {
    package var slot: Rule.Slot
    package var value: Value

    package init(_ slot: Rule.Slot, _ value: Value) {
      (self.slot, self.value) = (slot, value)
    }
  }

  case set([Assignment])
  /// Operates a control, by index in ``PeripheralDefinition/controls``. The value is for one that is bound to a setting or
  /// a variable; nil presses a button, and turns a switch to its other side.
  case operate(control: Int, Value?)
  /// Sends bytes as a rule does, with the index of the message that they are, if it has a name; nil: to all subscribers.
  case send([UInt8], from: Endpoint, message: Int?, to: Central?)
  /// Starts or stops advertising, as a rule's `advertise`.
  case advertise(Bool)
  /// Ends the connection of a central; nil: of all.
  case disconnect(Central?, HCIError)
  /// Forgets the bond with a central; nil: all bonds.
  case forget(Central?)
  case reset
}

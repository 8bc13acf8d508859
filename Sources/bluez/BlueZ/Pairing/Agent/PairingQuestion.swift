/// What bluetoothd asks or reports to an agent while a device pairs (bluez: doc/agent-api.txt, org.bluez.Agent1).
package enum PairingQuestion: Hashable, Sendable {
  /// The device shows a passkey; which?
  case passkey
  /// This passkey has to be entered at the device; so many of its digits have been.
  case show(UInt32, entered: UInt16)
  /// Does the device also show this number?
  case compare(UInt32)
  /// May the device pair, with nothing to enter or compare?
  case pair
  /// May the device use a service?
  case use
}

package enum PairingAnswer: Hashable, Sendable {
  case yes
  /// The passkey that the device shows.
  case enter(UInt32)
  case no
}

import Bluetooth

/// The limits of a device's links, and its preferences for them.
package struct LinkDefinition: Sendable {
  package init() {}

  /// The device's own ATT_MTU, bytes: values are cut to it even if the link's is larger. nil: the link's.
  package var mtu: Int?

  /// The most centrals that can be connected at once; nil: the adapter's limit.
  package var centrals: Int?

  /// What a device does while as many centrals are connected as can be.
  package enum WhenFull: String, Sendable, CaseIterable {
    /// It does not advertise.
    case silent
    /// It advertises the same data, and no central may connect.
    case scannable
  }

  package var whenFull = WhenFull.silent

  /// Whether no further central may connect.
  package func isFull(with count: Int) -> Bool { centrals.map { count >= $0 } ?? false }

  /// The connection parameters that the device prefers; nil: it announces none.
  package var preferred: PreferredConnectionParameters?

  /// How long after the connection it asks the central for them; nil: it does not ask.
  package var askAfter: Duration?

  /// Whether the values that one event notifies share a Multiple Handle Value Notification, if the central supports those.
  package var multipleNotifications = false

  /// The longest value of a notification of this device, bytes: MTU − 3 (Vol 3 Part F 3.4.7.1).
  package var maximumValue: Int? { mtu.map { min($0 - 3, CharacteristicDefinition.maximumValueSize) } }
}

import Bluetooth

/// What a transport can do with a device, as far as that is known without it: values and functions.
///
/// A definition that only one transport cannot serve is a valid definition.
package protocol TransportLimits: Sendable {
  /// What the transport cannot serve of a definition, and what it serves in another way than the definition says.
  ///
  /// - Parameter definition: without the parts that are wrong in its file.
  func check(_ definition: PeripheralDefinition) -> [Finding]

  /// Why the transport cannot serve these attributes of a definition; nil: it can.
  func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String?

  /// Why the transport cannot send an advertisement; nil: it can.
  func problem(with advertisement: Advertisement) -> String?

  /// What the transport sends for an advertisement; nil: it sends no packets.
  func packets(of advertisement: Advertisement) -> AdvertisingPackets?

  /// The handles that attributes have; nil: they have none.
  var handles: HandleAssignment? { get }
}

/// The handles that a transport gives to the attributes of a device.
package struct HandleAssignment: Hashable, Sendable {
  /// The handle of the device's first service.
  package var first: UInt16
  /// What adds the descriptors that follow from properties, as in `BlueZ`.
  package var server: String
  /// When the handles are others.
  package var note: String

  package init(first: UInt16, server: String, note: String) {
    (self.first, self.server, self.note) = (first, server, note)
  }
}

/// The limits of a transport that takes every device as it is.
package struct NoLimits: TransportLimits {
  package let handles: HandleAssignment? = nil

  package init() {}

  package func check(_ definition: PeripheralDefinition) -> [Finding] { [] }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? { nil }

  package func problem(with advertisement: Advertisement) -> String? { nil }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? { nil }
}

import Bluetooth

/// The limits of a transport, which can be checked without the transport itself.
///
/// A definition that only one transport cannot serve is a valid definition.
package protocol TransportLimits: Sendable {
  /// Finds the parts of a definition that the transport cannot serve, or serves in another way.
  ///
  /// - Parameter definition: without the parts that have mistakes in the file.
  func check(_ definition: PeripheralDefinition) -> [Finding]

  /// Why the transport cannot serve these attributes of a definition; nil if it can.
  func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String?

  /// The attributes among these that the transport serves: all except its own.
  func served(_ table: AttributeTable) -> AttributeTable

  /// Why the transport cannot send an advertisement; nil if it can.
  func problem(with advertisement: Advertisement) -> String?

  /// The packets that the transport sends for an advertisement; nil: it sends no packets.
  func packets(of advertisement: Advertisement) -> AdvertisingPackets?

  /// How the transport's effect of a fault differs from its text.
  func remarks(on fault: Fault, of definition: PeripheralDefinition) -> [String]

  /// The finding that the transport itself answers every write to a characteristic; nil: the device answers.
  func remark(onWritesTo characteristic: CharacteristicDefinition) -> String?

  /// The longest time for which a request can wait for its response.
  var longestAnswer: Duration { get }

  /// The handles of the attributes; nil: they have none.
  var handles: HandleAssignment? { get }
}

extension TransportLimits {
  package func served(_ table: AttributeTable) -> AttributeTable { table }

  package func remarks(on fault: Fault, of definition: PeripheralDefinition) -> [String] { [] }

  package func remark(onWritesTo characteristic: CharacteristicDefinition) -> String? { nil }

  /// A central gives up 30 s after its request (Vol 3 Part F 3.3.3).
  package var longestAnswer: Duration { .seconds(25) }
}

/// The handles that a transport gives to the attributes of a device.
package struct HandleAssignment: Hashable, Sendable {
  /// The handle of the device's first service.
  package var first: UInt16
  /// The server that adds the descriptors that follow from properties, for example `BlueZ`.
  package var server: String
  /// When the handles differ.
  package var note: String

  package init(first: UInt16, server: String, note: String) {
    (self.first, self.server, self.note) = (first, server, note)
  }
}

/// A transport without limits.
package struct NoLimits: TransportLimits {
  package let handles: HandleAssignment? = nil

  package init() {}

  package func check(_ definition: PeripheralDefinition) -> [Finding] { [] }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? { nil }

  package func problem(with advertisement: Advertisement) -> String? { nil }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? { nil }
}

/// A value that expressions can use but not every transport knows.
package enum TransportValue: Hashable, Sendable {
  /// The handle of an attribute.
  case handle
  /// Why a link has ended.
  case reason
  case longTermKey
}

import Bluetooth
import Framing

/// A device as one definition file describes it, checked: every name is resolved, every type fits.
package struct PeripheralDefinition: Sendable {
  /// What the device is called in lists and logs; not what it advertises.
  package var name: String
  package var summary: String
  package var settings: [SettingDefinition] = []
  package var advertisement = AdvertisementTemplate()
  package var link = LinkDefinition()
  package var services: [ServiceDefinition] = []
  /// Those of all services, in the order of the file.
  package var characteristics: [CharacteristicDefinition] = []
  package var messages: [MessageTemplate] = []
  package var tables: [DataTable] = []
  package var rules: [Rule] = []
  package var wire = WireDefinition()

  package init(name: String, summary: String = "") {
    self.name = name
    self.summary = summary
  }

  /// Where the definition's expressions get their values from.
  package func context(settings: [Value], address: DeviceAddress) -> EvaluationContext {
    EvaluationContext(settings: settings, address: address.bytes, tables: tables)
  }

  /// With the settings as they are at first, under an address that is all zeros.
  package var initialContext: EvaluationContext {
    context(settings: settings.map(\.initial), address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
  }

  /// Whether bytes go in or out at a serial side.
  package var hasWireSide: Bool {
    wire.bridge != nil || rules.contains { rule in rule.actions.contains(where: \.isForWire) }
  }
}

/// The limits of a device's links.
package struct LinkDefinition: Sendable {
  /// The device's own ATT_MTU, bytes; what it sends is cut for this one even when the link's is larger.
  /// nil: the link's.
  package var mtu: Int?
  /// While so many centrals are connected, the device does not advertise; nil: it always does.
  package var centrals: Int?

  /// The longest value of a notification of this device, bytes: MTU − 3 (Vol 3 Part F 3.4.7.1).
  package var maximumValue: Int? { mtu.map { min($0 - 3, CharacteristicDefinition.maximumValueSize) } }
}

package struct ServiceDefinition: Sendable {
  package var uuid: BluetoothUUID
  package var isPrimary = true
  /// Its characteristics, by index in ``PeripheralDefinition/characteristics``.
  package var characteristics: Range<Int>
}

package struct CharacteristicDefinition: Sendable {
  /// The longest value of an attribute, bytes (Vol 3 Part F 3.2.9).
  package static let maximumValueSize = 512

  /// The name that rules and framing use; the UUID where the file gives none.
  package var id: String
  package var uuid: BluetoothUUID
  package var properties: CharacteristicProperties
  package var permissions: AttributePermissions
  package var value: ValueTemplate
  package var descriptors: [DescriptorDefinition]
  /// How bytes written here become frames; nil: every write is a frame of its own.
  package var framing: FramingRule?

  /// Whether a central may be sent values on its own, by notification or indication.
  package var canNotify: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
  /// Whether a central may write, in any way.
  package var canBeWritten: Bool {
    !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites, .reliableWrite])
  }
}

package struct DescriptorDefinition: Sendable {
  package var uuid: BluetoothUUID
  package var canRead: Bool
  package var canWrite: Bool
  package var permissions: AttributePermissions
  package var value: ValueTemplate
}

/// The serial side of a device: what stands between its UART and the air.
package struct WireDefinition: Sendable {
  /// The characteristic whose written bytes come out of the wire, and which notifies what is put in.
  package var bridge: Int?
}

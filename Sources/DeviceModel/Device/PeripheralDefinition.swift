import Bluetooth
import Framing

/// A device as one definition file describes it, checked: every name is resolved, every type fits.
package struct PeripheralDefinition: Sendable {
  /// What the device is called in lists and logs; not what it advertises.
  package var name: String
  package var summary: String
  package var settings: [SettingDefinition] = []
  /// What a reset puts back, unlike settings.
  package var variables: [SettingDefinition] = []
  /// Their names; the first is the first. Empty: the device has none.
  package var states: [String] = []
  package var generators: [GeneratorDefinition] = []
  /// The names of the timers that rules start.
  package var timers: [String] = []
  package var advertisement = AdvertisementTemplate()
  package var link = LinkDefinition()
  package var services: [ServiceDefinition] = []
  /// Those of all services, in the order of the file.
  package var characteristics: [CharacteristicDefinition] = []
  /// Those without a name are the ones that rules wait for and that stand there.
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
    var context = EvaluationContext(
      settings: settings, variables: variables.map(\.initial), address: address.bytes, tables: tables)
    context.state = states.first ?? ""
    context.generators = generators.map { .zero(of: $0.type) }
    var values = GeneratorValues(generators, seed: 0)
    values.update(&context.generators, at: 0, tables: tables)
    context.subscribers = Array(repeating: 0, count: characteristics.count)
    return context
  }

  /// With the settings as they are at first, under an address that is all zeros.
  package var initialContext: EvaluationContext {
    context(settings: settings.map(\.initial), address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
  }

  /// Where rules answer what came from a place.
  package func answeringPort(_ origin: Rule.Port) -> Rule.Port {
    guard case .characteristic(let index) = origin, let other = characteristics[index].answers else {
      return origin
    }
    return .characteristic(other)
  }

  /// How a place where bytes come in is called: the id of a characteristic, or `wire`.
  package func name(of port: Rule.Port) -> String {
    switch port {
    case .wire: "wire"
    case .characteristic(let index): characteristics[index].id
    }
  }

  package var namedMessages: [MessageTemplate] { messages.filter { !$0.name.isEmpty } }

  /// Whether rules wait for what is put in at the serial side.
  package var readsWire: Bool {
    rules.contains { $0.triggers.contains { if case .received(_, .wire) = $0 { true } else { false } } }
  }

  /// Whether bytes go in or out at a serial side.
  package var hasWireSide: Bool {
    wire.bridge != nil || wire.framing != nil || rules.contains(where: \.usesWire)
  }
}

/// The limits of a device's links.
package struct LinkDefinition: Sendable {
  /// The device's own ATT_MTU, bytes; what it sends is cut for this one even when the link's is larger.
  /// nil: the link's.
  package var mtu: Int?

  /// How many centrals can be connected at once; nil: as many as the adapter allows.
  package var centrals: Int?

  /// The longest value of a notification of this device, bytes: MTU − 3 (Vol 3 Part F 3.4.7.1).
  package var maximumValue: Int? { mtu.map { min($0 - 3, CharacteristicDefinition.maximumValueSize) } }
}

package struct ServiceDefinition: Sendable {
  /// The name by which a definition that extends this one speaks of it; the UUID where the file gives none.
  package var id: String
  package var uuid: UUIDTemplate
  /// With which settings it is there.
  package var presence: Presence?
  package var isPrimary = true
  /// Its characteristics, by index in ``PeripheralDefinition/characteristics``.
  package var characteristics: Range<Int>

  package init(
    id: String, uuid: UUIDTemplate, presence: Presence?, isPrimary: Bool, characteristics: Range<Int>
  ) {
    (self.id, self.uuid, self.presence) = (id, uuid, presence)
    (self.isPrimary, self.characteristics) = (isPrimary, characteristics)
  }
}

package struct CharacteristicDefinition: Sendable {
  /// The longest value of an attribute, bytes (Vol 3 Part F 3.2.9).
  package static let maximumValueSize = 512

  /// The name that rules and framing use; the UUID where the file gives none.
  package var id: String
  package var uuid: UUIDTemplate
  /// With which settings it is there.
  package var presence: Presence?
  package var properties: CharacteristicProperties
  package var permissions: AttributePermissions
  package var value: ValueTemplate
  package var descriptors: [DescriptorDefinition]
  /// Where what a rule sends in answer to it goes, by index; nil: here, if it notifies.
  package var answers: Int?
  /// How bytes become frames, those written here, or those sent where none can be written; nil: every value is
  /// a frame of its own.
  package var framing: FramingRule?

  package init(
    id: String, uuid: UUIDTemplate, presence: Presence?, properties: CharacteristicProperties,
    permissions: AttributePermissions, value: ValueTemplate, descriptors: [DescriptorDefinition]
  ) {
    (self.id, self.uuid, self.presence) = (id, uuid, presence)
    (self.properties, self.permissions) = (properties, permissions)
    (self.value, self.descriptors) = (value, descriptors)
  }

  /// Whether a central may be sent values on its own, by notification or indication.
  package var canNotify: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
  /// Whether a central may write, in any way.
  package var canBeWritten: Bool { properties.canBeWritten }
}

/// The condition, over settings, under which a device has an attribute.
package struct Presence: Sendable {
  /// True or false.
  package var condition: Expression
  /// As it stands in the file.
  package var source: String

  package init(condition: Expression, source: String) {
    self.condition = condition
    self.source = source
  }
}

package struct DescriptorDefinition: Sendable {
  package var uuid: BluetoothUUID
  package var canRead: Bool
  package var canWrite: Bool
  package var permissions: AttributePermissions
  package var value: ValueTemplate

  package init(
    uuid: BluetoothUUID, canRead: Bool, canWrite: Bool, permissions: AttributePermissions,
    value: ValueTemplate
  ) {
    (self.uuid, self.canRead, self.canWrite) = (uuid, canRead, canWrite)
    (self.permissions, self.value) = (permissions, value)
  }
}

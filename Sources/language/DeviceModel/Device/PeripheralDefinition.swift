import Bluetooth
import Framing

/// A device as a definition file describes it, after checking: every name is resolved and every type matches.
package struct PeripheralDefinition: Sendable {
  /// The device's name in lists and logs, not the advertised one.
  package var name: String
  package var summary: String
  package var settings: [SettingDefinition] = []
  /// A reset restores their initial values, unlike those of settings.
  package var variables: [SettingDefinition] = []
  /// The names of the states; the device starts in the first. Empty: it has no states.
  package var states: [String] = []
  package var generators: [GeneratorDefinition] = []
  /// The actions that rules share, for listing. The rules contain copies.
  package var sharedActions: [(name: String, actions: [String])] = []
  package var functions: [NamedFunction] = []
  /// Names for expressions.
  package var values: [NamedExpression] = []
  /// The names of the timers that rules start.
  package var timers: [String] = []
  /// Those of which each central has its own, by index.
  package var timersPerCentral: Set<Int> = []
  package var advertisement = AdvertisementTemplate()
  package var link = LinkDefinition()
  /// How it pairs; nil: as the system is configured.
  package var security: PairingTemplate?
  package var services: [ServiceDefinition] = []
  /// The characteristics of all services, in the order of the file.
  package var characteristics: [CharacteristicDefinition] = []
  /// The credit-based channels, in the order of the file.
  package var channels: [ChannelDefinition] = []
  /// What it looks for in the GATT server of its centrals, in the order of the file.
  package var sought: [SoughtCharacteristic] = []
  /// The places without an attribute, in the order of the file.
  package var layers: [LayerDefinition] = []
  /// Its own, each a ``DefinedChecksum``.
  package var checksums: [Checksum] = []
  /// Messages without a name are those that a trigger itself contains.
  package var messages: [MessageTemplate] = []
  package var tables: [DataTable] = []
  package var rules: [Rule] = []
  /// The controls that a person can operate, in the order of the file.
  package var controls: [ControlDefinition] = []
  package var wire = WireDefinition()
  /// Its deliberate faults, active from the start.
  package var faults: [Fault] = []
  /// Whether another device answers what no rule does: a relay serves it.
  package var isRelayed = false
  /// The values of links that expressions ask for.
  package var linkValues: [KnownValue] = []
  /// The values that expressions use and a transport may not know, once for each text. A reason is left out if the
  /// definition handles the case that it is unknown.
  package var transportValues: [TransportValue] = []

  package init(name: String, summary: String = "") {
    self.name = name
    self.summary = summary
  }

  /// The source of values for the definition's expressions.
  package func context(settings: [Value], address: DeviceAddress) -> EvaluationContext {
    var context = EvaluationContext(
      settings: settings, variables: variables.map(\.initial), address: address.bytes, tables: tables)
    context.settingTable = SettingTable(self.settings)
    context.state = states.first ?? ""
    context.generators = generators.map { .zero(of: $0.type) }
    var values = GeneratorValues(generators, seed: 0)
    values.update(&context.generators, at: 0, tables: tables)
    context.subscribers = Array(repeating: 0, count: characteristics.count)
    return context
  }

  /// With the initial settings and an address of zeros.
  package var initialContext: EvaluationContext {
    context(settings: settings.map(\.initial), address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
  }

  /// The place to which rules answer a frame from `origin`.
  package func answeringEndpoint(_ origin: Rule.Endpoint) -> Rule.Endpoint {
    guard case .characteristic(let index) = origin, let other = characteristics[index].answers else {
      return origin
    }
    return .characteristic(other)
  }

  /// The name of a place: the id of a characteristic, of a channel or of what it looks for, that of a layer, or `wire`.
  package func name(of endpoint: Rule.Endpoint) -> String {
    switch endpoint {
    case .wire: "wire"
    case .characteristic(let index): characteristics[index].id
    case .channel(let index): channels[index].id
    case .sought(let index): sought[index].id
    case .layer(let index): layers[index].name
    }
  }

  /// How the bytes of a place become frames; nil: each value is one.
  package func framing(of endpoint: Rule.Endpoint) -> FramingRule? {
    switch endpoint {
    case .wire: wire.framing
    case .characteristic(let index): characteristics[index].framing
    case .channel(let index): channels[index].framing
    case .sought(let index): sought[index].framing
    case .layer(let index): layers[index].framing
    }
  }

  /// How a central joins what is sent there, if the definition gives both directions a framing of their own.
  package func outFraming(of endpoint: Rule.Endpoint) -> FramingRule? {
    switch endpoint {
    case .characteristic(let index): characteristics[index].outFraming
    case .channel(let index): channels[index].outFraming
    case .sought(let index): sought[index].outFraming
    case .layer, .wire: nil
    }
  }

  /// How the bytes of a place are encoded; nil: they are not encoded.
  package func coding(of endpoint: Rule.Endpoint) -> StreamCoding? {
    switch endpoint {
    case .wire: wire.coding
    case .characteristic(let index): characteristics[index].coding
    case .channel(let index): channels[index].coding
    case .sought(let index): sought[index].coding
    case .layer(let index): layers[index].coding
    }
  }

  package var namedMessages: [MessageTemplate] { messages.filter { !$0.name.isEmpty } }

  /// The messages that bytes by themselves can be: those with a name and a fixed byte.
  package var recognizableMessages: [MessageTemplate] { namedMessages.filter(\.hasLiteral) }

  /// Whether rules handle bytes from the wire side.
  package var readsWire: Bool {
    rules.contains { $0.triggers.contains { if case .received(_, .wire) = $0 { true } else { false } } }
  }

  /// Whether the device uses a wire side.
  package var hasWireSide: Bool {
    wire.bridge != nil || wire.framing != nil || wire.coding != nil || rules.contains(where: \.usesWire)
  }
}

/// A name for an expression.
package struct NamedExpression: Sendable {
  package var name: String
  package var expression: Expression
  package var type: ValueType

  package init(name: String, expression: Expression, type: ValueType) {
    (self.name, self.expression, self.type) = (name, expression, type)
  }
}

/// A function of a definition. Its types are those of its arguments at each use.
package struct NamedFunction: Hashable, Sendable {
  package var name: String
  package var parameters: [String]
  /// The expression as in the file.
  package var source: String

  package init(name: String, parameters: [String], source: String) {
    (self.name, self.parameters, self.source) = (name, parameters, source)
  }
}

package struct ServiceDefinition: Sendable {
  /// The name for definitions that extend this one; by default the UUID.
  package var id: String
  package var uuid: UUIDTemplate
  /// The condition on settings under which it exists.
  package var presence: Presence?
  package var isPrimary = true
  /// The handle of its declaration; nil: the next free one.
  package var handle: UInt16?
  /// The End Group Handle (Vol 3 Part F 3.4.4.10), which may be greater than that of its last attribute; nil: it is that
  /// one. Many devices have 0xFFFF for their last service.
  package var endHandle: UInt16?
  /// The services that it includes, by index (Vol 3 Part G 3.2).
  package var includes: [Int] = []
  /// Its characteristics, by index in ``PeripheralDefinition/characteristics``.
  package var characteristics: Range<Int>

  package init(
    id: String, uuid: UUIDTemplate, presence: Presence?, isPrimary: Bool, characteristics: Range<Int>
  ) {
    (self.id, self.uuid, self.presence) = (id, uuid, presence)
    (self.isPrimary, self.characteristics) = (isPrimary, characteristics)
  }
}

extension PeripheralDefinition {
  /// Whether any attribute depends on settings.
  package var hasVariableAttributes: Bool {
    services.contains { $0.presence != nil || $0.uuid.literal == nil }
      || characteristics.contains { $0.presence != nil || $0.uuid.literal == nil }
  }
}

/// The role of the Client Characteristic Configuration (2902, Vol 3 Part G 3.3.3.3).
package enum CCCDUse: String, CaseIterable, Sendable {
  /// It decides which centrals get values, as the specification requires.
  case required
  /// Likewise, and a Write Command to it has no effect.
  case requestsOnly = "requests-only"
  /// It exists, but every connected central gets values.
  case ignored
  /// It does not exist, and every connected central gets values.
  case none

  /// Whether centrals have to subscribe.
  package var decides: Bool { self == .required || self == .requestsOnly }
}

/// How a device sends to a central that asks for notifications and indications.
package enum BothUse: String, CaseIterable, Sendable {
  case notify, indicate
  /// Each value comes twice, first by notification.
  case both
}

/// How a device sends a value that is longer than its link carries: ATT_MTU − 3 bytes.
package enum LongValueUse: String, CaseIterable, Sendable {
  /// It sends the value in pieces.
  case split
  /// It sends the first bytes.
  case cut
  /// It sends nothing.
  case refuse
}

/// What becomes of the parts of a long value that a central prepares (Core Specification, Vol 3 Part F 3.4.6).
package enum PreparedUse: String, CaseIterable, Sendable {
  /// Rules see one write, once the parts are executed.
  case joined
  /// Rules see each part as it is prepared, and may refuse it.
  case each
  /// The device refuses them.
  case never
}

/// The centrals that get a value which a rule sends because of an event of a central.
package enum ValueRecipients: String, CaseIterable, Sendable {
  /// All that have subscribed.
  case all
  /// That central, if it has subscribed.
  case asker
}

/// Whether the value of a characteristic follows what it uses.
package enum LiveUse: String, CaseIterable, Sendable {
  /// It is computed once.
  case no = "false"
  /// It is computed at each read.
  case onRead = "on-read"
  /// Likewise, and it is sent when it changes.
  case yes = "true"
}

package struct CharacteristicDefinition: Sendable {
  /// The longest value of an attribute, bytes (Vol 3 Part F 3.2.9).
  package static let maximumValueSize = 512

  /// The name for rules and framing; by default the UUID.
  package var id: String
  package var uuid: UUIDTemplate
  /// The condition on settings under which it exists.
  package var presence: Presence?
  /// The handle of its value, which follows its declaration; nil: the next one.
  package var handle: UInt16?
  package var properties: CharacteristicProperties
  package var permissions: AttributePermissions
  /// The shortest encryption key that its permissions require, bytes (Vol 3 Part H 2.3.4).
  package var keySize = 7
  package var value: ValueTemplate
  package var live = LiveUse.no
  package var descriptors: [DescriptorDefinition]
  package var cccd = CCCDUse.required
  package var both = BothUse.notify
  package var prepared = PreparedUse.joined
  package var recipients = ValueRecipients.all
  /// nil: the definition does not decide; the value is split.
  package var longValues: LongValueUse?
  /// The characteristic that carries the rules' answers, by index; nil: this one, if it notifies.
  package var answers: Int?
  /// How written bytes become frames, or sent bytes if the characteristic cannot be written; nil: every value is a
  /// frame.
  package var framing: FramingRule?
  /// How a central joins the values sent here, if the definition gives both directions a framing of their own.
  package var outFraming: FramingRule?
  /// How the bytes of its values are encoded; nil: they are not encoded.
  package var coding: StreamCoding?

  package init(
    id: String, uuid: UUIDTemplate, presence: Presence?, properties: CharacteristicProperties,
    permissions: AttributePermissions, value: ValueTemplate, descriptors: [DescriptorDefinition]
  ) {
    (self.id, self.uuid, self.presence) = (id, uuid, presence)
    (self.properties, self.permissions) = (properties, permissions)
    (self.value, self.descriptors) = (value, descriptors)
  }

  /// Whether it can notify or indicate, itself or from a descriptor.
  package var canNotify: Bool { properties.delivery != nil || sendingDescriptor != nil }
  /// The descriptor with whose handle its values are notified, by index; nil: they have the handle of the value.
  package var sendingDescriptor: Int? { descriptors.firstIndex(where: \.canNotify) }
  /// How every connected central gets values without subscribing; nil: only subscribers do.
  package var unconditionalDelivery: Delivery? {
    cccd.decides || !canNotify ? nil : properties.delivery ?? .notification
  }
  /// Whether a central may read it: as its properties say, unless its permissions say otherwise.
  package var canBeRead: Bool {
    permissions.contains(.read) || (properties.contains(.read) && !permissions.contains(.noRead))
  }

  /// Whether a central may write, in any way: as its properties say, unless its permissions say otherwise.
  package var canBeWritten: Bool {
    permissions.contains(.write) || (properties.canBeWritten && !permissions.contains(.noWrite))
  }

  /// Whether a central may write without a signature (Vol 3 Part G 3.3.1.1).
  package var takesUnsignedWrites: Bool {
    permissions.contains(.write) || (properties.takesUnsignedWrites && !permissions.contains(.noWrite))
  }

  /// How a central joins the values sent here; nil if each value is complete.
  package var sentFraming: FramingRule? {
    outFraming ?? (canBeWritten && coding?.joinsAtPeer != true ? nil : framing)
  }
}

/// The condition, over settings, under which a device has an attribute.
package struct Presence: Sendable {
  /// True or false.
  package var condition: Expression
  /// The text in the file.
  package var source: String

  package init(condition: Expression, source: String) {
    self.condition = condition
    self.source = source
  }
}

package struct DescriptorDefinition: Sendable {
  package var uuid: BluetoothUUID
  /// nil: the next one.
  package var handle: UInt16?
  package var canRead: Bool
  package var canWrite: Bool
  /// Whether the values of its characteristic are notified with its handle. The specification knows no such thing
  /// (Vol 3 Part G 4.10.1), but there are devices that count their handles one too far.
  package var canNotify = false
  package var permissions: AttributePermissions
  /// Likewise.
  package var keySize = 7
  package var value: ValueTemplate
  /// Whether its value is computed at each read.
  package var isLive = false

  package init(
    uuid: BluetoothUUID, canRead: Bool, canWrite: Bool, permissions: AttributePermissions,
    value: ValueTemplate
  ) {
    (self.uuid, self.canRead, self.canWrite) = (uuid, canRead, canWrite)
    (self.permissions, self.value) = (permissions, value)
  }

  /// The words of its `properties` in the language, in order.
  package var propertyNames: [String] {
    [("read", canRead), ("write", canWrite), ("notify", canNotify)].filter(\.1).map(\.0)
  }
}

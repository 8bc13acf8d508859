import Bluetooth
import DeviceModel

// Services, characteristics, descriptors.
extension DefinitionWriter {
  func services() throws -> YAMLValue? {
    device.services.isEmpty ? nil : .list(try device.services.map(service), .block)
  }

  private func service(_ service: ServiceDefinition) throws -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("uuid", Self.uuid(service.uuid))]
    if service.id != service.uuid.source { entries.add("id", .text(service.id)) }
    entries.add("if", try presence(service.presence))
    if !service.isPrimary { entries.add("primary", .flag(false)) }
    entries.add("handle", service.handle.map(Self.handle))
    entries.add("end-handle", service.endHandle.map(Self.handle))
    if !service.includes.isEmpty {
      entries.add("includes", .texts(service.includes.map { device.services[$0].id }))
    }
    let characteristics = try device.characteristics[service.characteristics].map(characteristic)
    entries.add("characteristics", .list(characteristics, .block))
    return Self.explained(.object(entries, .block), service.uuid)
  }

  private func characteristic(_ characteristic: CharacteristicDefinition) throws -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("uuid", Self.uuid(characteristic.uuid))]
    if characteristic.id != characteristic.uuid.source { entries.add("id", .text(characteristic.id)) }
    entries.add("if", try presence(characteristic.presence))
    entries.add("properties", .texts(characteristic.properties.names))
    entries += Self.security(characteristic.permissions, keySize: characteristic.keySize)
    entries.add(Self.initial(characteristic.value))
    if characteristic.live != .no {
      if characteristic.value.source.isEmpty { entries.add("value", .quoted("")) }
      entries.add("live", .word(characteristic.live.rawValue))
    }
    entries.add("answers", characteristic.answers.map { .text(device.characteristics[$0].id) })
    if characteristic.recipients != .all {
      entries.add("recipients", .word(characteristic.recipients.rawValue))
    }
    if characteristic.cccd != .required, characteristic.properties.delivery != nil {
      entries.add("cccd", .word(characteristic.cccd.rawValue))
    }
    if characteristic.both != .notify { entries.add("both", .word(characteristic.both.rawValue)) }
    entries.add("long", characteristic.longValues.map { .word($0.rawValue) })
    if characteristic.prepared != .joined { entries.add("prepared", .word(characteristic.prepared.rawValue)) }
    entries.add("handle", characteristic.handle.map(Self.handle))
    if !characteristic.descriptors.isEmpty {
      entries.add("descriptors", .list(characteristic.descriptors.map(descriptor), .compact))
    }
    return Self.explained(.object(entries, .compact), characteristic.uuid)
  }

  private func descriptor(_ descriptor: DescriptorDefinition) -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("uuid", .text(descriptor.uuid.description))]
    if descriptor.propertyNames != ["read"] { entries.add("properties", .texts(descriptor.propertyNames)) }
    entries += Self.security(descriptor.permissions, keySize: descriptor.keySize)
    entries.add("handle", descriptor.handle.map(Self.handle))
    entries.add(Self.initial(descriptor.value))
    if descriptor.isLive { entries.append(.init("live", .word("true"))) }
    return .object(entries, .compact)
  }

  private static func security(_ permissions: AttributePermissions, keySize: Int) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    if !permissions.isEmpty { entries.add("permissions", .texts(permissions.names)) }
    if keySize != 7 { entries.add("key-size", .number(keySize)) }
    return entries
  }

  /// The value of an attribute at first: bytes, or text; nil: nothing.
  private static func initial(_ value: ValueTemplate) -> YAMLValue.Entry? {
    if case .text = value.form { return .init("text", .quoted(value.source)) }
    return value.source.isEmpty ? nil : .init("value", .quoted(value.source))
  }

  private static func handle(_ handle: UInt16) -> YAMLValue { .word("0x\(handle.hexadecimal(digits: 4))") }

  private static func uuid(_ uuid: UUIDTemplate) -> YAMLValue {
    switch uuid {
    case .literal(let uuid): .text(uuid.description)
    case .long(let uuid): .text(uuid.fullText.uppercased())
    case .bytes(_, let source): .quoted(source)
    }
  }

  /// An attribute with the name of its UUID as a comment, if the UUID has one.
  private static func explained(_ attribute: YAMLValue, _ uuid: UUIDTemplate) -> YAMLValue {
    uuid.literal?.name.map { .commented(attribute, $0) } ?? attribute
  }

  private func presence(_ presence: Presence?) throws -> YAMLValue? {
    try presence.map { try writer.value($0.condition) }
  }

  /// Writes the expressions outside of rules.
  var writer: ExpressionWriter { ExpressionWriter(device: device, names: names) }
}

extension [YAMLValue.Entry] {
  fileprivate mutating func add(_ entry: YAMLValue.Entry?) {
    if let entry { append(entry) }
  }
}

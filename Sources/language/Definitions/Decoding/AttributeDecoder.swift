import Bluetooth
import DeviceModel

/// Reads services, characteristics and descriptors.
struct AttributeDecoder {
  /// The initial settings and variables, for the values of attributes.
  private let context: EvaluationContext
  private let log: DiagnosticLog
  private var names: NameScope
  private var places: DefinitionPlaces
  private var services: [ServiceDefinition] = []
  private var characteristics: [CharacteristicDefinition] = []
  /// The services that each service includes, by its index.
  private var included: [(service: Int, names: [Scalar])] = []
  /// The ids of the characteristics.
  private var ids: Set<String> = []

  /// - Parameters:
  ///   - names: receives the characteristics that can have subscribers.
  ///   - places: receives the places of the attributes.
  static func attributes(
    _ nodes: [Node<Language.Service>], _ context: EvaluationContext, _ names: inout NameScope,
    _ places: inout DefinitionPlaces, _ log: DiagnosticLog
  ) -> ([ServiceDefinition], [CharacteristicDefinition]) {
    var decoder = AttributeDecoder(context, names, places, log)
    for node in nodes where !log.isClosed { decoder.add(node) }
    for (index, included) in decoder.included where !log.isClosed { decoder.resolve(included, of: index) }
    (names, places) = (decoder.names, decoder.places)
    return (decoder.services, decoder.characteristics)
  }

  private init(
    _ context: EvaluationContext, _ names: NameScope, _ places: DefinitionPlaces, _ log: DiagnosticLog
  ) {
    var context = context
    context.subscribers = Array(repeating: 0, count: Self.mostCharacteristics)
    context.handle = { _ in 1 }
    (self.context, self.names, self.places, self.log) = (context, names, places, log)
  }

  private var reader: TextReader { TextReader(names, log) }

  /// Rules may wait for each of them.
  private static let mostCharacteristics = 256

  private mutating func add(_ node: Node<Language.Service>) {
    let first = characteristics.count
    for characteristic in node.characteristics { add(characteristic) }
    guard characteristics.count <= Self.mostCharacteristics else {
      return log.close(with: .tooManyCharacteristics(most: Self.mostCharacteristics), at: node.place)
    }
    if let id = node.id { checkServiceID(id) }
    guard let uuid = uuid(node.uuid) else { return }
    places.services.append(node.uuid?.range ?? node.place)
    included.append((services.count, node.includes))
    var service = ServiceDefinition(
      id: node.id?.text ?? uuid.source, uuid: uuid, presence: presence(node.condition),
      isPrimary: node.isPrimary ?? true, characteristics: first..<characteristics.count)
    service.handle = handle(node.handle, .service(services.count))
    service.endHandle = handle(node.endHandle, .serviceEnd(services.count))
    services.append(service)
  }

  private mutating func handle(_ number: Located<Int>?, _ place: DefinitionPlace) -> UInt16? {
    guard let number else { return nil }
    places.handles[place] = number.range
    return UInt16(number.value)
  }

  private mutating func resolve(_ names: [Scalar], of service: Int) {
    for name in names {
      guard let index = services.firstIndex(where: { $0.id == name.text }), index != service else {
        let known = services.indices.filter { $0 != service }.map { services[$0].id }
        log.error(.unknownService(id: name.text, known: known), at: name.range)
        continue
      }
      services[service].includes.append(index)
    }
  }

  /// Also keeps one whose UUID is wrong, because others may refer to it.
  private mutating func add(_ node: Node<Language.Characteristic>) {
    let uuid = uuid(node.uuid)
    // All properties if one is wrong, so that no other mistake follows from it.
    let properties = CharacteristicProperties(node.properties) ?? CharacteristicProperties(rawValue: .max)
    var descriptors = node.descriptors.compactMap { node in
      descriptor(node).map { (place: node.uuid?.range ?? node.place, handle: node.handle, definition: $0) }
    }
    for number in descriptors.indices {
      descriptors[number].definition.handle = handle(
        descriptors[number].handle, .descriptor(number, of: characteristics.count))
    }
    var characteristic = CharacteristicDefinition(
      id: node.id?.text ?? uuid?.source ?? node.uuid?.text ?? "", uuid: uuid ?? .literal(0),
      presence: presence(node.condition), properties: properties,
      permissions: permissions(node.permissions), value: value(node.value, node.text),
      descriptors: descriptors.map(\.definition))
    characteristic.handle = handle(node.handle, .characteristic(characteristics.count))
    if let live = node.live, let use = LiveUse(rawValue: live.text), use != .no {
      characteristic.live = use
      checkLive(characteristic.value, node.value ?? node.text, at: live.range)
      if !properties.contains(.read), !characteristic.canNotify {
        log.warn(.unseenLive(id: characteristic.id), at: live.range)
      }
    }
    if let size = keySize(node.keySize, characteristic.permissions) { characteristic.keySize = size }
    if characteristic.sendingDescriptor != nil, properties.delivery == nil { characteristic.cccd = .none }
    if let cccd = node.cccd, let use = CCCDUse(rawValue: cccd.text) {
      if characteristic.cccd == .none, use != .none {
        log.error(.notNotifying(id: characteristic.id), at: cccd.range)
      }
      characteristic.cccd = use
      checkValues(of: characteristic, at: cccd.range)
    }
    if let both = node.both, let use = BothUse(rawValue: both.text) {
      if !properties.isSuperset(of: [.notify, .indicate]) {
        log.error(.notBoth(id: characteristic.id), at: both.range)
      }
      characteristic.both = use
    }
    if let prepared = node.prepared, let use = PreparedUse(rawValue: prepared.text) {
      characteristic.prepared = use
      if !characteristic.takesUnsignedWrites {
        log.error(.notWritable(id: characteristic.id), at: prepared.range)
      }
    }
    if let recipients = node.recipients {
      characteristic.recipients = ValueRecipients(rawValue: recipients.text) ?? .all
      if !characteristic.canNotify { log.error(.notNotifying(id: characteristic.id), at: recipients.range) }
    }
    if let longValues = node.longValues {
      characteristic.longValues = LongValueUse(rawValue: longValues.text)
      checkValues(of: characteristic, at: longValues.range)
    }
    if let name = node.id ?? node.uuid { checkID(characteristic.id, name) }
    if characteristic.canNotify { names.addNotifying(characteristic.id, index: characteristics.count) }
    characteristics.append(characteristic)
    places.characteristics.append(node.uuid?.range ?? node.place)
    places.descriptors.append(descriptors.map(\.place))
  }

  /// Whether it sends values, to which a key refers.
  private func checkValues(of characteristic: CharacteristicDefinition, at range: SourceRange) {
    if !characteristic.canNotify {
      log.error(.notNotifying(id: characteristic.id), at: range)
    } else if characteristic.cccd == .none, characteristic.descriptors.contains(where: { $0.uuid == 0x2902 })
    {
      log.error(.unwantedCCCD, at: range)
    }
  }

  private func descriptor(_ node: Node<Language.Descriptor>) -> DescriptorDefinition? {
    guard let uuid = log.uuid(node.uuid) else { return nil }
    let words = node.properties.map { $0.map(\.text) } ?? ["read"]
    var descriptor = DescriptorDefinition(
      uuid: uuid, canRead: words.contains("read"), canWrite: words.contains("write"),
      permissions: permissions(node.permissions), value: value(node.value, node.text))
    descriptor.canNotify = words.contains("notify")
    if node.live == true {
      descriptor.isLive = true
      checkLive(descriptor.value, node.value ?? node.text, at: node.place(of: "live"))
    }
    if let size = keySize(node.keySize, descriptor.permissions) { descriptor.keySize = size }
    return descriptor
  }
}

// MARK: Common keys

extension AttributeDecoder {
  private func uuid(_ scalar: Scalar?) -> UUIDTemplate? {
    guard let scalar, let uuid = reader.uuidTemplate(scalar) else { return nil }
    return comesFromSettings(uuid.expressions, at: scalar) ? uuid : nil
  }

  private func presence(_ scalar: Scalar?) -> Presence? {
    guard let scalar, let condition = reader.expression(scalar, as: .boolean),
      comesFromSettings([condition], at: scalar)
    else { return nil }
    return Presence(condition: condition, source: scalar.text)
  }

  /// A table is built at the start and after a reset. All other values that may change have their initial values then.
  private func comesFromSettings(_ expressions: [Expression], at scalar: Scalar) -> Bool {
    if expressions.allSatisfy(\.comesFromSettings) { return true }
    log.error(.attributesNotFromSettings, at: scalar.range)
    return false
  }

  private func permissions(_ words: [Scalar]) -> AttributePermissions {
    for word in words where words.contains(where: { $0.text == "no-" + word.text }) {
      log.error(.contradiction(word.text), at: word.range)
    }
    return words.compactMap { AttributePermissions.named($0.text) }.reduce(AttributePermissions()) {
      $0.union($1)
    }
  }

  private func keySize(_ number: Located<Int>?, _ permissions: AttributePermissions) -> Int? {
    guard let number else { return nil }
    if !permissions.isEmpty, permissions.isDisjoint(with: .needingEncryption) {
      log.error(.keyWithoutEncryption, at: number.range)
    }
    return number.value
  }

  /// A value without expressions never changes.
  private func checkLive(_ value: ValueTemplate, _ source: Scalar?, at range: SourceRange) {
    let isBroken = source != nil && value.source.isEmpty
    if value.expressions.isEmpty, !isBroken { log.error(.constantLive, at: range) }
  }

  private func value(_ bytes: Scalar?, _ text: Scalar?) -> ValueTemplate {
    guard let place = bytes ?? text, let value = reader.bytes(bytes) ?? reader.text(text) else {
      return ValueTemplate()
    }
    checkSize(of: value, at: place.range)
    return value
  }

  /// Whether an attribute can hold a value, with the initial settings.
  private func checkSize(of value: ValueTemplate, at range: SourceRange) {
    do {
      let count = try value.render(in: context).count
      let limit = CharacteristicDefinition.maximumValueSize
      if count > limit { log.error(.tooLongValue(size: count, limit: limit), at: range) }
    } catch {
      log.error(.incomputableValue(error), at: range)
    }
  }
}

// MARK: Ids

extension AttributeDecoder {
  private mutating func checkID(_ id: String, _ name: Scalar) {
    if !ids.insert(id).inserted {
      log.error(.secondCharacteristic(id: id), at: name.range)
    } else if id.contains("{") {
      guard !log.hasError(at: name.range) else { return }
      log.error(.noID, at: name.range)
    } else if id == "wire" {
      log.error(.wireAsName, at: name.range)
    } else if BluetoothUUID(id) == nil, !Identifier.isValid(id), !log.hasError(at: name.range) {
      log.error(.notName(id), at: name.range)
    }
  }

  private func checkServiceID(_ id: Scalar) {
    if services.contains(where: { $0.id == id.text }) {
      log.error(.secondService(id: id.text), at: id.range)
    } else if BluetoothUUID(id.text) == nil, !Identifier.isValid(id.text) {
      log.error(.notName(id.text), at: id.range)
    }
  }
}

extension CharacteristicProperties {
  /// nil if they are missing, or if one of the words is wrong.
  init?(_ words: [Scalar]?) {
    let known = words?.compactMap { Self.named($0.text) }
    guard let known, known.count == words?.count else { return nil }
    self = known.reduce([]) { $0.union($1) }
  }
}

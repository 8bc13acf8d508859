import Bluetooth
import DeviceModel

extension DefinitionDecoder {
  func decodeServices() {
    let services = root["services"]?.elements ?? []
    if let node = root["services"], services.isEmpty, case .sequence = node.content {
      log.error("the device has no services", at: node.range)
    }
    for node in services {
      let first = definition.characteristics.count
      for characteristic in node["characteristics"]?.elements ?? [] { decodeCharacteristic(characteristic) }
      guard checkCount(at: node) else { break }
      checkServiceIdentifier(node["id"])
      guard let uuid = attributeUUID(node["uuid"]) else { continue }
      nodes.services.append(node)
      definition.services.append(
        ServiceDefinition(
          id: node["id"]?.text ?? uuid.source, uuid: uuid, presence: presence(node["if"]),
          isPrimary: flag(node["primary"], default: true),
          characteristics: first..<definition.characteristics.count))
    }
    checkAttributes()
    checkAttributeTable()
  }

  /// More characteristics no device has; a rule may wait at each of them.
  private static let mostCharacteristics = 256

  private func checkCount(at node: YAMLNode) -> Bool {
    guard definition.characteristics.count > Self.mostCharacteristics else { return !log.isClosed }
    log.close(
      with: "more than \(Self.mostCharacteristics) characteristics", at: node.startRange,
      hint: "a device has at most so many, in all its services")
    return false
  }

  /// One whose UUID is wrong is kept, too: others may refer to it.
  private func decodeCharacteristic(_ node: YAMLNode) {
    let uuid = attributeUUID(node["uuid"])
    let descriptors = (node["descriptors"]?.elements ?? []).compactMap { node in
      descriptor(node).map { (node: node, definition: $0) }
    }
    let characteristic = CharacteristicDefinition(
      id: node["id"]?.text ?? uuid?.source ?? node["uuid"]?.text ?? "", uuid: uuid ?? .literal(0),
      presence: presence(node["if"]), properties: properties(of: node), permissions: permissions(of: node),
      value: initialValue(of: node),
      descriptors: descriptors.map(\.definition))
    if let place = node["id"] ?? node["uuid"] { checkIdentifier(characteristic.id, place) }
    if characteristic.canNotify {
      scope.addNotifying(characteristic.id, index: definition.characteristics.count)
    }
    definition.characteristics.append(characteristic)
    nodes.characteristics.append(node)
    nodes.descriptors.append(descriptors.map(\.node))
  }

  private func checkIdentifier(_ id: String, _ node: YAMLNode) {
    if definition.characteristics.contains(where: { $0.id == id }) {
      log.error("a second characteristic '\(id)'", at: node.range, hint: "give it an 'id' of its own")
    } else if id.contains("{") {
      guard !log.hasError(at: node.range) else { return }
      log.error(
        "a characteristic whose UUID comes from settings has a name", at: node.range,
        hint: "give it an 'id', as in id: serial")
    } else if id == "wire" {
      log.error("'wire' is the name of the serial side", at: node.range, hint: "choose another")
    } else if BluetoothUUID(id) == nil, !Identifier.isValid(id), !log.hasError(at: node.range) {
      log.error("'\(id)' is not a name", at: node.range, hint: Identifier.rule)
    }
  }

  private func checkServiceIdentifier(_ node: YAMLNode?) {
    guard let node, let id = node.text else { return }
    if definition.services.contains(where: { $0.id == id }) {
      log.error("a second service '\(id)'", at: node.range, hint: "give it an 'id' of its own")
    } else if BluetoothUUID(id) == nil, !Identifier.isValid(id) {
      log.error("'\(id)' is not a name", at: node.range, hint: Identifier.rule)
    }
  }

  /// Where they are wrong, all of them: so no other mistake follows from that one.
  private func properties(of node: YAMLNode) -> CharacteristicProperties {
    let words = node["properties"]?.elements ?? []
    let known = words.compactMap { $0.text.flatMap { CharacteristicProperties.named($0) } }
    if words.isEmpty, let list = node["properties"], case .sequence = list.content {
      log.error("a characteristic without properties is of no use", at: list.range)
    }
    let isWrong = words.isEmpty || known.count < words.count
    return isWrong ? CharacteristicProperties(rawValue: .max) : known.reduce([]) { $0.union($1) }
  }

  private func permissions(of node: YAMLNode) -> AttributePermissions {
    var permissions: AttributePermissions = []
    for word in node["permissions"]?.elements ?? [] {
      if let permission = word.text.flatMap({ AttributePermissions.named($0) }) {
        permissions.insert(permission)
      }
    }
    return permissions
  }

  private func descriptor(_ node: YAMLNode) -> DescriptorDefinition? {
    guard let uuid = uuid(node["uuid"]) else { return nil }
    let words = node["properties"].map { $0.elements.compactMap(\.text) } ?? ["read"]
    return DescriptorDefinition(
      uuid: uuid, canRead: words.contains("read"), canWrite: words.contains("write"),
      permissions: permissions(of: node), value: initialValue(of: node))
  }
}

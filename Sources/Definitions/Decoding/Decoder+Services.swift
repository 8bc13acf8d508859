import Bluetooth

extension DefinitionDecoder {
  func decodeServices() {
    let services = root["services"]?.elements ?? []
    if let node = root["services"], services.isEmpty, case .sequence = node.content {
      log.error("the device has no services", at: node.range)
    }
    for node in services {
      let first = definition.characteristics.count
      for characteristic in node["characteristics"]?.elements ?? [] { decodeCharacteristic(characteristic) }
      guard let uuid = uuid(node["uuid"]) else { continue }
      definition.services.append(
        ServiceDefinition(
          uuid: uuid, isPrimary: flag(node["primary"], default: true),
          characteristics: first..<definition.characteristics.count))
    }
  }

  private func decodeCharacteristic(_ node: YAMLNode) {
    guard let uuid = uuid(node["uuid"]) else { return }
    let characteristic = CharacteristicDefinition(
      id: node["id"]?.text ?? uuid.description, uuid: uuid, properties: properties(of: node),
      permissions: permissions(of: node), value: initialValue(of: node),
      descriptors: (node["descriptors"]?.elements ?? []).compactMap(descriptor))
    if let place = node["id"] ?? node["uuid"],
      definition.characteristics.contains(where: { $0.id == characteristic.id })
    {
      log.error(
        "a second characteristic '\(characteristic.id)'", at: place.range, hint: "give it an 'id' of its own")
    }
    if node["id"]?.text == "wire" {
      log.error("'wire' is the name of the serial side", at: node["id"]!.range, hint: "choose another")
    }
    definition.characteristics.append(characteristic)
  }

  private func properties(of node: YAMLNode) -> CharacteristicProperties {
    var properties: CharacteristicProperties = []
    for word in node["properties"]?.elements ?? [] {
      if let property = word.text.flatMap({ CharacteristicProperties.named($0) }) {
        properties.insert(property)
      }
    }
    if let list = node["properties"], list.elements.isEmpty {
      log.error("a characteristic without properties is of no use", at: list.range)
    }
    return properties
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
    if uuid == 0x2902 {
      log.error(
        "BlueZ makes the Client Characteristic Configuration (2902) itself", at: node["uuid"]!.range,
        hint: "remove it; 'notify' or 'indicate' brings it")
    }
    let words = node["properties"].map { $0.elements.compactMap(\.text) } ?? ["read"]
    return DescriptorDefinition(
      uuid: uuid, canRead: words.contains("read"), canWrite: words.contains("write"),
      permissions: permissions(of: node), value: initialValue(of: node))
  }

  func decodeWire() {
    guard let node = root["wire"]?["bridge"], let index = characteristic(node) else { return }
    let characteristic = definition.characteristics[index]
    if !characteristic.canNotify {
      log.error(
        "'\(characteristic.id)' has neither notify nor indicate", at: node.range,
        hint: "add one to its properties")
    }
    if !characteristic.canBeWritten {
      log.error(
        "'\(characteristic.id)' cannot be written", at: node.range,
        hint: "add write or write-without-response")
    }
    definition.wire.bridge = index
  }
}

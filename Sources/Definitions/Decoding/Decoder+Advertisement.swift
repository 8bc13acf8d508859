import Bluetooth
import DeviceModel

extension DefinitionDecoder {
  private typealias Part = AdvertisementTemplate.Part

  func decodeAdvertisement() {
    guard let node = root["advertisement"] else { return }
    var advertisement = AdvertisementTemplate()
    advertisement.localName = part(node["local-name"], "text") { name in
      read(name) { text throws(TextError) in try ValueTemplate.text(text, in: scope) }
    }
    advertisement.services = (node["services"]?.elements ?? []).compactMap {
      part($0, "uuid", advertisedService)
    }
    advertisement.manufacturerData = manufacturerData(node["manufacturer-data"])
    advertisement.serviceData = serviceData(node["service-data"])
    advertisement.raw = raw(node["raw"])
    advertisement.txPower = part(node["tx-power"], "dbm", power)
    advertisement.appearance = node["appearance"]?.text.flatMap(IntegerText.parse).flatMap(
      UInt16.init(exactly:))
    if let condition = condition(node["discoverable"]) { advertisement.isDiscoverable = condition }
    if let condition = condition(node["connectable"]) { advertisement.isConnectable = condition }
    advertisement.interval = interval(node["interval"])
    advertisement.timeout = duration(node["timeout"]).map { .milliseconds($0) }
    definition.advertisement = advertisement
    checkAdvertisement(at: node)
  }

  /// A service of the device's goes by its id, or by its UUID.
  private func advertisedService(_ node: YAMLNode) -> AdvertisedService? {
    guard let text = node.text else { return nil }
    let literal = BluetoothUUID(text)
    let own = definition.services.firstIndex { service in
      service.id == text || (literal != nil && BluetoothUUID(service.id) == literal)
    }
    return own.map(AdvertisedService.own) ?? uuid(node).map(AdvertisedService.uuid)
  }

  /// What stands alone, or in a mapping beside the condition under which it is advertised.
  private func part<Content>(
    _ node: YAMLNode?, _ key: String, _ read: (YAMLNode) -> Content?
  ) -> Part<Content>? {
    guard let node, let content = read(node.text == nil ? node[key] ?? node : node) else { return nil }
    guard let place = node["if"] else { return Part(content: content) }
    return condition(place).map { Part(content: content, condition: $0) }
  }

  private func condition(_ node: YAMLNode?) -> Expression? {
    read(node) { text throws(TextError) in try expression(text, as: .boolean, in: scope) }
  }

  private func bytes(_ node: YAMLNode) -> ValueTemplate? {
    read(node) { text throws(TextError) in try ValueTemplate.bytes(text, in: scope) }
  }

  private func manufacturerData(_ node: YAMLNode?) -> [Part<(company: UInt16, value: ValueTemplate)>] {
    (node?.entries ?? []).compactMap { entry in
      guard let text = entry.key.text else { return nil }
      let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
      guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let company = UInt16(digits, radix: 16) else {
        log.error(
          "'\(text)' is not a company identifier", at: entry.key.range, hint: "4 hex digits, as in 004C")
        return nil
      }
      return part(entry.value, "bytes") { bytes($0).map { (company, $0) } }
    }
  }

  private func serviceData(_ node: YAMLNode?) -> [Part<(uuid: BluetoothUUID, value: ValueTemplate)>] {
    (node?.entries ?? []).compactMap { entry in
      guard let uuid = uuid(entry.key) else { return nil }
      return part(entry.value, "bytes") { bytes($0).map { (uuid, $0) } }
    }
  }

  private func raw(_ node: YAMLNode?) -> [Part<(type: AdvertisingDataType, value: ValueTemplate)>] {
    (node?.entries ?? []).compactMap { entry in
      guard let text = entry.key.text else { return nil }
      guard let type = AdvertisingDataType(text) else {
        log.error("'\(text)' is not an AD type", at: entry.key.range, hint: "2 hex digits, as in 24")
        return nil
      }
      let structure = part(entry.value, "bytes") { bytes($0).map { (type: type, value: $0) } }
      if structure != nil { nodes.rawStructures.append(entry) }
      return structure
    }
  }

  // MARK: Numbers

  private func power(_ node: YAMLNode) -> Expression? {
    let power = read(node) { text throws(TextError) in try expression(text, as: .integer, in: scope) }
    let range = AdvertisementTemplate.powers
    guard case .constant(.integer(let number)) = power, !range.contains(Int(number)) else { return power }
    log.error("\(number) is not in \(range.lowerBound)…\(range.upperBound)", at: node.range)
    return nil
  }

  private func interval(_ node: YAMLNode?) -> (min: Expression, max: Expression)? {
    guard let min = milliseconds(node?["min"]), let max = milliseconds(node?["max"]) else { return nil }
    return (min, max)
  }

  private func milliseconds(_ node: YAMLNode?) -> Expression? {
    read(node) { text throws(TextError) in try milliseconds(text, atLeast: 0, in: scope) }
  }
}

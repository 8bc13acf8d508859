import Bluetooth

extension DefinitionDecoder {
  func decodeAdvertisement() {
    guard let node = root["advertisement"] else { return }
    var advertisement = AdvertisementTemplate()
    advertisement.localName = read(node["local-name"]) { text throws(TextError) in
      try ValueTemplate.text(text, in: scope)
    }
    advertisement.services = (node["services"]?.elements ?? []).compactMap(uuid)
    advertisement.manufacturerData = manufacturerData(node["manufacturer-data"])
    advertisement.serviceData = serviceData(node["service-data"])
    advertisement.raw = raw(node["raw"])
    advertisement.txPower = node["tx-power"]?.text.flatMap(IntegerText.parse).flatMap(Int8.init(exactly:))
    advertisement.appearance = node["appearance"]?.text.flatMap(IntegerText.parse).flatMap(
      UInt16.init(exactly:))
    advertisement.isDiscoverable = flag(node["discoverable"], default: true)
    advertisement.isConnectable = flag(node["connectable"], default: true)
    advertisement.interval = interval(node["interval"])
    advertisement.timeout = duration(node["timeout"]).map { .milliseconds($0) }
    definition.advertisement = advertisement
    checkBudget(at: node)
  }

  private func bytes(_ node: YAMLNode) -> ValueTemplate? {
    read(node) { text throws(TextError) in try ValueTemplate.bytes(text, in: scope) }
  }

  private func manufacturerData(_ node: YAMLNode?) -> [(company: UInt16, value: ValueTemplate)] {
    (node?.entries ?? []).compactMap { entry in
      guard let text = entry.key.text, let value = bytes(entry.value) else { return nil }
      let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
      guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let company = UInt16(digits, radix: 16) else {
        log.error(
          "'\(text)' is not a company identifier", at: entry.key.range, hint: "4 hex digits, as in 004C")
        return nil
      }
      return (company, value)
    }
  }

  private func serviceData(_ node: YAMLNode?) -> [(uuid: BluetoothUUID, value: ValueTemplate)] {
    (node?.entries ?? []).compactMap { entry in
      guard let uuid = uuid(entry.key), let value = bytes(entry.value) else { return nil }
      return (uuid, value)
    }
  }

  /// Vol 4 Part E 7.8.5: from 20 ms to 10.24 s.
  private func interval(_ node: YAMLNode?) -> ClosedRange<AdvertisingInterval>? {
    guard let node, let min = duration(node["min"]), let max = duration(node["max"]) else { return nil }
    guard min <= max, let least = AdvertisingInterval(milliseconds: Double(min)),
      let most = AdvertisingInterval(milliseconds: Double(max))
    else {
      log.error("an interval goes from 20ms to 10240ms, 'min' not above 'max'", at: node.startRange)
      return nil
    }
    return least...most
  }

  private func raw(_ node: YAMLNode?) -> [(type: AdvertisingDataType, value: ValueTemplate)] {
    var seen: Set<AdvertisingDataType> = []
    return (node?.entries ?? []).compactMap { entry in
      guard let text = entry.key.text, let value = bytes(entry.value) else { return nil }
      guard let type = AdvertisingDataType(text) else {
        log.error("'\(text)' is not an AD type", at: entry.key.range, hint: "2 hex digits, as in 24")
        return nil
      }
      if !seen.insert(type).inserted {
        log.error(
          "a second structure of type \(text)", at: entry.key.range, hint: "BlueZ sends one of each type")
      }
      return (type, value)
    }
  }
}

import Bluetooth

/// Attributes that BlueZ has of its own, and such as are there twice.
extension DefinitionDecoder {
  func checkAttributes() {
    let services = root["services"]?.elements ?? []
    for service in services { checkService(service) }
    for double in doubles(in: services) { warn(of: double) }
    for service in services {
      let characteristics = service["characteristics"]?.elements ?? []
      for double in doubles(in: characteristics) { warn(of: double) }
      for characteristic in characteristics { checkDescriptors(of: characteristic) }
    }
  }

  private func checkService(_ node: YAMLNode) {
    guard let place = node["uuid"], let uuid = place.text.flatMap({ BluetoothUUID($0) }) else { return }
    switch uuid {
    case 0x1800, 0x1801:
      let name = uuid.name ?? "this service"
      log.error(
        "BlueZ has \(name) (\(uuid)) of its own, and refuses another", at: place.range, hint: "remove it")
    case 0x180A:
      log.warn(
        "BlueZ has Device Information (180A) of its own, which comes first", at: place.range,
        hint: "'DeviceID = false' under [General] in bluetoothd's main.conf takes it away")
    default: break
    }
  }

  /// Where UUIDs stand that an earlier element of the list has, too; both of them with all settings.
  private func doubles(in nodes: [YAMLNode]) -> [(uuid: BluetoothUUID, place: YAMLNode)] {
    var seen: Set<BluetoothUUID> = []
    return nodes.compactMap { node in
      guard node["if"] == nil, let place = node["uuid"], let uuid = place.text.flatMap({ BluetoothUUID($0) })
      else { return nil }
      return seen.insert(uuid).inserted ? nil : (uuid, place)
    }
  }

  /// It may be meant, as with two batteries. Where its name is taken, that has been said.
  private func warn(of double: (uuid: BluetoothUUID, place: YAMLNode)) {
    guard !log.hasError(at: double.place.range) else { return }
    log.warn(
      "a second \(double.uuid) beside the first", at: double.place.range,
      hint: "many clients find only the first")
  }

  private func checkDescriptors(of characteristic: YAMLNode) {
    let words = characteristic["properties"]?.elements.compactMap(\.text) ?? []
    let descriptors = characteristic["descriptors"]?.elements ?? []
    for place in descriptors.compactMap({ $0["uuid"] }) { checkDescriptor(place, words) }
    for (uuid, place) in doubles(in: descriptors) {
      log.error(
        "a second descriptor \(uuid)", at: place.range, hint: "a characteristic has one of each kind")
    }
  }

  /// BlueZ makes the descriptors that follow from a characteristic's properties (Vol 3 Part G 3.3.3.1 and 3.3.3.3).
  private func checkDescriptor(_ place: YAMLNode, _ properties: [String]) {
    let extending = ["reliable-write", "writable-auxiliaries"]
    switch place.text.flatMap({ BluetoothUUID($0) }) {
    case 0x2902:
      log.error(
        "BlueZ makes the Client Characteristic Configuration (2902) itself", at: place.range,
        hint: "remove it; 'notify' or 'indicate' brings it")
    case 0x2900 where properties.contains(where: extending.contains):
      log.error(
        "BlueZ makes the Characteristic Extended Properties (2900) itself", at: place.range,
        hint: "remove it; 'reliable-write' or 'writable-auxiliaries' brings it")
    case 0x2900 where !properties.contains("extended-properties"):
      log.warn(
        "2900 tells of extended properties, and this characteristic has none", at: place.range,
        hint: "'reliable-write' or 'writable-auxiliaries' brings it")
    default: break
    }
  }
}

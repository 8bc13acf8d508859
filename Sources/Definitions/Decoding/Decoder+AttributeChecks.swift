import Bluetooth

/// Attributes that are there twice.
extension DefinitionDecoder {
  func checkAttributes() {
    let services = root["services"]?.elements ?? []
    for double in doubles(in: services) { warn(of: double) }
    for service in services {
      let characteristics = service["characteristics"]?.elements ?? []
      for double in doubles(in: characteristics) { warn(of: double) }
      for characteristic in characteristics { checkDescriptors(of: characteristic) }
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
    for (uuid, place) in doubles(in: characteristic["descriptors"]?.elements ?? []) {
      log.error(
        "a second descriptor \(uuid)", at: place.range, hint: "a characteristic has one of each kind")
    }
  }
}

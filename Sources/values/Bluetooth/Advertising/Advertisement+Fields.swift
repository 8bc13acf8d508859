/// The AD structures of an advertisement's parts. A transport decides about their order and packets.
extension Advertisement {
  /// A list of UUIDs for each width.
  package var serviceFields: [AdvertisingField] {
    serviceLists.map { AdvertisingField(.services, ADStructure(.completeServiceUUIDs($0), $1)) }
  }

  /// Likewise, as incomplete lists: the device has more services (CSS Part A 1.1).
  package var incompleteServiceFields: [AdvertisingField] {
    serviceLists.map { AdvertisingField(.incompleteServices, ADStructure(.incompleteServiceUUIDs($0), $1)) }
  }

  private var serviceLists: [(BluetoothUUID.Width, [UInt8])] {
    [BluetoothUUID.Width.bits16, .bits32, .bits128].compactMap { width in
      let uuids = serviceUUIDs.filter { $0.width == width }
      return uuids.isEmpty ? nil : (width, uuids.flatMap(\.littleEndianBytes))
    }
  }

  package var manufacturerFields: [AdvertisingField] {
    manufacturerData.map { AdvertisingField(.manufacturerData, $0.structure) }
  }

  package var serviceDataFields: [AdvertisingField] {
    serviceData.map { AdvertisingField(.serviceData, $0.structure) }
  }

  package var appearanceFields: [AdvertisingField] {
    guard let appearance else { return [] }
    let bytes = [UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance >> 8)]
    return [AdvertisingField(.appearance, ADStructure(.appearance, bytes))]
  }

  package var rawFields: [AdvertisingField] {
    rawStructures.map { AdvertisingField(.raw, $0) }
  }

  package var powerFields: [AdvertisingField] {
    guard let txPower else { return [] }
    return [AdvertisingField(.txPower, ADStructure(.txPowerLevel, [UInt8(bitPattern: txPower)]))]
  }

  /// The name, complete or cut to this many bytes.
  package func nameFields(room: Int) -> [AdvertisingField] {
    guard let name = localName.map({ Array($0.utf8) }), !name.isEmpty else { return [] }
    let type: AdvertisingDataType = name.count <= room ? .completeLocalName : .shortenedLocalName
    return [AdvertisingField(.localName, ADStructure(type, Array(name.prefix(room))))]
  }
}

extension AdvertisingField {
  /// LE General Discoverable Mode is 0x02, BR/EDR Not Supported 0x04 (Core Specification Supplement, Part A 1.3).
  package static func flags(_ flags: UInt8) -> Self { Self(.flags, ADStructure(.flags, [flags])) }
}

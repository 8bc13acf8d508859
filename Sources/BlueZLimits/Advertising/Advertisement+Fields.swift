import Bluetooth

extension Advertisement {
  /// The fields that BlueZ itself puts into the advertising data.
  var ownFields: [AdvertisingField] {
    serviceFields + manufacturerFields + serviceDataFields + appearanceFields + rawFields
      + (isDiscoverable ? [flagsField(0x06)] : [])
  }

  /// The fields that BlueZ counts: tx-power counts three bytes even if it is not sent, and the kernel's Flags count
  /// nothing.
  var countedFields: [AdvertisingField] { ownFields + txPowerField }

  /// The field that the kernel puts first: Flags, unless BlueZ sends them. (An adapter with BR/EDR enabled sends no
  /// Flags then.)
  var kernelFlags: [AdvertisingField] { isDiscoverable ? [] : [flagsField(0x04)] }

  /// The field that the kernel puts last. The value is the controller's own where BlueZ cannot set it.
  var txPowerField: [AdvertisingField] {
    guard let txPower else { return [] }
    return [AdvertisingField(.txPower, ADStructure(.txPowerLevel, [UInt8(bitPattern: txPower)]))]
  }

  /// Only the name, which BlueZ cuts to what fits.
  var scanResponseFields: [AdvertisingField] {
    guard let name = localName.map({ Array($0.utf8) }), !name.isEmpty else { return [] }
    let room = AdvertisingData.legacyCapacity - 2
    let isComplete = name.count <= room
    let type: AdvertisingDataType = isComplete ? .completeLocalName : .shortenedLocalName
    return [AdvertisingField(.localName, ADStructure(type, Array(name.prefix(room))))]
  }

  /// LE General Discoverable Mode is 0x02, BR/EDR Not Supported 0x04 (Core Specification Supplement, Part A 1.3).
  private func flagsField(_ flags: UInt8) -> AdvertisingField {
    AdvertisingField(.flags, ADStructure(.flags, [flags]))
  }

  private var serviceFields: [AdvertisingField] {
    [BluetoothUUID.Width.bits16, .bits32, .bits128].compactMap { width in
      let uuids = serviceUUIDs.filter { $0.width == width }
      guard !uuids.isEmpty else { return nil }
      let bytes = uuids.flatMap(\.littleEndianBytes)
      return AdvertisingField(.services, ADStructure(.completeServiceUUIDs(width), bytes))
    }
  }

  private var manufacturerFields: [AdvertisingField] {
    manufacturerData.map { AdvertisingField(.manufacturerData, $0.structure) }
  }

  private var serviceDataFields: [AdvertisingField] {
    serviceData.map { AdvertisingField(.serviceData, $0.structure) }
  }

  private var appearanceFields: [AdvertisingField] {
    guard let appearance else { return [] }
    let bytes = [UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance >> 8)]
    return [AdvertisingField(.appearance, ADStructure(.appearance, bytes))]
  }

  private var rawFields: [AdvertisingField] {
    rawStructures.map { AdvertisingField(.raw, $0) }
  }
}

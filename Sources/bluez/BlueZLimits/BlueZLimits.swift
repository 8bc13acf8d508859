import Bluetooth
import DeviceModel

/// The parts of a device that BlueZ can serve. All limits of BlueZ that are not limits of Bluetooth are here.
package struct BlueZLimits: TransportLimits {
  private let version: @Sendable () -> BlueZVersion?

  /// - Parameter version: the version of BlueZ, if it is known. It is asked only for what depends on it.
  package init(of version: @escaping @Sendable () -> BlueZVersion? = { nil }) {
    self.version = version
  }

  package func check(_ definition: PeripheralDefinition) -> [Finding] {
    AttributeCheck(definition, version).findings + AdvertisingCheck(definition, version).findings
      + ErrorCheck(definition).findings + LinkCheck(definition).findings
      + SecurityCheck(definition).findings + ValueCheck(definition).findings
      + FaultCheck(definition).findings
  }

  package func remarks(on fault: Fault, of definition: PeripheralDefinition) -> [String] {
    FaultCheck(definition).remarks(on: fault)
  }

  package func remark(onWritesTo characteristic: CharacteristicDefinition) -> String? {
    characteristic.isAnsweredByBlueZ ? FaultCheck.remark(onWritesTo: [characteristic]) : nil
  }

  /// bluetoothd refuses a request itself after 5 s (bluez 5.66 to 5.87: src/shared/gatt-db.c, `ATTRIBUTE_TIMEOUT`).
  package var longestAnswer: Duration { .milliseconds(4500) }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? {
    guard served(table).services.isEmpty, let service = table.services.last else { return nil }
    let id = definition.services[service.index].id
    return
      "the service '\(id)': \(OwnAttributes.replacement(of: service.uuid)), and there is no other service"
  }

  package func served(_ table: AttributeTable) -> AttributeTable {
    AttributeTable(services: table.services.filter { !OwnAttributes.services.contains($0.uuid) })
  }

  package func problem(with advertisement: Advertisement) -> String? {
    AdvertisingLayout(advertisement, on: version).refusal?.description
  }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? {
    AdvertisingLayout(advertisement, on: version).packets
  }

  /// Whether a device has Device Information (180A), which BlueZ may also serve itself.
  package static func hasDeviceInformation(_ table: AttributeTable) -> Bool {
    table.services.contains { $0.uuid == OwnAttributes.deviceInformation }
  }

  /// After BlueZ's own attributes: Generic Access, Generic Attribute, Device Information.
  package var handles: HandleAssignment? {
    HandleAssignment(
      first: 0x15, server: "BlueZ",
      note:
        "handles as BlueZ 5.66 assigns them to the first device after bluetoothd starts; later devices get higher ones"
    )
  }
}

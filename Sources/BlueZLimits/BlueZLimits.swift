import Bluetooth
import DeviceModel

/// What BlueZ can do with a device: a place for all that is true of BlueZ, and not of Bluetooth.
package struct BlueZLimits: TransportLimits {
  package init() {}

  package func check(_ definition: PeripheralDefinition) -> [Finding] {
    AttributeCheck(definition).findings + AdvertisingCheck(definition).findings
      + ErrorCheck(definition).findings
  }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? {
    guard let service = table.services.first(where: { OwnAttributes.services.contains($0.uuid) }) else {
      return nil
    }
    return
      "the service '\(definition.services[service.index].id)': \(OwnAttributes.refusal(of: service.uuid))"
  }

  package func problem(with advertisement: Advertisement) -> String? {
    AdvertisingLayout(advertisement).refusal?.description
  }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? {
    AdvertisingLayout(advertisement).packets
  }

  /// After BlueZ's own attributes: Generic Access, Generic Attribute, Device Information.
  package var handles: HandleAssignment? {
    HandleAssignment(
      first: 0x15, server: "BlueZ",
      note:
        "handles are those of BlueZ 5.66 for the first device since bluetoothd began, a later one's are higher"
    )
  }
}

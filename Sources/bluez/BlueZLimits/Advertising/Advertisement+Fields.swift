import Bluetooth

extension Advertisement {
  /// What BlueZ sends of it: not the raw structures of the scan response that it refuses, because there it has only the name. And
  /// it takes nothing for discoverable to which no central may connect.
  package var sentByBlueZ: Self {
    var sent = self
    if isFull { sent.isDiscoverable = isDiscoverable && isConnectable }
    guard layout?.scanResponse.contains(.raw) == true else { return sent }
    sent.rawStructures.removeAll(where: \.type.isRefusedAsRawData)
    return sent
  }

  /// The fields that BlueZ itself puts into the advertising data.
  var ownFields: [AdvertisingField] {
    serviceFields + manufacturerFields + serviceDataFields + appearanceFields + rawFields
      + (isDiscoverable ? [.flags(0x06)] : [])
  }

  /// The fields that BlueZ counts: tx-power counts three bytes even if it is not sent, and the kernel's Flags count
  /// nothing.
  var countedFields: [AdvertisingField] { ownFields + txPowerField }

  /// The field that the kernel puts first: Flags, unless BlueZ sends them. (An adapter with BR/EDR enabled sends no
  /// Flags then.)
  var kernelFlags: [AdvertisingField] { isDiscoverable ? [] : [.flags(0x04)] }

  /// The field that the kernel puts last. The value is the controller's own where BlueZ cannot set it.
  var txPowerField: [AdvertisingField] { powerFields }

  /// Only the name, which BlueZ cuts to what fits.
  var scanResponseFields: [AdvertisingField] { nameFields(room: AdvertisingData.legacyCapacity - 2) }
}

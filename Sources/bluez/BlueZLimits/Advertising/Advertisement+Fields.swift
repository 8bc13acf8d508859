import Bluetooth

extension Advertisement {
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
}

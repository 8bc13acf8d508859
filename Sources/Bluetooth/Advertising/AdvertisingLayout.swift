/// How BlueZ and the kernel spread an `Advertisement` over the two legacy packets.
///
/// Through `org.bluez.LEAdvertisement1` a program chooses what is sent, not where. BlueZ (`src/shared/ad.c`, 5.66
/// to 5.87) puts into the advertising data: service UUIDs by width, manufacturer data, service data, appearance,
/// raw structures and, if the advertisement is discoverable, Flags. The name goes alone into the scan response.
/// The kernel (`net/bluetooth/eir.c`) puts Flags before that if there are none, and tx-power behind it, each only
/// if there is room (Linux before mid 2025 does not ask whether there is). Seen on the air: BlueZ 5.66, Linux 6.1.192.
package struct AdvertisingLayout: Hashable, Sendable {
  /// In the order in which they are sent.
  package let advertisingFields: [AdvertisingField]
  package let scanResponseFields: [AdvertisingField]

  /// What BlueZ counts when it asks whether the advertisement fits.
  package let countedFields: [AdvertisingField]

  /// What is silently not sent, for want of room.
  package let omittedFields: [AdvertisingField]

  /// Why BlueZ would refuse the advertisement, or alter it.
  package let problems: [AdvertisingProblem]

  package init(_ advertisement: Advertisement) {
    let own = advertisement.ownFields
    let flags = advertisement.kernelFlags.fitting(beside: own)
    let power = advertisement.txPowerField.fitting(beside: own + flags)
    advertisingFields = flags + own + power
    omittedFields = (advertisement.kernelFlags + advertisement.txPowerField).filter {
      !(flags + power).contains($0)
    }
    scanResponseFields = advertisement.scanResponseFields
    countedFields = advertisement.countedFields
    problems = advertisement.problems
  }

  package var advertisingData: AdvertisingData {
    AdvertisingData(advertisingFields.map(\.structure))
  }

  package var scanResponse: AdvertisingData {
    AdvertisingData(scanResponseFields.map(\.structure))
  }

  /// Whether BlueZ accepts the registration.
  package var isAccepted: Bool { !problems.contains(where: \.isFatal) }
}

extension [AdvertisingField] {
  /// The bytes they take on the air.
  package var size: Int { reduce(0) { $0 + $1.size } }

  /// These fields, if they fit one packet together with others.
  fileprivate func fitting(beside others: Self) -> Self {
    size + others.size <= AdvertisingData.legacyCapacity ? self : []
  }
}

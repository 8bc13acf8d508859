/// How BlueZ and the kernel spread an `Advertisement` over the two legacy packets.
///
/// Through `org.bluez.LEAdvertisement1` a program chooses what is sent, not where. BlueZ (`src/shared/ad.c`,
/// 5.66 to 5.87) puts into the advertising data: service UUIDs by width, manufacturer data, service data,
/// appearance, raw structures and, if the advertisement is discoverable, Flags; the name goes alone into the
/// scan response. The kernel (`net/bluetooth/eir.c`) puts Flags before that if there are none yet, and tx-power
/// behind it if there is room.
package struct AdvertisingLayout: Hashable, Sendable {
  /// In the order in which they are sent.
  package let advertisingFields: [AdvertisingField]
  package let scanResponseFields: [AdvertisingField]

  /// What is silently not sent, for want of room.
  package let omittedFields: [AdvertisingField]

  /// Why BlueZ would refuse the advertisement, or alter it.
  package let problems: [AdvertisingProblem]

  package init(_ advertisement: Advertisement) {
    let fields = advertisement.fields
    let power = advertisement.txPowerField
    let used = fields.reduce(0) { $0 + $1.size }
    let fits = power.map { used + $0.size <= AdvertisingData.legacyCapacity } ?? false
    advertisingFields = fields + (fits ? [power].compactMap(\.self) : [])
    omittedFields = fits ? [] : [power].compactMap(\.self)
    scanResponseFields = advertisement.scanResponseFields
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

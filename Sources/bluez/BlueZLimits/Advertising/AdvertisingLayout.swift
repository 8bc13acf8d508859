import Bluetooth

/// How BlueZ and the kernel spread an `Advertisement` over the two legacy packets.
///
/// Through `org.bluez.LEAdvertisement1` a program chooses what is sent, but not where. BlueZ (`src/shared/ad.c`,
/// 5.66 to 5.87) puts into the advertising data: service UUIDs by width, manufacturer data, service data,
/// appearance, raw structures and, if the advertisement is discoverable, Flags. The scan response holds only the
/// name. The kernel (`net/bluetooth/eir.c`) puts Flags before that if there are none, and tx-power after it, each
/// only if there is room (Linux before mid 2025 does not check this). Observed on the air: BlueZ 5.66, Linux
/// 6.1.192.
struct AdvertisingLayout: Hashable {
  let packets: AdvertisingPackets

  /// The fields that BlueZ counts to check whether the advertisement fits.
  let countedFields: [AdvertisingField]

  /// Why BlueZ refuses the advertisement or changes it.
  let problems: [AdvertisingProblem]

  init(_ advertisement: Advertisement) {
    let advertisement = advertisement.sentByBlueZ
    let own = advertisement.ownFields
    let flags = advertisement.kernelFlags.fitting(beside: own)
    let power = advertisement.txPowerField.fitting(beside: own + flags)
    countedFields = advertisement.countedFields
    problems = advertisement.problems
    packets = AdvertisingPackets(
      advertisingFields: flags + own + power, scanResponseFields: advertisement.scanResponseFields,
      omittedFields: (advertisement.kernelFlags + advertisement.txPowerField).filter {
        !(flags + power).contains($0)
      },
      remarks: problems.map(\.description))
  }

  /// Why BlueZ refuses the registration; nil: it accepts it.
  var refusal: AdvertisingProblem? { problems.first(where: \.isFatal) }
}

extension [AdvertisingField] {
  /// These fields, if they fit into one packet together with the others.
  fileprivate func fitting(beside others: Self) -> Self {
    size + others.size <= AdvertisingData.legacyCapacity ? self : []
  }
}

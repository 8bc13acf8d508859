import Bluetooth

/// How BlueZ and the kernel spread an `Advertisement` over the two legacy packets.
///
/// Through `org.bluez.LEAdvertisement1` a program chooses what is sent, but not where. BlueZ (`src/shared/ad.c`,
/// 5.66 to 5.87) puts into the advertising data: service UUIDs by width, manufacturer data, service data,
/// appearance, raw structures and, if the advertisement is discoverable, Flags. The scan response holds the name, and
/// what ``SentAdvertisement`` puts there. The kernel (`net/bluetooth/eir.c`) puts Flags before that if there are none, and tx-power after it, each
/// only if there is room (Linux before mid 2025 does not check this). Observed on the air: BlueZ 5.66, Linux
/// 6.1.192.
struct AdvertisingLayout: Hashable {
  let packets: AdvertisingPackets

  /// What BlueZ gets.
  let sent: SentAdvertisement

  /// Why BlueZ refuses the advertisement or changes it.
  let problems: [AdvertisingProblem]

  /// - Parameter version: the version of BlueZ, if it is known. It is asked only for what depends on it.
  init(_ advertisement: Advertisement, on version: () -> BlueZVersion? = { nil }) {
    sent = SentAdvertisement(advertisement, to: version)
    let main = sent.main
    let own = main.ownFields
    let flags = main.kernelFlags.fitting(beside: own)
    let power = main.txPowerField.fitting(beside: own + flags)
    problems = sent.problems(of: advertisement, on: version)
    let name = main.localName == nil ? advertisement.nameFields(room: .max) : []
    packets = AdvertisingPackets(
      advertisingFields: flags + own + power, scanResponseFields: sent.scanResponseFields,
      omittedFields: (main.kernelFlags + main.txPowerField).filter { !(flags + power).contains($0) } + name,
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

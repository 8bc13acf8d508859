import Bluetooth

/// Flips a bit in each part of the advertisement that has bytes: manufacturer data, service data and raw structures. If
/// there are none, one letter of the local name changes.
struct GarbleAdvertisement: FaultEffect {
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    var changed = advertisement
    for index in changed.manufacturerData.indices { flip(&changed.manufacturerData[index].bytes, &random) }
    for index in changed.serviceData.indices { flip(&changed.serviceData[index].bytes, &random) }
    for index in changed.rawStructures.indices { flip(&changed.rawStructures[index].value, &random) }
    if changed == advertisement, let name = changed.localName { changed.localName = garbled(name, &random) }
    return changed
  }

  private func flip(_ bytes: inout [UInt8], _ random: inout FaultRandom) {
    guard !bytes.isEmpty else { return }
    bytes[random.below(bytes.count)] ^= 1 << random.below(8)
  }

  /// The text with one letter replaced by another, so that it stays UTF-8 of the same size.
  private func garbled(_ name: String, _ random: inout FaultRandom) -> String {
    var bytes = Array(name.utf8)
    let letters = bytes.indices.filter { bytes[$0] < 0x80 }
    guard !letters.isEmpty else { return name }
    bytes[letters[random.below(letters.count)]] ^= 1
    return String(decoding: bytes, as: UTF8.self)
  }
}

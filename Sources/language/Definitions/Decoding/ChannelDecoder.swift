import Bluetooth
import DeviceModel

/// Reads the credit-based channels.
struct ChannelDecoder {
  /// The ids of the characteristics, which share their names with the channels.
  let characteristics: [String]
  let log: DiagnosticLog

  func channels(
    _ entries: [Entry<Node<Language.Channel>>], _ places: inout DefinitionPlaces
  ) -> [ChannelDefinition] {
    var channels: [ChannelDefinition] = []
    for entry in entries {
      log.check(place: entry.key, among: [(characteristics, "a characteristic")])
      let channel = channel(entry.key.text, entry.value)
      if let psm = entry.value.psm, let other = channels.first(where: { $0.offer.spsm == channel.offer.spsm })
      {
        log.error(.secondPSM(channel.offer.spsm, of: other.id), at: psm.range)
      }
      channels.append(channel)
      places.channels.append(entry.key.range)
    }
    return channels
  }

  private func channel(_ id: String, _ node: Node<Language.Channel>) -> ChannelDefinition {
    var terms = ChannelDefinition.standardTerms
    if let mtu = node.mtu { terms.mtu = UInt16(mtu.value) }
    let longest = Int(terms.mtu) + 2
    terms.mps = UInt16(node.mps?.value ?? min(longest, Int(terms.mps)))
    if let credits = node.credits { terms.credits = UInt16(credits.value) }
    if let mps = node.mps, mps.value > longest {
      log.error(.longFrames(mps: mps.value, mtu: Int(terms.mtu)), at: mps.range)
    }
    let level = ChannelDefinition.securityLevels.first { $0.name == node.security?.text }?.level ?? .none
    if let size = node.keySize, node.security?.text == "none" {
      log.error(.keyOfOpenChannel, at: size.range)
    }
    return ChannelDefinition(
      id: id,
      ChannelOffer(
        spsm: UInt16(node.psm?.value ?? 0), terms, level: level, keySize: node.keySize?.value ?? 7))
  }
}

/// Mistakes in a credit-based channel.
extension Mistake {
  static func secondPSM(_ psm: UInt16, of id: String) -> Self {
    Self(
      "'\(id)' has the PSM 0x\(String(psm, radix: 16, uppercase: true)), too",
      "give each channel a PSM of its own, from 0x80 to 0xFF")
  }
  static func longFrames(mps: Int, mtu: Int) -> Self {
    Self(
      "no K-frame has \(mps) bytes: the longest SDU and its length need \(mtu + 2)",
      "mps: \(mtu + 2), or a greater mtu")
  }
  static let keyOfOpenChannel = Self(
    "'key-size' has no effect: the channel demands no encryption", "security: encrypt")
  static func unknownChannel(id: String, known: [String]) -> Self {
    Self(
      "no channel has the id '\(id)'",
      known.isEmpty ? "add it to 'channels'" : Suggestion.hint(for: id, in: known))
  }
  static func channelAsCharacteristic(id: String) -> Self {
    Self("'\(id)' is a channel, not a characteristic", "a channel has the events open, close and receive")
  }
}

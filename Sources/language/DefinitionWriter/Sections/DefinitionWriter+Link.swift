import Bluetooth
import Definitions
import DeviceModel

// The link, pairing, and the wire side.
extension DefinitionWriter {
  func link() throws -> YAMLValue? {
    let link = device.link
    var entries: [YAMLValue.Entry] = []
    entries.add("mtu", link.mtu.map { .number($0) })
    entries.add("centrals", link.centrals.map { .number($0) })
    if link.whenFull != .silent { entries.add("when-full", .word(link.whenFull.rawValue)) }
    entries.add("accept", try device.advertisement.accepted.map(accepted))
    entries.add("parameters", link.preferred.map { Self.parameters($0, askAfter: link.askAfter) })
    if link.multipleNotifications { entries.add("multiple-notifications", .flag(true)) }
    return entries.isEmpty ? nil : .object(entries, .compact)
  }

  package static func parameters(
    _ preferred: PreferredConnectionParameters, askAfter: Duration?
  ) -> YAMLValue {
    let interval = [
      YAMLValue.Entry("min", self.interval(preferred.interval.lowerBound)),
      YAMLValue.Entry("max", self.interval(preferred.interval.upperBound)),
    ]
    var entries: [YAMLValue.Entry] = [.init("interval", .object(interval, .compact))]
    if preferred.latency > 0 { entries.add("latency", .number(preferred.latency)) }
    entries.add("timeout", duration(Int64(preferred.supervisionTimeout) * 10))
    entries.add("ask-after", askAfter.map(duration))
    return .object(entries, .compact)
  }

  /// Units of 1.25 ms: `7.5ms`.
  private static func interval(_ units: UInt16) -> YAMLValue {
    let hundredths = Int64(units) * 125
    if hundredths.isMultiple(of: 100) { return duration(hundredths / 100) }
    return .text(DecimalText.write(Double(hundredths) / 100) + "ms")
  }

  // MARK: Pairing

  func security() throws -> YAMLValue? {
    guard let security = device.security else { return nil }
    let standard = PairingTemplate()
    var entries: [YAMLValue.Entry] = []
    entries.add("if", try security.condition.map { try writer.value($0) })
    if security.isAllowed != standard.isAllowed {
      entries.add("pairing", try writer.value(security.isAllowed))
    }
    if security.capability != standard.capability {
      entries.add("io-capability", try word(security.capability, of: IOCapability.allCases.map(\.name)))
    }
    entries.add("passkey", security.passkey.map { .quoted($0.source) })
    if security.secureConnections != standard.secureConnections {
      let words = PairingPolicy.SecureConnections.allCases.map(\.rawValue)
      entries.add("secure-connections", try word(security.secureConnections, of: words))
    }
    if security.requirement != standard.requirement {
      let words = PairingTemplate.Requirement.allCases.map(\.rawValue)
      entries.add("require", try word(security.requirement, of: words))
    }
    if security.bonds != standard.bonds { entries.add("bonding", try writer.value(security.bonds)) }
    entries.add("bonds", try security.mostBonds.map { try writer.value($0) })
    if security.whenFull != standard.whenFull {
      let words = PairingTemplate.FullUse.allCases.map(\.rawValue)
      entries.add("when-full", try word(security.whenFull, of: words))
    }
    try addKeySize(security, standard, to: &entries)
    if security.requestsSecurity != standard.requestsSecurity {
      entries.add("request", try writer.value(security.requestsSecurity))
    }
    return .object(entries, .compact)
  }

  private func addKeySize(
    _ security: PairingTemplate, _ standard: PairingTemplate, to entries: inout [YAMLValue.Entry]
  ) throws {
    let least = security.minimumKeySize == standard.minimumKeySize ? nil : security.minimumKeySize
    guard security.maximumKeySize != standard.maximumKeySize else {
      return entries.add("key-size", try least.map { try writer.value($0) })
    }
    var sizes: [YAMLValue.Entry] = []
    sizes.add("min", try least.map { try writer.value($0) })
    sizes.add("max", try writer.value(security.maximumKeySize))
    entries.add("key-size", .object(sizes, .compact))
  }

  /// A word without quotes, or an expression for one.
  private func word(_ expression: Expression, of words: [String]) throws -> YAMLValue {
    if case .constant(.text(let word)) = expression, words.contains(word) { return .text(word) }
    return try writer.value(expression)
  }

  // MARK: Channels

  func channel(_ channel: ChannelDefinition) -> YAMLValue.Entry {
    let (offer, standard) = (channel.offer, ChannelDefinition.standardTerms)
    let terms = offer.terms
    var entries: [YAMLValue.Entry] = [
      .init("psm", .word("0x" + String(offer.spsm, radix: 16, uppercase: true)))
    ]
    if terms.mtu != standard.mtu { entries.add("mtu", .number(Int(terms.mtu))) }
    if Int(terms.mps) != min(Int(terms.mtu) + 2, Int(standard.mps)) {
      entries.add("mps", .number(Int(terms.mps)))
    }
    if terms.credits != standard.credits { entries.add("credits", .number(Int(terms.credits))) }
    let security = ChannelDefinition.securityLevels.first { $0.level == offer.level && offer.level != .none }
    entries.add("security", security.map { .word($0.name) })
    if security != nil, offer.keySize != 7 { entries.add("key-size", .number(offer.keySize)) }
    return .init(channel.id, .object(entries, .compact))
  }

  func sought(_ sought: SoughtCharacteristic) -> YAMLValue.Entry {
    .init(
      sought.id,
      .object(
        [.init("service", .text("\(sought.service)")), .init("uuid", .text("\(sought.uuid)"))], .compact))
  }

  // MARK: The wire side

  func wire() throws -> YAMLValue? {
    var entries: [YAMLValue.Entry] = []
    entries.add("bridge", device.wire.bridge.map(bridge))
    entries.add("baud", try device.wire.baud.map { try writer.value($0) })
    entries.add("buffer", device.wire.buffer.map { .number($0) })
    return entries.isEmpty ? nil : .object(entries, .compact)
  }

  private func bridge(_ bridge: WireDefinition.Bridge) -> YAMLValue {
    let (inlet, outlet) = (device.name(of: bridge.inlet), device.name(of: bridge.outlet))
    if inlet == outlet { return .text(inlet) }
    return .object([.init("from", .text(inlet)), .init("to", .text(outlet))], .compact)
  }
}

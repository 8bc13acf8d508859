import Bluetooth
import Definitions
import DeviceModel

// What the device advertises.
extension DefinitionWriter {
  private var advertisedValues: ExpressionWriter {
    ExpressionWriter(
      device: device, names: device.advertisement.crowd > 1 ? names.adding([.advertiser]) : names)
  }

  /// nil: it is what a device without this section advertises.
  func advertisement() throws -> YAMLValue? {
    let advertisement = device.advertisement
    var entries = try set(advertisement)
    let isConnectable = Expression.constant(.boolean(!device.services.isEmpty))
    let isByDefault = advertisement.isConnectable == isConnectable && advertisement.isScannable == nil
    if advertisement.target != nil || !isByDefault { entries += try connecting(advertisement) }
    let isDiscoverable =
      device.services.isEmpty ? .constant(.boolean(false)) : advertisement.isConnectable
    if advertisement.isDiscoverable != isDiscoverable {
      entries.add("discoverable", try advertisedValues.value(advertisement.isDiscoverable))
    }
    entries.add("timeout", advertisement.timeout.map(Self.duration))
    entries.add("crowd", advertisement.crowd > 1 ? .number(advertisement.crowd) : nil)
    entries.add("sets", try Self.section(advertisement.furtherSets.map(furtherSet)))
    if entries.isEmpty { return device.services.isEmpty ? .object([], .block) : nil }
    return .object(entries, .block)
  }

  private func furtherSet(_ set: AdvertisementTemplate) throws -> YAMLValue.Entry {
    var entries = try self.set(set)
    entries.add("if", try set.condition.map { try advertisedValues.value($0) })
    let no = Expression.constant(.boolean(false))
    if set.isConnectable != no || set.isScannable != nil { entries += try connecting(set) }
    if set.isDiscoverable != no {
      entries.add("discoverable", try advertisedValues.value(set.isDiscoverable))
    }
    return .init(set.name, .object(entries, .compact))
  }

  /// What each set has.
  private func set(_ set: AdvertisementTemplate) throws -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    entries.add("local-name", try set.localName.map { try part($0, "text") { .quoted($0.source) } })
    if !set.services.isEmpty {
      entries.add("services", .list(try set.services.map { try part($0, "uuid", service) }, .compact))
    }
    entries.add(
      "manufacturer-data",
      try data(set.manufacturerData) {
        $0.company.hexadecimal(digits: 4)
      } _: {
        $0.value
      })
    entries.add(
      "service-data",
      try data(set.serviceData) {
        $0.uuid.description
      } _: {
        $0.value
      })
    entries.add(
      "raw",
      try data(set.raw) {
        $0.type.rawValue.hexadecimal(digits: 2)
      } _: {
        $0.value
      })
    entries.add("tx-power", try set.txPower.map { try part($0, "dbm") { try advertisedValues.value($0) } })
    entries.add("appearance", set.appearance.map { .number($0) })
    if set.channels != .all {
      let channels = AdvertisingChannels.indices.filter { set.channels.contains(.channel($0)) }
      entries.add("channels", .list(channels.map { .number($0) }, .compact))
    }
    entries.add("phy", set.phy.map { .text($0.rawValue) })
    entries.add("interval", try set.interval.map(interval))
    entries.add("every", set.isLive ? .word("change") : set.period.map(Self.duration))
    if !set.changesAtOnce { entries.add("changes", .word("at-begin")) }
    entries.add("address", set.address.map(Self.address))
    entries.add("packets", set.layout.map { Self.packets($0, set.packetBytes) })
    return entries
  }

  /// Who may connect.
  private func connecting(_ set: AdvertisementTemplate) throws -> [YAMLValue.Entry] {
    if let target = set.target { return [.init("directed", try directed(target))] }
    if let isScannable = set.isScannable {
      return [.init("type", .word(isScannable ? "scannable" : "broadcast"))]
    }
    return [.init("connectable", try advertisedValues.value(set.isConnectable))]
  }

  private func directed(
    _ target: AdvertisementTemplate.Part<(address: ValueTemplate, kind: LinkAddress.Kind)>
  ) throws -> YAMLValue {
    let address = Self.address(target.content.address)
    let condition = try target.condition.map { try advertisedValues.value($0) }
    guard target.content.kind == .random || condition != nil else { return address }
    var entries: [YAMLValue.Entry] = [.init("to", address)]
    if target.content.kind == .random { entries.add("kind", .word("random")) }
    entries.add("if", condition)
    return .object(entries, .compact)
  }

  func accepted(_ centrals: [Part<AcceptedCentral>]) throws -> YAMLValue {
    .oneOrMore(
      try centrals.map { central in
        try part(central, "central") {
          switch $0 {
          case .any: .word("any")
          case .bonded: .word("bonded")
          case .address(let template): Self.address(template)
          }
        }
      }, .compact)
  }

  private static func address(_ template: AddressTemplate) -> YAMLValue {
    switch template {
    case .fixed(let address): return .text(address.description)
    case .computed(let bytes): return .quoted(bytes.source)
    case .nonResolvable(let period): return privateAddress("non-resolvable", period, [])
    case .resolvable(let identity, let key, let period):
      var entries: [YAMLValue.Entry] = []
      if identity != .derived { entries.add("identity", .text(identity.description)) }
      entries.add("key", key.map { .quoted($0.source) })
      return privateAddress("resolvable", period, entries)
    }
  }

  private static func privateAddress(
    _ kind: String, _ period: Duration, _ entries: [YAMLValue.Entry]
  ) -> YAMLValue {
    let every = period == AddressScheme.usualPeriod ? nil : period
    if every == nil, entries.isEmpty { return .word(kind) }
    var all: [YAMLValue.Entry] = [.init("kind", .word(kind))]
    all.add("every", every.map(duration))
    return .object(all + entries, .compact)
  }

  /// Six bytes without holes as people write an address.
  private static func address(_ template: ValueTemplate) -> YAMLValue {
    let digits = Array(template.source)
    guard digits.count == 12, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      template.source == template.source.uppercased()
    else { return .quoted(template.source) }
    let pairs = stride(from: 0, to: 12, by: 2).map { String(digits[$0...$0 + 1]) }
    return .text(pairs.joined(separator: ":"))
  }

  private func interval(_ interval: (min: Expression, max: Expression)) throws -> YAMLValue {
    .object(
      [
        .init("min", try advertisedValues.duration(interval.min)),
        .init("max", try advertisedValues.duration(interval.max)),
      ], .compact)
  }

  private static func packets(_ layout: PacketLayout, _ bytes: [ValueTemplate]) -> YAMLValue {
    var bytes = bytes[...]
    func fields(_ fields: [AdvertisingField.Content]) -> YAMLValue {
      .list(
        fields.map { field in
          guard field == .bytes, let next = bytes.popFirst() else { return .text(field.rawValue) }
          return .object([.init("bytes", .quoted(next.source))], .compact)
        }, .compact)
    }
    var entries: [YAMLValue.Entry] = [.init("advertising-data", fields(layout.advertisingData))]
    if !layout.scanResponse.isEmpty { entries.add("scan-response", fields(layout.scanResponse)) }
    return .object(entries, .compact)
  }

  private func service(_ service: AdvertisedService) -> YAMLValue {
    switch service {
    case .uuid(let uuid): .text(uuid.description)
    case .own(let index): .text(device.services[index].id)
    }
  }
}

// MARK: Parts with conditions

extension DefinitionWriter {
  typealias Part = AdvertisementTemplate.Part

  /// The content, or a mapping with its condition.
  private func part<Content>(
    _ part: Part<Content>, _ key: String, _ content: (Content) throws -> YAMLValue
  ) throws -> YAMLValue {
    try self.part(try content(part.content), key, if: part.condition)
  }

  private func part(_ content: YAMLValue, _ key: String, if condition: Expression?) throws -> YAMLValue {
    guard let condition else { return content }
    return .object([.init(key, content), .init("if", try advertisedValues.value(condition))], .compact)
  }

  /// Structures by their keys. Alternatives stand under one key.
  private func data<Content>(
    _ parts: [Part<Content>], _ key: (Content) -> String, _ value: (Content) -> ValueTemplate
  ) throws -> YAMLValue? {
    guard !parts.isEmpty else { return nil }
    var entries: [YAMLValue.Entry] = []
    var alternatives: [YAMLValue] = []
    var earlier: Expression?
    for (index, part) in parts.enumerated() {
      if !part.isAlternative { (alternatives, earlier) = ([], nil) }
      let own = earlier.map { part.condition?.without($0) } ?? part.condition
      alternatives.append(try self.part(.quoted(value(part.content).source), "bytes", if: own))
      earlier = earlier.map { earlier in own.map { .binary(.or, earlier, $0) } ?? earlier } ?? own
      let isLast = index + 1 == parts.count || !parts[index + 1].isAlternative
      if isLast { entries.add(key(part.content), .oneOrMore(alternatives, .compact)) }
    }
    return .map(entries, .compact)
  }
}

extension Expression {
  /// The own condition of an alternative, which also has the condition that those before it are not advertised; nil: it
  /// has none.
  fileprivate func without(_ earlier: Expression) -> Expression? {
    switch self {
    case .unary(.not, earlier): nil
    case .binary(.and, .unary(.not, earlier), let own): own
    default: self
    }
  }
}

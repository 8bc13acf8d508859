import AttributeServer
import Bluetooth
import Captures
import Definitions
import DeviceModel
import Exact
import Framing
import HCIPackets
import Learning

/// What a central sees of a device, as texts that can be compared: each belongs to a place and is one aspect of it.
struct DeviceFacts {
  struct Fact: Hashable {
    var section: String
    /// As in `180D 2A37`; a second attribute of a UUID is `2A37#2`. Empty: the device.
    var place: String
    /// As in `properties`.
    var aspect: String
    var text: String
  }

  /// In the order of the facts.
  private static let sections = ["attributes", "advertisement", "link", "security"]

  static func rank(of section: String) -> Int { sections.firstIndex(of: section) ?? sections.count }

  private(set) var facts: [Fact] = []
  /// Whether all facts are known: those of a definition are, those of a recording are what happened in it.
  private(set) var isComplete = true

  /// Whether what a definition does not say is as by default.
  private let knowsDefaults: Bool

  /// - Parameter knowsDefaults: false: what the definition does not say is not known.
  /// - Throws: if a device with its initial settings has no valid attributes or advertisement.
  init(_ definition: PeripheralDefinition, knowsDefaults: Bool = true) throws {
    self.knowsDefaults = knowsDefaults
    let context = definition.initialContext
    let advertisement = try definition.advertised(in: context)
    if !definition.services.isEmpty || advertisement.isConnectable {
      let database = AttributeDatabase(
        definition, try definition.attributes(in: context),
        name: advertisement.localName ?? definition.name, appearance: advertisement.appearance ?? 0)
      var reader = AttributeFacts(definition, context)
      try reader.take(database)
      facts += reader.facts
    }
    for set in advertisement.allSets { addAdvertisement(set) }
    add("address", definition.advertisement.address.map(\.phrase) ?? "the adapter's", in: "advertisement")
    for set in definition.advertisement.furtherSets {
      add("address", set.address?.phrase, at: "set \(set.name)", in: "advertisement")
    }
    addLink(definition.link)
    try addSecurity(definition.pairing(in: context))
  }

  /// Leaves what a recording tells of a device.
  mutating func keepOnly(table: ObservedTable, of device: CapturedDevice) {
    isComplete = false
    let isPaired = device.connections.contains { connection in
      connection.events.contains { if case .security = $0.kind { true } else { false } }
    }
    facts.removeAll { fact in
      switch fact.section {
      case "attributes": table.services.isEmpty
      case "advertisement": device.advertisements.isEmpty || fact.aspect == "address"
      case "security": !isPaired
      default: false
      }
    }
  }

  /// Whether it is open what another device has at this place, because a recording does not tell it.
  func leavesOpen(_ fact: Fact) -> Bool {
    guard !isComplete else { return false }
    guard facts.contains(where: { $0.section == fact.section }) else { return true }
    // A value that nobody has read, security that nobody has met.
    return fact.section != "attributes" || ["value", "permissions", "subscription"].contains(fact.aspect)
  }

  private mutating func add(_ aspect: String, _ text: String?, at place: String = "", in section: String) {
    guard let text, !text.isEmpty else { return }
    facts.append(Fact(section: section, place: place, aspect: aspect, text: text))
  }
}

// MARK: Advertisement, link, security

extension DeviceFacts {
  private mutating func addAdvertisement(_ set: Advertisement) {
    let place = set.name.isEmpty ? "" : "set \(set.name)"
    func add(_ aspect: String, _ text: String?) { self.add(aspect, text, at: place, in: "advertisement") }
    if let packets = ExactLimits().packets(of: set) {
      add("data", HexText.format(packets.advertisingData.bytes))
      add("scan response", HexText.format(packets.scanResponse.bytes))
    }
    let isScannable = set.isScannable.map { $0 ? ", scannable" : "" } ?? ""
    add("type", (set.isConnectable ? "connectable" : "broadcast") + isScannable)
    add("target", set.target.map { "\($0)" })
    let usual = knowsDefaults ? AdvertisingSet.usualInterval : nil
    add("interval", (set.interval ?? usual).map(Self.text))
    add("channels", set.channels == .all ? nil : Self.text(set.channels))
    add("PHY", set.phy?.rawValue)
    add("timeout", set.timeout.map { "\($0)" })
  }

  private static func text(_ interval: ClosedRange<AdvertisingInterval>) -> String {
    let ends = [interval.lowerBound, interval.upperBound].map { Self.number($0.milliseconds) }
    return (ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])") + " ms"
  }

  private static func number(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? DecimalText.write(number)
  }

  private static func text(_ channels: AdvertisingChannels) -> String {
    AdvertisingChannels.indices.filter { channels.contains(.channel($0)) }.map(String.init)
      .joined(separator: ", ")
  }

  private mutating func addLink(_ link: LinkDefinition) {
    add(
      "MTU", (link.mtu ?? (knowsDefaults ? AttributeServer.usualMTU : nil)).map { "\($0) bytes" },
      in: "link")
    add("centrals", link.centrals.map(String.init), in: "link")
    add("when full", link.whenFull == .silent ? nil : link.whenFull.rawValue, in: "link")
    if let preferred = link.preferred {
      let interval = [preferred.interval.lowerBound, preferred.interval.upperBound].map {
        Self.number(Double($0) * 1.25)
      }
      add(
        "parameters",
        "\(interval[0]) to \(interval[1]) ms, latency \(preferred.latency), timeout \(Int(preferred.supervisionTimeout) * 10) ms",
        in: "link")
    }
    add("asks for them", link.askAfter.map { "after \($0)" }, in: "link")
    add("multiple notifications", link.multipleNotifications ? "yes" : nil, in: "link")
  }

  /// A device without a section for it pairs by Just Works.
  private mutating func addSecurity(_ section: PairingPolicy?) {
    let policy = section ?? PairingPolicy()
    add("pairing", policy.isAllowed ? "allowed" : "refused", in: "security")
    guard policy.isAllowed else { return }
    add("IO capability", policy.capability.name, in: "security")
    add("passkey", policy.passkey.map(Passkey.text), in: "security")
    add("LE Secure Connections", policy.secureConnections.rawValue, in: "security")
    add("requires authentication", policy.requiresAuthentication ? "yes" : nil, in: "security")
    add("bonds", policy.bonds ? "yes" : "no", in: "security")
    add(
      "most bonds",
      policy.mostBonds.map { "\($0)\(policy.replacesOldestBond ? ", then without the oldest" : "")" },
      in: "security")
    add("Security Request", policy.requestsSecurity ? "yes" : "no", in: "security")
    add("longest key", policy.maximumKeySize < 16 ? "\(policy.maximumKeySize) bytes" : nil, in: "security")
    add("least key size", "\(policy.minimumKeySize) bytes", in: "security")
  }
}

import Bluetooth
import Captures
import DefinitionWriter
import Framing

extension LearntDefinition {
  /// Describes what the device advertised, as it was received.
  ///
  /// - Parameter isHeardContinuously: whether a host has listened without a pause, so that its reports tell the interval.
  package mutating func addAdvertisement(
    of device: CapturedDevice, _ table: ObservedTable, isHeardContinuously: Bool = false
  ) {
    let sets = AdvertisedSet.all(in: device.advertisements)
    guard let main = sets.first else { return addUnseenAdvertisement(of: table) }
    var writer = AdvertisementWriter(
      hasServices: !table.services.isEmpty, isHeardContinuously: isHeardContinuously,
      AddressedBytes(address: isHeardContinuously ? device.publicAddress : nil))
    var entries = writer.entries(of: main, isFurther: false)
    let further = sets.dropFirst().filter { !$0.isDirected }.prefix(8)
    let sections = further.enumerated().map { number, set in
      YAMLValue.Entry("set-\(number + 2)", .object(writer.entries(of: set, isFurther: true), .block))
    }
    if !sections.isEmpty { entries.add("sets", .map(sections, .block)) }
    if let kind = device.address?.randomKind { add(kind, to: &entries) }
    if main.responses.isEmpty, main.kind == .connectable || main.kind == .scannable {
      origin.append("The recording has no scan response of the device.")
    }
    advertisement = .object(entries, .block)
    evidence += writer.evidence
    origin += writer.remarks
  }

  private mutating func add(_ kind: RandomAddressKind, to entries: inout [YAMLValue.Entry]) {
    entries.add("address", .word(kind == .static ? "random" : kind.name))
    if kind != .static { origin.append("The device had a \(kind.name) private address.") }
  }

  /// A recording without advertising tells at most the name.
  mutating func addUnseenAdvertisement(of table: ObservedTable) {
    origin.append("The recording has no advertisement of the device.")
    // A definition describes at least one of the two.
    if table.services.isEmpty { advertisement = .object([], .block) }
    let name = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    guard let text = name.flatMap({ LearntText.read($0, isExpected: true) }), text.utf8.count <= 29 else {
      return
    }
    advertisement = .object(
      [.init("local-name", .commented(.quoted(text), "its Device Name (2A00)"))], .block)
  }
}

/// Writes sets of advertising.
private struct AdvertisementWriter {
  let hasServices: Bool
  let isHeardContinuously: Bool
  let ownBytes: AddressedBytes
  var evidence: [Evidence] = []
  /// What the language cannot say.
  var remarks: [String] = []

  init(hasServices: Bool, isHeardContinuously: Bool, _ ownBytes: AddressedBytes) {
    (self.hasServices, self.isHeardContinuously, self.ownBytes) = (hasServices, isHeardContinuously, ownBytes)
  }

  mutating func entries(of set: AdvertisedSet, isFurther: Bool) -> [YAMLValue.Entry] {
    var model = Advertisement()
    model.isConnectable = set.isConnectable
    model.isScannable = set.isConnectable ? nil : set.isScannable
    model.phy = set.isExtended ? .le1M : nil
    // Of a scannable extended set, all data are in the scan response.
    let packets = LearntPackets(data: set.data, response: set.response, capacity: model.capacity)
    note(packets, of: set, model.capacity)
    var entries = fields(packets, of: set)
    entries += type(of: set, isFurther: isFurther, isDiscoverable: packets.discoverability)
    if set.isExtended { entries.add("phy", .text("1M")) }
    entries.add("interval", interval(of: set))
    if !packets.isUsual { entries.add("packets", Self.layout(packets.layout)) }
    return entries
  }

  private mutating func fields(_ packets: LearntPackets, of set: AdvertisedSet) -> [YAMLValue.Entry] {
    let model = packets.advertisement
    var entries: [YAMLValue.Entry] = []
    entries.add("local-name", model.localName.map { .quoted($0) })
    if !model.serviceUUIDs.isEmpty { entries.add("services", .texts(model.serviceUUIDs.map(\.description))) }
    entries.add(
      "manufacturer-data",
      data(
        model.manufacturerData.map {
          ($0.company.hexadecimal(digits: 4), $0.bytes, $0.structure, $0.company.littleEndianBytes)
        }, set))
    entries.add(
      "service-data",
      data(
        model.serviceData.map {
          ($0.uuid.description, $0.bytes, $0.structure, $0.uuid.littleEndianBytes)
        }, set))
    entries.add(
      "raw",
      data(
        model.rawStructures.map { ($0.type.rawValue.hexadecimal(digits: 2), $0.value, $0, $0.beginning) }, set
      ))
    entries.add("tx-power", model.txPower.map { .number($0) })
    entries.add("appearance", model.appearance.map { .number($0) })
    return entries
  }

  /// Structures under keys, with how many contents each had.
  private mutating func data(
    _ structures: [(key: String, bytes: [UInt8], structure: ADStructure, beginning: [UInt8])],
    _ set: AdvertisedSet
  ) -> YAMLValue? {
    guard !structures.isEmpty else { return nil }
    var changes = false
    let entries = structures.map { key, bytes, structure, beginning in
      let count = set.contents(of: structure.type, beginning: beginning)
      let value = text(of: bytes, under: key)
      guard count > 1 else { return YAMLValue.Entry(key, value) }
      changes = true
      return YAMLValue.Entry(key, .commented(value, "the first of \(count) values"))
    }
    return .map(entries, changes ? .block : .compact)
  }

  private mutating func text(of bytes: [UInt8], under key: String) -> YAMLValue {
    if ownBytes.contain(bytes) {
      evidence.append(
        Evidence("\(key) holds the device's address", at: "advertisement", agreeing: 1, of: 1))
    }
    return .quoted(ownBytes.text(bytes))
  }

  private func type(
    of set: AdvertisedSet, isFurther: Bool, isDiscoverable: Bool?
  ) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    // A further set of its own is not connectable.
    if set.isConnectable {
      if isFurther || !hasServices { entries.add("connectable", .flag(true)) }
    } else if set.isScannable || hasServices || isFurther {
      entries.add("type", .word(set.isScannable ? "scannable" : "broadcast"))
    }
    let byDefault = set.isConnectable && hasServices && !isFurther
    if let isDiscoverable, isDiscoverable != byDefault {
      entries.add("discoverable", .flag(isDiscoverable))
    }
    return entries
  }

  /// What blemu and BlueZ advertise with if nothing else is wanted: every 1.28 s (`hci_alloc_dev_priv` of Linux' hci_core.c).
  private static let usualInterval = AdvertisingInterval(units: 0x0800)...AdvertisingInterval(units: 0x0800)

  private mutating func interval(of set: AdvertisedSet) -> YAMLValue? {
    if let known = set.packets.first?.interval { return interval(from: known) }
    guard let measured = MeasuredInterval(set.packets) else { return nil }
    guard isHeardContinuously || set.packets.contains(where: { $0.channel != nil }) else {
      evidence.append(
        Evidence(
          "interval at most \(measured.milliseconds) ms, by the reports of a host", at: "advertisement",
          agreeing: measured.count, of: set.packets.count))
      return nil
    }
    let time = YAMLValue.word("\(measured.milliseconds)ms")
    return .commented(
      .object([.init("min", time), .init("max", time)], .compact), "measured \(measured.count) times")
  }

  /// The interval that the device's host set, in whole milliseconds, as the language has it; nil: the usual one.
  private func interval(from known: ClosedRange<AdvertisingInterval>) -> YAMLValue? {
    guard known != Self.usualInterval, AdvertisingInterval.legacy.contains(known.lowerBound),
      AdvertisingInterval.legacy.contains(known.upperBound)
    else { return nil }
    func time(_ interval: AdvertisingInterval) -> YAMLValue {
      .word("\(Int(interval.milliseconds.rounded()))ms")
    }
    return .object([.init("min", time(known.lowerBound)), .init("max", time(known.upperBound))], .compact)
  }

  private mutating func note(_ packets: LearntPackets, of set: AdvertisedSet, _ capacity: PacketCapacity) {
    let different = Set(set.packets.compactMap(\.data)).count
    evidence.append(
      Evidence(
        different > 1 ? "\(different) different packets" : "the same packet", at: "advertisement",
        agreeing: set.packets.count { $0.data == set.data }, of: set.packets.count))
    if !packets.remainder.isEmpty {
      let zeros = packets.remainder.allSatisfy { $0 == 0 } ? "zeros" : "bytes"
      remarks.append("The packets end in \(packets.remainder.count) \(zeros) that are in no field.")
    } else if !packets.isExact(capacity) {
      remarks.append("The packets are \(HexText.format(set.data)) and \(HexText.format(set.response)).")
      remarks.append("The language cannot lay them out so.")
    }
  }

  private static func layout(_ layout: PacketLayout) -> YAMLValue {
    func fields(_ fields: [AdvertisingField.Content]) -> YAMLValue { .texts(fields.map(\.rawValue)) }
    var entries: [YAMLValue.Entry] = [.init("advertising-data", fields(layout.advertisingData))]
    if !layout.scanResponse.isEmpty { entries.add("scan-response", fields(layout.scanResponse)) }
    return .object(entries, .compact)
  }
}

extension LearntPackets {
  /// By its Flags; nil: it has none.
  fileprivate var discoverability: Bool? {
    let hasFlags = layout.advertisingData.contains(.flags) || layout.scanResponse.contains(.flags)
    return hasFlags ? advertisement.isDiscoverable : nil
  }
}

extension ADStructure {
  /// What tells it from others of its type: the company, or the start of the UUID.
  fileprivate var beginning: [UInt8] {
    let isKeyed = [.manufacturerData, .serviceData16, .serviceData32, .serviceData128].contains(type)
    return isKeyed ? Array(value.prefix(2)) : []
  }
}

extension LinkAddress {
  /// nil: it is public, or of a reserved kind.
  fileprivate var randomKind: RandomAddressKind? { kind == .random ? address.randomKind : nil }
}

import Bluetooth
import Captures
import DeviceModel
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
    var learner = AdvertisementLearner(
      self.device.services, isHeardContinuously: isHeardContinuously,
      AddressedBytes(address: isHeardContinuously ? device.publicAddress : nil))
    var advertisement = learner.template(of: main)
    for (number, set) in sets.dropFirst().filter({ !$0.isDirected }).prefix(8).enumerated() {
      advertisement.furtherSets.append(learner.template(of: set, name: "set-\(number + 2)"))
    }
    switch device.address?.randomKind {
    case .static: advertisement.address = .fixed(.derived)
    case .resolvable:
      advertisement.address = .resolvable(
        identity: .derived, key: nil, period: AddressScheme.usualPeriod)
    case .nonResolvable: advertisement.address = .nonResolvable(period: AddressScheme.usualPeriod)
    case nil: break
    }
    if let kind = device.address?.randomKind, kind != .static {
      origin.append("The device had a \(kind.name) private address.")
    }
    if main.responses.isEmpty, main.kind == .connectable || main.kind == .scannable {
      origin.append("The recording has no scan response of the device.")
    }
    self.device.advertisement = advertisement
    comments.merge(learner.comments) { $1 }
    evidence += learner.evidence
    origin += learner.remarks
  }

  /// A recording without advertising tells at most the name.
  mutating func addUnseenAdvertisement(of table: ObservedTable) {
    origin.append("The recording has no advertisement of the device.")
    device.advertisement.isConnectable = .constant(.boolean(!device.services.isEmpty))
    device.advertisement.isDiscoverable = device.advertisement.isConnectable
    let name = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    guard let text = name.flatMap({ LearntText.read($0, isExpected: true) }), text.utf8.count <= 29 else {
      return
    }
    device.advertisement.localName = .init(
      content: ValueTemplate(learnt: text, form: .text(ignoringCase: false)))
    comments["advertisement/local-name"] = "its Device Name (2A00)"
  }
}

/// Makes sets of advertising of what was received.
private struct AdvertisementLearner {
  private let services: [ServiceDefinition]
  private let isHeardContinuously: Bool
  private let ownBytes: AddressedBytes
  private(set) var evidence: [Evidence] = []
  private(set) var comments: [String: String] = [:]
  /// What the language cannot say.
  private(set) var remarks: [String] = []

  init(_ services: [ServiceDefinition], isHeardContinuously: Bool, _ ownBytes: AddressedBytes) {
    (self.services, self.isHeardContinuously, self.ownBytes) = (services, isHeardContinuously, ownBytes)
  }

  /// - Parameter name: of a further set; empty: it is the main one.
  mutating func template(of set: AdvertisedSet, name: String = "") -> AdvertisementTemplate {
    var model = Advertisement()
    model.isConnectable = set.isConnectable
    model.isScannable = set.isConnectable ? nil : set.isScannable
    model.phy = set.isExtended ? .le1M : nil
    // Of a scannable extended set, all data are in the scan response.
    let packets = LearntPackets(data: set.data, response: set.response, capacity: model.capacity)
    note(packets, of: set, model.capacity)
    var template = AdvertisementTemplate()
    template.name = name
    let hasServices = !services.isEmpty
    let byDefault = set.isConnectable && hasServices && name.isEmpty
    template.isConnectable = .constant(.boolean(set.isConnectable))
    template.isDiscoverable = .constant(.boolean(packets.discoverability ?? byDefault))
    // A device without services, and a further set, are not connectable by themselves.
    if !set.isConnectable, set.isScannable || hasServices || !name.isEmpty {
      template.isScannable = set.isScannable
    }
    template.phy = model.phy
    let path = name.isEmpty ? "advertisement" : "advertisement/sets/\(name)"
    take(packets.advertisement, into: &template, of: set, path)
    template.interval = interval(of: set, path)
    template.layout = packets.isUsual ? nil : packets.layout
    return template
  }

  private mutating func take(
    _ model: Advertisement, into template: inout AdvertisementTemplate, of set: AdvertisedSet, _ path: String
  ) {
    template.localName = model.localName.map {
      .init(content: ValueTemplate(learnt: $0, form: .text(ignoringCase: false)))
    }
    template.services = model.serviceUUIDs.map { uuid in
      let own = services.firstIndex { $0.id == uuid.description }
      return .init(content: own.map { .own($0) } ?? .uuid(uuid))
    }
    template.manufacturerData = model.manufacturerData.map {
      let key = "manufacturer-data/\($0.company.hexadecimal(digits: 4))"
      note($0.structure, beginning: $0.company.littleEndianBytes, of: set, path, key)
      return .init(content: (company: $0.company, value: value($0.bytes, key)))
    }
    template.serviceData = model.serviceData.map {
      let key = "service-data/\($0.uuid)"
      note($0.structure, beginning: $0.uuid.littleEndianBytes, of: set, path, key)
      return .init(content: (uuid: $0.uuid, value: value($0.bytes, key)))
    }
    template.raw = model.rawStructures.map {
      let key = "raw/\($0.type.rawValue.hexadecimal(digits: 2))"
      note($0, beginning: $0.beginning, of: set, path, key)
      return .init(content: (type: $0.type, value: value($0.value, key)))
    }
    template.txPower = model.txPower.map { .init(content: .number($0)) }
    template.appearance = model.appearance
  }

  /// Notes how many contents a structure had.
  private mutating func note(
    _ structure: ADStructure, beginning: [UInt8], of set: AdvertisedSet, _ path: String, _ key: String
  ) {
    let count = set.contents(of: structure.type, beginning: beginning)
    if count > 1 { comments["\(path)/\(key)"] = "the first of \(count) values" }
  }

  private mutating func value(_ bytes: [UInt8], _ key: String) -> ValueTemplate {
    if ownBytes.contain(bytes), let name = key.split(separator: "/").last {
      evidence.append(
        Evidence("\(name) holds the device's address", at: "advertisement", agreeing: 1, of: 1))
    }
    return ownBytes.template(bytes)
  }

  /// What blemu and BlueZ advertise with if nothing else is wanted: every 1.28 s (`hci_alloc_dev_priv` of Linux' hci_core.c).
  private static let usualInterval = AdvertisingInterval(units: 0x0800)...AdvertisingInterval(units: 0x0800)

  private mutating func interval(of set: AdvertisedSet, _ path: String) -> (min: Expression, max: Expression)?
  {
    if let known = set.packets.first?.interval { return interval(from: known) }
    guard let measured = MeasuredInterval(set.packets) else { return nil }
    guard isHeardContinuously || set.packets.contains(where: { $0.channel != nil }) else {
      evidence.append(
        Evidence(
          "interval at most \(measured.milliseconds) ms, by the reports of a host", at: "advertisement",
          agreeing: measured.count, of: set.packets.count))
      return nil
    }
    comments["\(path)/interval"] = "measured \(measured.count) times"
    return (.number(measured.milliseconds), .number(measured.milliseconds))
  }

  /// The interval that the device's host set, in whole milliseconds, as the language has it; nil: the usual one.
  private func interval(
    from known: ClosedRange<AdvertisingInterval>
  ) -> (min: Expression, max: Expression)? {
    guard known != Self.usualInterval, AdvertisingInterval.legacy.contains(known.lowerBound),
      AdvertisingInterval.legacy.contains(known.upperBound)
    else { return nil }
    return (
      .number(Int(known.lowerBound.milliseconds.rounded())),
      .number(Int(known.upperBound.milliseconds.rounded()))
    )
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

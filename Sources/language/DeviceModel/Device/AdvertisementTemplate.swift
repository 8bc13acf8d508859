import Bluetooth

/// An advertisement whose parts may come from settings and may have conditions.
package struct AdvertisementTemplate: Sendable {
  /// A part that is advertised while its condition is true.
  package struct Part<Content: Sendable>: Sendable {
    package var content: Content
    /// nil: always.
    package var condition: Expression?
    /// Whether it is an alternative to the part before it: the two are never advertised together.
    package var isAlternative = false

    package init(content: Content, condition: Expression? = nil) {
      self.content = content
      self.condition = condition
    }
  }

  /// The complete local name, text (CSS Part A 1.2).
  package var localName: Part<ValueTemplate>?
  /// In the order of the file.
  package var services: [Part<AdvertisedService>] = []
  /// By company identifier.
  package var manufacturerData: [Part<(company: UInt16, value: ValueTemplate)>] = []
  /// By the UUID of a service.
  package var serviceData: [Part<(uuid: BluetoothUUID, value: ValueTemplate)>] = []
  /// AD structures for data that has no key.
  package var raw: [Part<(type: AdvertisingDataType, value: ValueTemplate)>] = []
  /// dBm, a whole number.
  package var txPower: Part<Expression>?
  /// The GAP appearance (CSS Part A 1.12).
  package var appearance: UInt16?
  /// Whether the device is in general discoverable mode; true or false.
  package var isDiscoverable = Expression.constant(.boolean(true))
  /// Whether a central may connect; true or false.
  package var isConnectable = Expression.constant(.boolean(true))
  /// Whether a device that is not connectable answers scans; nil: if it has a scan response.
  package var isScannable: Bool?
  /// The only device that may connect: its address, six bytes.
  package var target: Part<(address: ValueTemplate, kind: LinkAddress.Kind)>?
  /// The centrals that may connect, by whichever set; nil: all.
  package var accepted: [Part<AcceptedCentral>]?
  package var channels = AdvertisingChannels.all
  /// nil: legacy advertising.
  package var phy: AdvertisingPHY?
  /// Milliseconds, whole numbers.
  package var interval: (min: Expression, max: Expression)?
  /// When advertising ends; nil: never.
  package var timeout: Duration?
  /// How often its values are computed while the device advertises; nil: only when it begins.
  package var period: Duration?
  /// Whether it is computed after each event, and changes with any of its values.
  package var isLive = false
  /// Whether it changes as soon as a setting or the number of centrals does; otherwise when it next begins.
  package var changesAtOnce = true
  /// nil: the device has the adapter's address, and a further set has the device's.
  package var address: AddressTemplate?
  /// nil: the transport lays the packets out.
  package var layout: PacketLayout?
  /// The bytes between the fields of its layout.
  package var packetBytes: [ValueTemplate] = []
  /// How many advertisers it stands for, each with an address of its own.
  package var crowd = 1
  /// The name of a further set; empty: it is the main set.
  package var name = ""
  /// While it is true, a further set is advertised; nil: always.
  package var condition: Expression?
  /// The further advertising sets of the device.
  package var furtherSets: [AdvertisementTemplate] = []

  package init() {}

  /// The advertisement for these settings.
  ///
  /// - Parameter table: the attributes that the device has.
  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``AdvertisementValueError``.
  package func resolved(in context: EvaluationContext, with table: AttributeTable) throws -> Advertisement {
    var advertisement = try resolvedAlone(in: context, with: table)
    advertisement.furtherSets = try furtherSets.map { try $0.resolved(in: context, with: table) }
    guard crowd > 1 else { return advertisement }
    advertisement.isCrowd = true
    var context = context
    advertisement.furtherSets = try crowdNames.map { name in
      context.advertiser += 1
      var other = try resolvedAlone(in: context, with: table)
      other.name = name
      return other
    }
    return advertisement
  }

  /// The names of the sets of a crowd besides the main one: the numbers of the advertisers.
  package var crowdNames: [String] { crowd > 1 ? (2...crowd).map(String.init) : [] }

  private func resolvedAlone(
    in context: EvaluationContext, with table: AttributeTable
  ) throws -> Advertisement {
    var advertisement = Advertisement()
    advertisement.localName = try localName?.content(in: context).map {
      String(decoding: try $0.render(in: context), as: UTF8.self)
    }
    advertisement.serviceUUIDs = try services.compactMap {
      try $0.content(in: context)?.uuid(in: table)
    }
    advertisement.manufacturerData = try manufacturerData.compactMap { try $0.content(in: context) }.map {
      ManufacturerData(company: $0.company, bytes: try $0.value.render(in: context))
    }
    advertisement.serviceData = try serviceData.compactMap { try $0.content(in: context) }.map {
      ServiceData(uuid: $0.uuid, bytes: try $0.value.render(in: context))
    }
    advertisement.rawStructures = try raw.compactMap { try $0.content(in: context) }.map {
      ADStructure($0.type, try $0.value.render(in: context))
    }
    advertisement.txPower = try txPower?.content(in: context).map { try power($0, in: context) }
    advertisement.appearance = appearance
    advertisement.isDiscoverable = try isDiscoverable.isTrue(in: context)
    advertisement.isConnectable = try isConnectable.isTrue(in: context)
    advertisement.isScannable = isScannable
    advertisement.target = try target?.content(in: context).map { try address($0, $1, in: context) }
    advertisement.accepted = try acceptedCentrals(in: context)
    advertisement.channels = channels
    advertisement.phy = phy
    advertisement.interval = try interval.map { try interval($0.min, $0.max, in: context) }
    advertisement.timeout = timeout
    advertisement.layout = layout
    advertisement.packetBytes = try packetBytes.map { try $0.render(in: context) }
    advertisement.name = name
    advertisement.isShown = try condition?.isTrue(in: context) ?? true
    advertisement.addressScheme = try scheme(in: context)
    return advertisement
  }

  /// Where its address comes from; nil: it has none of its own.
  package func scheme(in context: EvaluationContext) throws -> AddressScheme? {
    try address?.scheme(in: context)
  }

  private func address(
    _ template: ValueTemplate, _ kind: LinkAddress.Kind, in context: EvaluationContext
  ) throws -> LinkAddress {
    let bytes = try template.render(in: context)
    guard let address = DeviceAddress(bytes) else { throw AdvertisementValueError.target(size: bytes.count) }
    return LinkAddress(address, kind)
  }

  private func acceptedCentrals(in context: EvaluationContext) throws -> AcceptedCentrals {
    guard let accepted else { return .all }
    var (addresses, andBonded): ([DeviceAddress], Bool) = ([], false)
    for central in try accepted.compactMap({ try $0.content(in: context) }) {
      switch central {
      case .any: return .all
      case .bonded: andBonded = true
      case .address(let template):
        let bytes = try template.render(in: context)
        guard !bytes.isEmpty else { continue }
        guard let address = DeviceAddress(bytes) else {
          throw AdvertisementValueError.accepted(size: bytes.count)
        }
        addresses.append(address)
      }
    }
    return .only(addresses, andBonded: andBonded)
  }

  private func power(_ expression: Expression, in context: EvaluationContext) throws -> Int8 {
    let power = try expression.integer(in: context)
    guard let power = Int8(exactly: power), Self.powers.contains(Int(power)) else {
      throw AdvertisementValueError.txPower(power)
    }
    return power
  }

  /// dBm (Vol 4 Part E 7.8.6).
  package static let powers = -127...20

  private func interval(
    _ min: Expression, _ max: Expression, in context: EvaluationContext
  ) throws -> ClosedRange<AdvertisingInterval> {
    let (min, max) = (try min.integer(in: context), try max.integer(in: context))
    guard min <= max, let least = AdvertisingInterval(milliseconds: Double(min)),
      let most = AdvertisingInterval(milliseconds: Double(max))
    else { throw AdvertisementValueError.interval(min, max) }
    return least...most
  }
}

extension AdvertisementTemplate {
  /// The conditions of its own parts.
  var conditions: [Expression] {
    var parts = [condition, localName?.condition, txPower?.condition, target?.condition]
    parts += accepted?.map(\.condition) ?? []
    parts += services.map(\.condition) + manufacturerData.map(\.condition)
    parts += serviceData.map(\.condition) + raw.map(\.condition)
    return [isDiscoverable, isConnectable] + parts.compactMap(\.self)
  }

  var numbers: [Expression] { [txPower?.content, interval?.min, interval?.max].compactMap(\.self) }

  /// All expressions in it, without those of further sets.
  package var expressions: [Expression] {
    var templates = manufacturerData.map(\.content.value) + serviceData.map(\.content.value)
    templates += raw.map(\.content.value) + packetBytes
    templates += [localName?.content, target?.content.address].compactMap(\.self)
    templates += accepted?.compactMap(\.content.address) ?? []
    return conditions + numbers + templates.flatMap(\.expressions) + (address?.expressions ?? [])
  }
}

/// An advertised service, which the device may have or not.
package enum AdvertisedService: Hashable, Sendable {
  case uuid(BluetoothUUID)
  /// One of the device's services, by index: advertised while it exists, with its current UUID.
  case own(Int)

  fileprivate func uuid(in table: AttributeTable) -> BluetoothUUID? {
    switch self {
    case .uuid(let uuid): uuid
    case .own(let index): table.services.first { $0.index == index }?.uuid
    }
  }
}

/// Centrals that may connect.
package enum AcceptedCentral: Sendable {
  case any
  case bonded
  /// The one with this identity address, six bytes; without any bytes: none.
  case address(ValueTemplate)

  fileprivate var address: ValueTemplate? { if case .address(let template) = self { template } else { nil } }
}

extension AdvertisementTemplate.Part {
  /// The current content; nil while its condition is false.
  fileprivate func content(in context: EvaluationContext) throws(EvaluationError) -> Content? {
    try condition?.isTrue(in: context) ?? true ? content : nil
  }
}

extension Expression {
  /// The value of an expression that is known to be a whole number.
  func integer(in context: EvaluationContext) throws(EvaluationError) -> Int64 {
    guard case .integer(let number) = try evaluate(in: context) else {
      preconditionFailure("a number was checked to stand here")
    }
    return number
  }
}

/// A number of an advertisement that is out of range.
package enum AdvertisementValueError: Error, Hashable, CustomStringConvertible {
  /// dBm.
  case txPower(Int64)
  /// Milliseconds.
  case interval(Int64, Int64)
  /// The address of the device that may connect has this many bytes.
  case target(size: Int)
  /// The address of a central that may connect has this many bytes.
  case accepted(size: Int)
  /// The device's own address has this many bytes.
  case address(size: Int)
  /// The identity resolving key has this many bytes.
  case resolvingKey(size: Int)

  package var description: String {
    switch self {
    case .txPower(let power):
      let range = AdvertisementTemplate.powers
      return "tx-power \(power) is not in \(range.lowerBound)…\(range.upperBound)"
    case .interval(let min, let max):
      return "\(min) ms to \(max) ms is not a valid interval: 'min' and 'max' are from 20 ms to 10240 ms, "
        + "and 'min' is at most 'max'"
    case .target(let size):
      return "an address has 6 bytes, but the one in 'directed' has \(size)"
    case .accepted(let size): return "an address has 6 bytes, but one in 'accept' has \(size)"
    case .address(let size): return "an address has 6 bytes, but the one in 'address' has \(size)"
    case .resolvingKey(let size): return "an identity resolving key has 16 bytes, but 'key' has \(size)"
    }
  }
}

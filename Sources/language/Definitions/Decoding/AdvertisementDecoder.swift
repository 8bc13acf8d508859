import Bluetooth
import DeviceModel

/// Reads the advertisement.
struct AdvertisementDecoder {
  private let device: PeripheralDefinition
  let reader: TextReader
  let log: DiagnosticLog

  /// - Parameters:
  ///   - device: its services and the parts that their values use.
  ///   - node: what is read.
  init(
    _ device: PeripheralDefinition, _ node: Node<Language.Advertisement>?, _ names: NameScope,
    _ log: DiagnosticLog
  ) {
    (self.device, self.log) = (device, log)
    reader = TextReader(node?.crowd == nil ? names : names.adding([.advertiser]), log)
  }

  typealias Part = AdvertisementTemplate.Part

  /// - Parameter places: receives the places of the raw structures.
  func advertisement(
    _ node: Node<Language.Advertisement>?, _ places: inout DefinitionPlaces
  ) -> AdvertisementTemplate {
    var advertisement = AdvertisementTemplate()
    if device.services.isEmpty {
      advertisement.isConnectable = .constant(.boolean(false))
      advertisement.isDiscoverable = .constant(.boolean(false))
    }
    guard let node else { return advertisement }
    read(node, into: &advertisement) { places.rawStructures.append($0) }
    if node.discoverable == nil, !device.services.isEmpty {
      advertisement.isDiscoverable = advertisement.isConnectable
    }
    if let crowd = node.crowd { readCrowd(crowd, into: &advertisement) }
    advertisement.timeout = log.duration(node.timeout).map { .milliseconds($0) }
    check(advertisement, node)
    advertisement.furtherSets = furtherSets(node.sets)
    return advertisement
  }

  /// A central would pair with one device by the address of another.
  private func readCrowd(_ count: Located<Int>, into advertisement: inout AdvertisementTemplate) {
    advertisement.crowd = count.value
    if advertisement.isConnectable != .constant(.boolean(false)) {
      log.error(.connectableCrowd, at: count.range)
    }
    if case .fixed(let address)? = advertisement.address, address != .derived {
      log.error(.crowdOfOneAddress, at: count.range)
    }
    advertisement.address = advertisement.address ?? .fixed(.derived)
  }

  /// By default, a set is neither connectable nor discoverable.
  private func furtherSets(_ sets: [Entry<Node<Language.Advertisement>>]) -> [AdvertisementTemplate] {
    sets.map { entry in
      var set = AdvertisementTemplate()
      set.name = entry.key.text
      set.isConnectable = .constant(.boolean(false))
      set.isDiscoverable = .constant(.boolean(false))
      set.condition = condition(entry.value.condition)
      read(entry.value, into: &set) { _ in }
      check(set, entry.value)
      return set
    }
  }

  /// The content of each set.
  ///
  /// - Parameter found: is given the places of each raw structure.
  private func read(
    _ node: Node<Language.Advertisement>, into advertisement: inout AdvertisementTemplate,
    found: ((type: SourceRange, bytes: SourceRange)) -> Void
  ) {
    advertisement.localName = node.localName.flatMap { part($0, reader.text) }
    advertisement.services = node.services.compactMap { part($0, service) }
    advertisement.manufacturerData = data(node.manufacturerData, company) { (company: $0, value: $1) }
    advertisement.serviceData = data(node.serviceData, { log.uuid($0) }) { (uuid: $0, value: $1) }
    advertisement.raw = data(node.raw, type, { (type: $0, value: $1) }) { found(($0, $1)) }
    advertisement.txPower = node.txPower.flatMap { part($0, power) }
    advertisement.appearance = node.appearance.map { UInt16($0.value) }
    if let condition = condition(node.discoverable) { advertisement.isDiscoverable = condition }
    if let condition = condition(node.connectable) { advertisement.isConnectable = condition }
    readType(node, into: &advertisement)
    advertisement.interval = interval(node.interval)
    advertisement.period = period(node)
    advertisement.isLive = node.every?.text == "change"
    if advertisement.isLive, node.changes?.text == "at-begin", let place = node.changes {
      log.error(.changeAtBegin, at: place.range)
    }
    advertisement.changesAtOnce = node.changes?.text != "at-begin"
    advertisement.address = node.address.flatMap(ownAddress)
    if let packets = node.packets {
      advertisement.layout = layout(packets)
      advertisement.packetBytes = (packets.advertisingData + packets.scanResponse).compactMap(\.bytes).map {
        reader.bytes($0) ?? ValueTemplate()
      }
    }
  }

  private func period(_ node: Node<Language.Advertisement>) -> Duration? {
    guard let place = node.every else { return nil }
    let milliseconds = place.text == "change" ? nil : log.duration(place, or: "change")
    if let milliseconds, milliseconds < 20 { log.error(.tooOften, at: place.range) }
    if node.timeout != nil { log.error(.everyAndTimeout, at: place.range) }
    guard let milliseconds else { return nil }
    return .milliseconds(milliseconds)
  }

  /// Fields that no packet names come last, because a definition that extends this one may add some.
  private func layout(_ packets: Node<Language.Packets>) -> PacketLayout {
    var rest = AdvertisingField.Content.allCases.filter { $0 != .incompleteServices && $0 != .bytes }
    func fields(_ items: [Node<Language.PacketBytes>]) -> [AdvertisingField.Content] {
      items.compactMap { item in
        if item.bytes != nil { return .bytes }
        guard let name = item.word, let field = AdvertisingField.Content(rawValue: name.text),
          field != .bytes
        else { return nil }
        let part = field == .incompleteServices ? .services : field
        if let index = rest.firstIndex(of: part) {
          rest.remove(at: index)
        } else {
          log.error(.secondPlace(field), at: name.range)
        }
        return field
      }
    }
    var layout = PacketLayout(
      advertisingData: fields(packets.advertisingData), scanResponse: fields(packets.scanResponse))
    for field in rest where field != .flags {
      if field == .localName {
        layout.scanResponse.append(field)
      } else {
        layout.advertisingData.append(field)
      }
    }
    return layout
  }

  func part<Content>(
    _ node: Node<some Advertised>, _ read: (Scalar) -> Content?
  ) -> Part<Content>? {
    guard let content = (node.word ?? node.content).flatMap(read) else { return nil }
    guard let place = node.condition else { return Part(content: content) }
    return condition(place).map { Part(content: content, condition: $0) }
  }

  func condition(_ scalar: Scalar?) -> Expression? { reader.expression(scalar, as: .boolean) }

  /// Structures with keys of their own.
  ///
  /// - Parameter found: is given the places of each key and its bytes.
  private func data<Key, Content>(
    _ entries: [Entry<[Node<Language.AdvertisedData>]>], _ read: (Scalar) -> Key?,
    _ content: (Key, ValueTemplate) -> Content, found: (SourceRange, SourceRange) -> Void = { _, _ in }
  ) -> [Part<Content>] {
    entries.flatMap { entry -> [Part<Content>] in
      guard let key = read(entry.key) else { return [] }
      return alternatives(entry.value) {
        reader.bytes($0).map { content(key, $0) }
      } found: {
        found(entry.key.range, $0)
      }
    }
  }

  /// Alternatives: the first whose condition is true is advertised. Each one also requires that no earlier one is.
  private func alternatives<Content>(
    _ nodes: [Node<Language.AdvertisedData>], _ read: (Scalar) -> Content?, found: (SourceRange) -> Void
  ) -> [Part<Content>] {
    var parts: [Part<Content>] = []
    var earlier: Expression?
    for (index, node) in nodes.enumerated() {
      guard var part = part(node, read) else { continue }
      if part.condition == nil, index + 1 < nodes.count {
        log.error(.neverAdvertised, at: nodes[index + 1].place)
      }
      let own = part.condition
      if let earlier { part.condition = .unless(earlier, own) }
      part.isAlternative = !parts.isEmpty
      earlier = earlier.flatMap { earlier in own.map { .binary(.or, earlier, $0) } } ?? own ?? earlier
      parts.append(part)
      found(node.place)
    }
    return parts
  }
}

// MARK: Keys and numbers

extension AdvertisementDecoder {
  /// A service of the device is named by its id or its UUID.
  private func service(_ name: Scalar) -> AdvertisedService? {
    let literal = BluetoothUUID(name.text)
    let own = device.services.firstIndex { service in
      service.id == name.text || (literal != nil && BluetoothUUID(service.id) == literal)
    }
    return own.map(AdvertisedService.own)
      ?? log.uuid(name, or: "the id of a service").map(AdvertisedService.uuid)
  }

  private func company(_ key: Scalar) -> UInt16? {
    let digits = key.text.hasPrefix("0x") ? String(key.text.dropFirst(2)) : key.text
    if digits.count == 4, digits.allSatisfy(\.isHexDigit), let company = UInt16(digits, radix: 16) {
      return company
    }
    log.error(.notCompany(key.text), at: key.range)
    return nil
  }

  private func type(_ key: Scalar) -> AdvertisingDataType? {
    if let type = AdvertisingDataType(key.text) { return type }
    log.error(.notType(key.text), at: key.range)
    return nil
  }

  private func power(_ scalar: Scalar) -> Expression? {
    let power = reader.expression(scalar, as: .integer)
    let range = AdvertisementTemplate.powers
    guard case .constant(.integer(let number)) = power, !range.contains(Int(number)) else { return power }
    log.error(.outOfRange(number, range), at: scalar.range)
    return nil
  }

  private func interval(_ node: Node<Language.Interval>?) -> (min: Expression, max: Expression)? {
    guard let min = reader.milliseconds(node?.min, atLeast: 0),
      let max = reader.milliseconds(node?.max, atLeast: 0)
    else { return nil }
    return (min, max)
  }
}

// MARK: Values

extension AdvertisementDecoder {
  /// Whether the advertisement can be built, first with the initial settings and then with other values that
  /// affect it. It stops at the first case that fails.
  private func check(_ advertisement: AdvertisementTemplate, _ node: Node<Language.Advertisement>) {
    check(advertisement) { report($0, $1, node) }
  }

  /// - Parameter report: is given the error, and the circumstance in which it happens.
  func check(_ advertisement: AdvertisementTemplate, report: (any Error, String) -> Void) {
    var device = device
    device.advertisement = advertisement
    for other in [ValueCase(context: device.initialContext)] + device.advertisingCases {
      let table = (try? device.attributes(in: other.context)) ?? AttributeTable(services: [])
      do { _ = try advertisement.resolved(in: other.context, with: table) } catch {
        return report(error, other.circumstance)
      }
    }
  }

  private func report(_ error: any Error, _ circumstance: String, _ node: Node<Language.Advertisement>) {
    guard let error = error as? AdvertisementValueError else {
      return log.error(.noBytes(error, circumstance: circumstance), at: node.place)
    }
    let place =
      switch error {
      case .txPower: node.txPower?.place
      case .interval: node.interval?.place
      case .target: node.directed?.place
      case .accepted: node.place
      case .address: node.address?.place
      case .resolvingKey: node.address?.key?.range
      }
    log.error(.badValue(error, circumstance: circumstance), at: place ?? node.place)
  }
}

extension Expression {
  /// Whether the first is false, and the second true.
  fileprivate static func unless(_ first: Self, _ second: Self?) -> Self {
    let isNot = Expression.unary(.not, first)
    return second.map { .binary(.and, isNot, $0) } ?? isNot
  }
}

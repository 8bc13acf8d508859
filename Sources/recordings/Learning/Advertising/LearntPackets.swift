import Bluetooth

/// Two packets as parts of the language, so that it lays them out as they were received.
struct LearntPackets: Hashable {
  private(set) var advertisement = Advertisement()
  private(set) var layout = PacketLayout()
  /// Whether every structure has a place.
  private var isWhole = true
  /// The types that get no key of their own.
  private let raw: Set<AdvertisingDataType>
  private let data: AdvertisingData
  private let response: AdvertisingData

  /// - Parameter capacity: the room of the packets.
  init(data: [UInt8], response: [UInt8], capacity: PacketCapacity) {
    let (data, response) = (AdvertisingData(parsing: data), AdvertisingData(parsing: response))
    let attempts = Self.rawTypes.lazy.map { Self(data, response, raw: $0) }
    self = attempts.first { $0.isExact(capacity) } ?? Self(data, response, raw: [])
  }

  private init(_ data: AdvertisingData, _ response: AdvertisingData, raw: Set<AdvertisingDataType>) {
    (self.data, self.response, self.raw) = (data, response, raw)
    for structure in data.structures { take(structure, into: \.advertisingData) }
    for structure in response.structures { take(structure, into: \.scanResponse) }
  }

  /// What is tried as raw structures, one after the other: the language has only one list of services and one place for the
  /// data of each kind.
  private static let rawTypes: [Set<AdvertisingDataType>] = [
    [], incompleteLists, completeLists, serviceData, [.manufacturerData], [.txPowerLevel, .appearance],
    incompleteLists.union(serviceData), incompleteLists.union([.manufacturerData]),
    incompleteLists.union(completeLists).union(serviceData).union([
      .manufacturerData, .txPowerLevel, .appearance,
    ]),
  ]
  private static let incompleteLists: Set<AdvertisingDataType> = [
    .incompleteServiceUUIDs16, .incompleteServiceUUIDs32, .incompleteServiceUUIDs128,
  ]
  private static let completeLists: Set<AdvertisingDataType> = [
    .completeServiceUUIDs16, .completeServiceUUIDs32, .completeServiceUUIDs128,
  ]
  private static let serviceData: Set<AdvertisingDataType> = [
    .serviceData16, .serviceData32, .serviceData128,
  ]

  /// Whether the language gives the very bytes that were received.
  func isExact(_ capacity: PacketCapacity) -> Bool {
    func bytes(_ contents: [AdvertisingField.Content], _ room: Int) -> [UInt8] {
      advertisement.fields(contents, room: room).flatMap(\.bytes)
    }
    return isWhole && bytes(layout.advertisingData, capacity.advertisingData) == data.bytes
      && bytes(layout.scanResponse, capacity.scanResponse) == response.bytes
  }

  /// The bytes after the last structure of either packet, for which the language has no place.
  var remainder: [UInt8] { data.remainder + response.remainder }

  /// Whether they are laid out so without being told: Flags first, the name alone in the scan response.
  var isUsual: Bool {
    let usual: [AdvertisingField.Content] = [
      .flags, .services, .manufacturerData, .serviceData, .appearance, .raw, .txPower,
    ]
    let data = layout.advertisingData
    return data.first == .flags && data == usual.filter(data.contains)
      && (layout.scanResponse.isEmpty || layout.scanResponse == [.localName])
  }
}

// MARK: Structures

extension LearntPackets {
  private typealias Packet = WritableKeyPath<PacketLayout, [AdvertisingField.Content]>

  private mutating func take(_ structure: ADStructure, into packet: Packet) {
    if !takeAsPart(structure, into: packet), !takeRaw(structure, into: packet) { isWhole = false }
  }

  private mutating func takeAsPart(_ structure: ADStructure, into packet: Packet) -> Bool {
    let value = structure.value
    if raw.contains(structure.type) { return false }
    switch structure.type {
    case .flags:
      guard value == [0x06] || value == [0x04], place(.flags, in: packet) else { return false }
      advertisement.isDiscoverable = value == [0x06]
    case .completeLocalName:
      guard let name = String(validating: value, as: UTF8.self), Self.isPlain(name),
        place(.localName, in: packet)
      else { return false }
      advertisement.localName = name
    case .txPowerLevel:
      guard value.count == 1, (-127...20).contains(Int8(bitPattern: value[0])), place(.txPower, in: packet)
      else { return false }
      advertisement.txPower = Int8(bitPattern: value[0])
    case .appearance:
      guard value.count == 2, place(.appearance, in: packet) else { return false }
      advertisement.appearance = UInt16(value[0], value[1])
    case .manufacturerData:
      guard value.count >= 2 else { return false }
      let company = UInt16(value[0], value[1])
      guard !advertisement.manufacturerData.contains(where: { $0.company == company }),
        place(.manufacturerData, in: packet, repeats: true)
      else { return false }
      advertisement.manufacturerData.append(.init(company: company, bytes: Array(value[2...])))
    default: return takeServices(structure, into: packet) || takeServiceData(structure, into: packet)
    }
    return true
  }

  private mutating func takeServices(_ structure: ADStructure, into packet: Packet) -> Bool {
    guard let width = structure.type.widthOfServiceUUIDs else { return false }
    let isComplete = structure.type == .completeServiceUUIDs(width)
    let uuids = AdvertisingData([structure]).serviceUUIDs
    let isSame = uuids.flatMap(\.littleEndianBytes) == structure.value && !uuids.isEmpty
    guard isSame, uuids.allSatisfy({ $0.width == width }) else { return false }
    let other: AdvertisingField.Content = isComplete ? .incompleteServices : .services
    guard !has(other), place(isComplete ? .services : .incompleteServices, in: packet, repeats: true) else {
      return false
    }
    advertisement.serviceUUIDs += uuids
    return true
  }

  private mutating func takeServiceData(_ structure: ADStructure, into packet: Packet) -> Bool {
    let widths: [BluetoothUUID.Width] = [.bits16, .bits32, .bits128]
    guard let width = widths.first(where: { structure.type == .serviceData($0) }),
      let uuid = BluetoothUUID(littleEndianBytes: structure.value.prefix(width.rawValue)),
      uuid.width == width, !advertisement.serviceData.contains(where: { $0.uuid == uuid }),
      place(.serviceData, in: packet, repeats: true)
    else { return false }
    advertisement.serviceData.append(
      .init(uuid: uuid, bytes: Array(structure.value.dropFirst(width.rawValue))))
    return true
  }

  private mutating func takeRaw(_ structure: ADStructure, into packet: Packet) -> Bool {
    guard !advertisement.rawStructures.contains(where: { $0.type == structure.type }),
      structure.type != .flags || !layout[keyPath: packet].contains(.flags),
      place(.raw, in: packet, repeats: true)
    else { return false }
    advertisement.rawStructures.append(structure)
    return true
  }

  private func has(_ content: AdvertisingField.Content) -> Bool {
    layout.advertisingData.contains(content) || layout.scanResponse.contains(content)
  }

  /// Puts a structure of a part at the end of a packet; a part is in one place.
  ///
  /// - Parameter repeats: whether the part may have several structures.
  private mutating func place(
    _ content: AdvertisingField.Content, in packet: Packet, repeats: Bool = false
  ) -> Bool {
    if repeats, layout[keyPath: packet].last == content { return true }
    guard !has(content) else { return false }
    layout[keyPath: packet].append(content)
    return true
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy { scalar in
        scalar != "{" && scalar != "}" && scalar != "\\"
          && ![.control, .format, .unassigned, .privateUse].contains(scalar.properties.generalCategory)
      }
  }
}

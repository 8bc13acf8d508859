import Bluetooth

/// How blemu itself spreads an advertisement over its two packets (Core Specification, Vol 3 Part C 11): as the definition
/// has them, or else Flags first, as devices do, and the name in the scan response. The fields of a packet that this kind of
/// advertising does not have are in the other.
struct ExactLayout: Hashable {
  private(set) var packets: AdvertisingPackets
  /// Why it cannot be sent; nil: it can.
  let overflow: Overflow?

  struct Overflow: Hashable, CustomStringConvertible {
    /// As in "advertising data".
    var packet: String
    var fields: [AdvertisingField]
    var largest: AdvertisingField
    var capacity: Int
    /// The room in the other packet, where the definition does not say what is in which.
    var otherRoom: Int

    init?(of packet: String, _ fields: [AdvertisingField], capacity: Int, otherRoom: Int = 0) {
      guard let largest = fields.max(by: { $0.size < $1.size }) else { return nil }
      guard largest.excess > 0 || fields.size > capacity else { return nil }
      (self.packet, self.fields, self.largest, self.capacity) = (packet, fields, largest, capacity)
      self.otherRoom = otherRoom
    }

    var description: String {
      if largest.excess > 0 {
        return "\(largest.content.rawValue) takes \(largest.size) bytes, but one structure has at most "
          + "\(2 + ADStructure.maximumValueLength); shorten it by \(largest.excess)"
      }
      let needed = fields.size
      let canMove = largest.size <= otherRoom && needed - largest.size <= capacity
      return "\(packet) needs \(needed) bytes, but only \(capacity) fit: \(largest.content.rawValue) "
        + "takes \(largest.size); shorten it by \(needed - capacity)"
        + (canMove ? ", or put it into the scan response with 'packets'" : "")
    }
  }

  init(_ advertisement: Advertisement) {
    if let layout = advertisement.layout {
      self.init(advertisement, layout)
    } else {
      self.init(usual: advertisement)
    }
  }

  private init(_ advertisement: Advertisement, _ layout: PacketLayout) {
    let capacity = advertisement.capacity
    var (data, response) = (layout.advertisingData, layout.scanResponse)
    if capacity.scanResponse == 0 { (data, response) = (data + response, []) }
    if capacity.advertisingData == 0 { (data, response) = ([], data + response) }
    let (bytes, count) = (advertisement.packetBytes, data.filter { $0 == .bytes }.count)
    self.init(
      advertisement.fields(data, bytes: bytes.prefix(count), room: capacity.advertisingData),
      advertisement.fields(response, bytes: bytes.dropFirst(count), room: capacity.scanResponse), capacity,
      isGiven: true)
  }

  private init(usual advertisement: Advertisement) {
    let capacity = advertisement.capacity
    let power = advertisement.powerFields
    let room = max(capacity.advertisingData, capacity.scanResponse)
    // A scan response has no Flags, and a packet that is not connectable may lack them (CSS Part A 1.3).
    let isData = capacity.advertisingData > 0
    let flags = isData && !advertisement.hasRawFlags ? [advertisement.flagsField] : []
    let omitsFlags = !advertisement.isConnectable && (flags + advertisement.contentFields).size > room
    let fields = (omitsFlags ? [] : flags) + advertisement.contentFields
    let omitted = omitsFlags ? flags : []
    if capacity.advertisingData > 0, capacity.scanResponse > 0 {
      let hasRoom = (fields + power).size <= room
      self.init(
        fields + (hasRoom ? power : []), advertisement.nameFields(room: room - 2), capacity,
        omitted: omitted + (hasRoom ? [] : power))
    } else {
      let rest = room - fields.size - 2
      let name = advertisement.nameFields(room: rest > 0 ? rest : .max)
      let hasRoom = (fields + name + power).size <= room
      let all = fields + (hasRoom ? power : []) + name
      self.init(isData ? all : [], isData ? [] : all, capacity, omitted: omitted + (hasRoom ? [] : power))
    }
  }

  /// - Parameter isGiven: whether the definition says what is in which packet.
  private init(
    _ data: [AdvertisingField], _ response: [AdvertisingField], _ capacity: PacketCapacity,
    omitted: [AdvertisingField] = [], isGiven: Bool = false
  ) {
    guard capacity.advertisingData + capacity.scanResponse > 0 else {
      packets = AdvertisingPackets(remarks: ["a directed packet has no data"])
      packets.capacity = capacity
      overflow = nil
      return
    }
    packets = AdvertisingPackets(
      advertisingFields: data, scanResponseFields: response, omittedFields: omitted)
    packets.capacity = capacity
    overflow =
      Overflow(
        of: "advertising data", data, capacity: capacity.advertisingData,
        otherRoom: isGiven ? 0 : capacity.scanResponse - response.size)
      ?? Overflow(of: "the scan response", response, capacity: capacity.scanResponse)
  }
}

extension AdvertisingField {
  /// How much longer it is than a structure can be.
  fileprivate var excess: Int { content == .bytes ? 0 : size - 2 - ADStructure.maximumValueLength }
}

extension Advertisement {
  /// Without Flags, and without tx-power, which comes last and only if there is room.
  fileprivate var contentFields: [AdvertisingField] {
    serviceFields + manufacturerFields + serviceDataFields + appearanceFields + rawFields
  }
}

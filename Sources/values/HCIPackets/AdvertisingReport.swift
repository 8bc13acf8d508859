import Bluetooth
import Framing

/// An advertising packet that a controller has received, or a fragment of one (Core Specification, Vol 4 Part E 7.7.65.2,
/// 7.7.65.11, 7.7.65.13).
package struct AdvertisingReport: Hashable, Sendable {
  /// The bits of Event_Type of an extended report. Those of a legacy report say the same.
  package struct Properties: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let connectable = Self(rawValue: 1 << 0)
    package static let scannable = Self(rawValue: 1 << 1)
    package static let directed = Self(rawValue: 1 << 2)
    package static let scanResponse = Self(rawValue: 1 << 3)
    package static let legacy = Self(rawValue: 1 << 4)
    /// More fragments follow.
    package static let incomplete = Self(rawValue: 1 << 5)
    /// The controller could not receive the rest.
    package static let truncated = Self(rawValue: 1 << 6)
  }

  package var properties: Properties
  /// nil: the advertising is anonymous.
  package var address: LinkAddress?
  package var data: [UInt8]
  /// The number of its set, 0 to 15; nil: it has none.
  package var set: UInt8?
  /// dBm; nil: the controller has not measured it.
  package var rssi: Int8?

  package init(
    properties: Properties, address: LinkAddress?, data: [UInt8], set: UInt8? = nil, rssi: Int8? = nil
  ) {
    (self.properties, self.address, self.data) = (properties, address, data)
    (self.set, self.rssi) = (set, rssi)
  }
}

extension AdvertisingReport {
  /// Reads the reports of an event, without the type of the packet; none if it is another event. Those before missing bytes count.
  ///
  ///     3E 0F  02 01  00 00  66 55 44 33 22 11  03  02 01 06  C4    ADV_IND of 11:22:33:44:55:66 with 3 bytes, -60 dBm
  package static func reports(in event: some Collection<UInt8>) -> [Self] {
    var fields = ByteReader(event)
    guard fields.byte() == 0x3E, fields.byte() != nil, let subevent = fields.byte(), let count = fields.byte()
    else { return [] }
    let read: (inout ByteReader) -> Self?
    switch subevent {
    case 0x02: read = { Self(legacyIn: &$0) }
    case 0x0B: read = { Self(directedIn: &$0) }
    case 0x0D: read = { Self(extendedIn: &$0) }
    default: return []
    }
    var reports: [Self] = []
    while reports.count < Int(count), let report = read(&fields) { reports.append(report) }
    return reports
  }

  /// ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, SCAN_RSP.
  private static let legacyProperties: [Properties] = [
    [.legacy, .connectable, .scannable], [.legacy, .connectable, .directed], [.legacy, .scannable], .legacy,
    [.legacy, .scanResponse],
  ]

  /// Event_Type, type of the address, address, length, data, RSSI.
  private init?(legacyIn fields: inout ByteReader) {
    guard let type = fields.byte(), Int(type) < Self.legacyProperties.count,
      let address = fields.linkAddress(), let length = fields.byte(), let data = fields.bytes(Int(length)),
      let rssi = fields.byte()
    else { return nil }
    self.init(
      properties: Self.legacyProperties[Int(type)], address: address, data: data, rssi: Self.rssi(rssi))
  }

  /// Event_Type, type of the address, address, those of this side, RSSI.
  private init?(directedIn fields: inout ByteReader) {
    guard fields.byte() != nil, let address = fields.linkAddress(), fields.linkAddress() != nil,
      let rssi = fields.byte()
    else { return nil }
    self.init(properties: Self.legacyProperties[1], address: address, data: [], rssi: Self.rssi(rssi))
  }

  /// Event_Type, type of the address, address, primary PHY, secondary PHY, set, transmit power, RSSI, interval of periodic
  /// advertising, type of the target, target, length, data.
  private init?(extendedIn fields: inout ByteReader) {
    guard let type = fields.number(), let kind = fields.rest.first, let address = fields.linkAddress(),
      fields.skip(2), let set = fields.byte(), fields.skip(1), let rssi = fields.byte(),
      fields.skip(2 + 1 + 6),
      let length = fields.byte(), let data = fields.bytes(Int(length))
    else { return nil }
    self.init(
      properties: Properties(rawValue: type), address: kind == 0xFF ? nil : address, data: data,
      set: set == 0xFF ? nil : set, rssi: Self.rssi(rssi))
  }

  /// 127 is for no value.
  private static func rssi(_ byte: UInt8) -> Int8? { byte == 0x7F ? nil : Int8(bitPattern: byte) }
}

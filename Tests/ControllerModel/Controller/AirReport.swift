import Bluetooth

/// What a scanner reports of an advertising event.
struct AirReport: Sendable {
  /// The bits of Event_Type (Vol 4 Part E 7.7.65.13): connectable, scannable, directed, scan response, legacy.
  var kind: UInt16
  /// nil: anonymous.
  var address: LinkAddress?
  var target: LinkAddress?
  var data: [UInt8]
  var primaryPHY: UInt8
  var secondaryPHY: UInt8
  var identifier: UInt8
  var rssi: Int8

  init(_ broadcast: Broadcast) {
    let set = broadcast.set
    let isLegacy = set.properties.contains(.legacy)
    kind = set.properties.rawValue & 0x17
    address = set.properties.contains(.anonymous) ? nil : broadcast.address
    (target, data, rssi) = (set.target, set.sentData, broadcast.rssi)
    (primaryPHY, secondaryPHY) = (set.primaryPHY, isLegacy ? 0 : set.secondaryPHY)
    identifier = isLegacy ? 0xFF : set.identifier
  }

  init(responseOf broadcast: Broadcast) {
    self.init(broadcast)
    kind |= 1 << 3
    data = broadcast.set.scanResponse.bytes
  }

  var isLegacy: Bool { kind & 0x10 != 0 }

  /// The number of ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, SCAN_RSP in a legacy report (7.7.65.2).
  var legacyNumber: UInt8 {
    switch kind {
    case 0x13: 0
    case 0x15: 1
    case 0x12: 2
    case 0x10: 3
    default: 4
    }
  }
}

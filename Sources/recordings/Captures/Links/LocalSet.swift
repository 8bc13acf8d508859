import Bluetooth
import Framing
import HCIPackets

/// What a host has told its controller to advertise, in one set or as legacy advertising.
struct LocalSet: Sendable {
  /// Advertising data, or scan response data.
  struct Packet: Sendable {
    private(set) var bytes: [UInt8] = []
    private var unfinished: [UInt8] = []

    /// Length, 31 bytes of which the length says how many count (Core Specification, Vol 4 Part E 7.8.7, 7.8.8).
    mutating func setLegacy(_ fields: inout ByteReader) {
      if let length = fields.byte() { bytes = Array(fields.rest.prefix(min(31, Int(length)))) }
    }

    /// Operation, whether the controller may fragment it, length, bytes (7.8.54).
    mutating func takeFragment(_ fields: inout ByteReader) {
      guard let operation = fields.byte(), let position = AdvertisingFragment.Position(rawValue: operation),
        fields.skip(1), let length = fields.byte(), let fragment = fields.bytes(Int(length))
      else { return }
      switch position {
      case .only: bytes = fragment
      case .first: unfinished = fragment
      case .middle: unfinished += fragment
      case .last: bytes = unfinished + fragment
      }
    }
  }

  var isEnabled = false
  var isRandom = false
  /// The random address of the set; nil: that of the controller.
  var address: DeviceAddress?
  var data = Packet()
  var scanResponse = Packet()
  private var kind = CapturedAdvertisement.Kind.connectable
  private var interval: ClosedRange<AdvertisingInterval>?
  private var number: UInt8?
}

extension LocalSet {
  var isConnectable: Bool {
    switch kind {
    case .connectable, .directed, .extended(isConnectable: true, _, _): true
    case .scannable, .nonConnectable, .scanResponse, .extended: false
    }
  }

  /// The packets that it advertises.
  func packets(at time: Instant) -> [CapturedAdvertisement] {
    var packet = CapturedAdvertisement(time: time, kind: kind, data: kind == .directed ? nil : data.bytes)
    (packet.set, packet.interval) = (number, interval)
    guard kind.isScannable, !scanResponse.bytes.isEmpty else { return [packet] }
    var response = packet
    (response.kind, response.data) = (.scanResponse, scanResponse.bytes)
    return [packet, response]
  }

  /// Shortest and longest interval, type, kind of its own address (7.8.5).
  mutating func takeLegacyParameters(_ fields: inout ByteReader) {
    guard let shortest = fields.number(), let longest = fields.number(), let type = fields.byte(),
      let ownKind = fields.byte()
    else { return }
    kind =
      switch type {
      case 0x01, 0x04: .directed
      case 0x02: .scannable
      case 0x03: .nonConnectable
      default: .connectable
      }
    setInterval(UInt32(shortest), UInt32(longest))
    isRandom = ownKind & 1 == 1
  }

  /// Properties, shortest and longest interval, channels, kind of its own address, target, filter policy, power, PHY, packets
  /// to skip, PHY, number of the set (7.8.53).
  mutating func takeParameters(_ fields: inout ByteReader) {
    guard let properties = fields.number(), let shortest = fields.number(UInt32.self, size: 3),
      let longest = fields.number(UInt32.self, size: 3),
      fields.skip(1), let ownKind = fields.byte(), fields.skip(7 + 1 + 1 + 1 + 1 + 1), let set = fields.byte()
    else { return }
    // The bits 0 to 2 and 4 are those of reports.
    let reported = AdvertisingReport.Properties(rawValue: properties & 0x17)
    kind = CapturedAdvertisement.Kind(reported)
    number = reported.contains(.legacy) ? nil : set
    setInterval(shortest, longest)
    isRandom = ownKind & 1 == 1
  }

  private mutating func setInterval(_ shortest: UInt32, _ longest: UInt32) {
    interval =
      shortest <= longest
      ? AdvertisingInterval(units: shortest)...AdvertisingInterval(units: longest) : nil
  }
}

extension CapturedAdvertisement.Kind {
  fileprivate var isScannable: Bool {
    switch self {
    case .connectable, .scannable, .extended(_, isScannable: true, _): true
    case .directed, .nonConnectable, .scanResponse, .extended: false
    }
  }
}

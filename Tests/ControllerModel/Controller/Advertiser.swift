import Bluetooth
import Framing

/// An advertising set, or what the legacy commands advertise.
struct Advertiser: Sendable {
  var properties: Properties
  /// Between two advertising events, in microseconds, without the random delay.
  var interval: Int64
  var ownAddressType: UInt8
  /// The device that directed advertising is for.
  var target: LinkAddress?
  /// Bit 0: only devices of the accept list are answered when they scan; bit 1: likewise when they connect.
  var filterPolicy: UInt8
  var primaryPHY: UInt8 = 1
  var secondaryPHY: UInt8 = 1
  var identifier: UInt8 = 0
  /// Whether the host hears of scan requests.
  var reportsScans = false
  var randomAddress: DeviceAddress?
  var data = Content()
  var scanResponse = Content()
  var activity: Activity?

  /// Bits of Advertising_Event_Properties (Vol 4 Part E 7.8.53).
  struct Properties: OptionSet, Sendable {
    let rawValue: UInt16

    static let connectable = Self(rawValue: 1 << 0)
    static let scannable = Self(rawValue: 1 << 1)
    static let directed = Self(rawValue: 1 << 2)
    static let highDuty = Self(rawValue: 1 << 3)
    static let legacy = Self(rawValue: 1 << 4)
    static let anonymous = Self(rawValue: 1 << 5)
    static let transmitPower = Self(rawValue: 1 << 6)

    /// ADV_IND, ADV_DIRECT_IND with high and low duty cycle, ADV_SCAN_IND, ADV_NONCONN_IND.
    static let legacyKinds: [Self] = [
      [.legacy, .connectable, .scannable], [.legacy, .connectable, .directed, .highDuty],
      [.legacy, .connectable, .directed], [.legacy, .scannable], .legacy,
    ]
  }

  /// Advertising data, which may come in fragments.
  struct Content: Sendable {
    var bytes: [UInt8] = []
    /// Whether the last fragment has come.
    var isComplete = true
  }

  /// While it is enabled.
  struct Activity: Sendable {
    var nextEvent: Instant
    var end: Instant?
    /// 0: any number.
    var mostEvents: UInt8 = 0
    var eventCount: UInt8 = 0
  }
}

extension Advertiser {
  /// When it has something to do.
  var due: Instant? {
    activity.map { min($0.nextEvent, $0.end ?? $0.nextEvent) }
  }

  /// What a set has before the host has set its parameters with the legacy commands (7.8.5).
  static let legacyDefault = Self(
    properties: Properties.legacyKinds[0], interval: 1_280_000, ownAddressType: 0, filterPolicy: 0)

  /// The data of an advertising event: extended advertising that can be scanned has none.
  var sentData: [UInt8] {
    if properties.contains(.legacy) { return properties.contains(.directed) ? [] : data.bytes }
    return properties.contains(.scannable) ? [] : data.bytes
  }
}

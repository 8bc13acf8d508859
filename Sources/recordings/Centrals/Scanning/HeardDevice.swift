import Bluetooth
import Framing
import HCIPackets

/// A device that advertises, as far as it was heard.
package struct HeardDevice: Hashable, Sendable {
  package let address: LinkAddress
  /// Whether a central may connect to it.
  package private(set) var isConnectable = false
  /// Whether it has announced a scan response that was not heard.
  package var lacksScanResponse: Bool { isScannable && scanResponse.isEmpty && !hasScanResponse }
  private var isScannable = false
  private var hasScanResponse = false
  /// Whether its packets are those of extended advertising.
  package private(set) var isExtended = false
  /// The last advertising data, and the last scan response data.
  package private(set) var data: [UInt8] = []
  package private(set) var scanResponse: [UInt8] = []
  /// Of the last packet, dBm; nil: the controller has not measured it.
  package private(set) var rssi: Int8?
  /// How many packets were heard, scan responses included.
  package private(set) var count = 0
  package let first: Instant
  package private(set) var last: Instant

  init(_ address: LinkAddress, at time: Instant) {
    self.address = address
    (first, last) = (time, time)
  }

  mutating func take(_ report: AdvertisingReport, at time: Instant) {
    (last, count) = (time, count + 1)
    rssi = report.rssi ?? rssi
    if report.properties.contains(.connectable) { isConnectable = true }
    if report.properties.contains(.scannable) { isScannable = true }
    if !report.properties.contains(.legacy) { isExtended = true }
    if report.properties.contains(.scanResponse) {
      (scanResponse, hasScanResponse) = (report.data, true)
    } else if !report.properties.contains(.directed) {
      data = report.data
    }
  }

  /// Both packets.
  package var contents: [AdvertisingData] {
    [AdvertisingData(parsing: data), AdvertisingData(parsing: scanResponse)]
  }

  package var structures: [ADStructure] { contents.flatMap(\.structures) }

  /// The complete or shortened local name; nil: neither was heard.
  package var name: String? {
    let names = structures.filter { $0.type == .completeLocalName || $0.type == .shortenedLocalName }
    let best = names.first { $0.type == .completeLocalName } ?? names.first
    return best.map { String(decoding: $0.value, as: UTF8.self) }
  }
}

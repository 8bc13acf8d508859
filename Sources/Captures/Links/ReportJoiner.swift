import Bluetooth
import HCIPackets

/// Joins the fragments of advertising data that a controller reports (Core Specification, Vol 4 Part E 7.7.65.13).
struct ReportJoiner: Sendable {
  private struct Source: Hashable {
    let address: LinkAddress
    let set: UInt8?
  }

  private var fragments: [Source: [UInt8]] = [:]

  /// The most bytes of advertising data (7.8.54).
  private static let capacity = 1650

  mutating func take(_ report: AdvertisingReport, _ packet: CapturedPacket, _ findings: inout Findings) {
    guard let address = report.address else {
      return findings.note(.anonymousAdvertising, at: packet.offset)
    }
    let source = Source(address: address, set: report.set)
    let data = (fragments.removeValue(forKey: source) ?? []) + report.data
    if report.properties.contains(.incomplete), !report.properties.contains(.truncated) {
      if data.count <= Self.capacity { fragments[source] = data }
      return
    }
    if report.properties.contains(.truncated) { findings.note(.truncatedAdvertising, at: packet.offset) }
    let kind = CapturedAdvertisement.Kind(report.properties)
    var advertisement = CapturedAdvertisement(
      time: packet.time, kind: kind, data: kind == .directed ? nil : data)
    (advertisement.set, advertisement.rssi) = (report.set, report.rssi)
    findings.add(advertisement, of: .known(address))
  }
}

extension CapturedAdvertisement.Kind {
  init(_ properties: AdvertisingReport.Properties) {
    let (isConnectable, isScannable) = (properties.contains(.connectable), properties.contains(.scannable))
    let isDirected = properties.contains(.directed)
    if properties.contains(.scanResponse) {
      self = .scanResponse
    } else if !properties.contains(.legacy) {
      self = .extended(isConnectable: isConnectable, isScannable: isScannable, isDirected: isDirected)
    } else if isDirected {
      self = .directed
    } else {
      self = isConnectable ? .connectable : isScannable ? .scannable : .nonConnectable
    }
  }
}

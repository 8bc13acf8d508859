import Bluetooth
import HCIPackets

extension ReportJoiner {
  mutating func take(_ report: AdvertisingReport, _ packet: CapturedPacket, _ findings: inout Findings) {
    guard let address = report.address else {
      return findings.note(.anonymousAdvertising, at: packet.offset)
    }
    guard let report = take(report) else { return }
    if report.properties.contains(.truncated) { findings.note(.truncatedAdvertising, at: packet.offset) }
    let kind = CapturedAdvertisement.Kind(report.properties)
    var advertisement = CapturedAdvertisement(
      time: packet.time, kind: kind, data: kind == .directed ? nil : report.data)
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

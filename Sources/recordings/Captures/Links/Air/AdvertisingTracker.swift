import Bluetooth
import Framing

/// Follows the advertising channels.
struct AdvertisingTracker: Sendable {
  /// Advertising whose data goes on in the next PDU of a chain.
  private struct Unfinished {
    var advertisement: CapturedAdvertisement
    let address: LinkAddress
    var data: [UInt8]
  }

  /// The addresses that only the first PDU, ADV_EXT_IND, had, by the identifier that the PDUs of an event have in common.
  private var addresses: [UInt16: LinkAddress] = [:]
  private var unfinished: [UInt16: Unfinished] = [:]
  private var scanRequest: (address: DeviceAddress, time: Instant)?
  /// The access addresses of periodic advertising, which are not those of links.
  private(set) var periodicAddresses: Set<UInt32> = []

  /// Takes a PDU. Returns the link that it requests.
  mutating func take(
    _ pdu: AdvertisingPDU, _ packet: CapturedPacket, _ reception: LinkLayerReception,
    _ findings: inout Findings
  ) -> ConnectionRequest? {
    switch pdu {
    case .connection(let request): return request
    case .scanRequest(let address): scanRequest = (address, packet.time)
    case .legacy(let kind, let address, let data):
      var advertisement = CapturedAdvertisement(time: packet.time, kind: kind, data: data)
      (advertisement.rssi, advertisement.channel) = (reception.rssi, reception.channel)
      findings.add(advertisement, of: .known(address))
    case .extended(let pdu): take(pdu, packet, reception, &findings)
    }
    return nil
  }
}

// MARK: - Extended advertising

extension AdvertisingTracker {
  /// The most bytes of advertising data.
  private static let capacity = 1650

  private mutating func take(
    _ pdu: ExtendedAdvertisingPDU, _ packet: CapturedPacket, _ reception: LinkLayerReception,
    _ findings: inout Findings
  ) {
    if let address = pdu.periodicAddress { periodicAddresses.insert(address) }
    if let identifier = pdu.identifier, pdu.address == nil, let begun = unfinished[identifier] {
      unfinished[identifier] = nil
      return goOn(with: begun, pdu, identifier, &findings)
    }
    let isPrimary = reception.channel.map { $0 >= 37 } ?? (pdu.data.isEmpty && pdu.hasAuxiliary)
    if isPrimary, pdu.hasAuxiliary {
      if let identifier = pdu.identifier, let address = pdu.address { addresses[identifier] = address }
      return
    }
    guard let address = pdu.address ?? pdu.identifier.flatMap({ addresses[$0] }) else {
      return findings.note(.anonymousAdvertising, at: packet.offset)
    }
    var advertisement = CapturedAdvertisement(
      time: packet.time, kind: kind(of: pdu, address, packet.time), data: isPrimary ? nil : pdu.data)
    (advertisement.set, advertisement.rssi, advertisement.channel) = (
      pdu.set, reception.rssi, reception.channel
    )
    let first = Unfinished(advertisement: advertisement, address: address, data: [])
    goOn(with: first, pdu, pdu.identifier, &findings)
  }

  /// Adds the data of a PDU. The last one of its chain ends the advertisement.
  private mutating func goOn(
    with begun: Unfinished, _ pdu: ExtendedAdvertisingPDU, _ identifier: UInt16?, _ findings: inout Findings
  ) {
    var begun = begun
    begun.data += pdu.data
    if let identifier, pdu.hasAuxiliary {
      if begun.data.count <= Self.capacity { unfinished[identifier] = begun }
    } else {
      if begun.advertisement.data != nil { begun.advertisement.data = begun.data }
      findings.add(begun.advertisement, of: .known(begun.address))
    }
  }

  /// AUX_SCAN_RSP has the form of AUX_ADV_IND. It comes directly after AUX_SCAN_REQ.
  private func kind(of pdu: ExtendedAdvertisingPDU, _ address: LinkAddress, _ time: Instant)
    -> CapturedAdvertisement.Kind
  {
    if !pdu.isConnectable, !pdu.isScannable, let scanRequest, scanRequest.address == address.address,
      scanRequest.time.milliseconds(to: time) < 3
    {
      return .scanResponse
    }
    return .extended(
      isConnectable: pdu.isConnectable, isScannable: pdu.isScannable, isDirected: pdu.isDirected)
  }
}

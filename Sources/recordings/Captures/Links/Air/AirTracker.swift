import Bluetooth
import Framing

/// Follows the packets on the air (Core Specification, Vol 6 Part B).
///
///     D6 BE 89 8E  40 09  66 55 44 33 22 C1 02 01 06  3A 4F 20    access address; header with length; payload; CRC
struct AirTracker: Sendable {
  private var links: [UInt32: AirLink] = [:]
  private var advertising = AdvertisingTracker()

  private static let advertisingAddress: UInt32 = 0x8E89_BED6

  mutating func take(
    _ packet: CapturedPacket, _ reception: LinkLayerReception, _ findings: inout Findings
  ) {
    guard packet.omitted == 0 else { return findings.note(.cutPackets, at: packet.offset) }
    var fields = ByteReader(packet.bytes)
    guard packet.bytes.count >= 6, let address = fields.number(UInt32.self) else {
      return findings.note(.malformedPackets, at: packet.offset)
    }
    let pdu = fields.rest
    guard isRight(pdu, address, reception) else { return findings.note(.wrongCRC, at: packet.offset) }
    guard let payload = Self.payload(of: pdu, isData: address != Self.advertisingAddress, reception) else {
      return findings.note(.malformedPackets, at: packet.offset)
    }
    if address == Self.advertisingAddress {
      takeAdvertising(packet, payload, reception, &findings)
    } else if !advertising.periodicAddresses.contains(address) {
      takeData(packet, address, payload, reception, &findings)
    }
  }

  /// Decrypted packets no longer have the bytes of which theirs is the CRC, and that of a link may be unknown.
  private func isRight(_ pdu: ArraySlice<UInt8>, _ address: UInt32, _ reception: LinkLayerReception) -> Bool {
    if let isRight = reception.hasRightCRC { return isRight }
    let known = address == Self.advertisingAddress ? LinkLayerCRC.advertising : links[address]?.initialCRC
    guard let known, reception.crcLength == 3, !reception.isDecrypted else { return true }
    return LinkLayerCRC.isRight(in: pdu, initial: known)
  }

  /// A data header may have a third byte, which bit 5 announces (2.4).
  private static func payload(of pdu: ArraySlice<UInt8>, isData: Bool, _ reception: LinkLayerReception)
    -> ArraySlice<UInt8>?
  {
    let header = isData && pdu[pdu.startIndex] & 0x20 != 0 ? 3 : 2
    let payload = pdu.dropFirst(header).dropLast(reception.crcLength)
    return payload.count == Int(pdu[pdu.startIndex + 1]) ? payload : nil
  }

  private mutating func takeAdvertising(
    _ packet: CapturedPacket, _ payload: ArraySlice<UInt8>, _ reception: LinkLayerReception,
    _ findings: inout Findings
  ) {
    guard let pdu = AdvertisingPDU(header: packet.bytes[4], payload),
      let request = advertising.take(pdu, packet, reception, &findings)
    else { return }
    // The same request twice: a sniffer may hear it on two antennas.
    if let link = links[request.accessAddress], link.initialCRC == request.initialCRC, link.isUnused {
      return
    }
    var link = ObservedLink(packet)
    (link.start, link.hostRole) = (packet.time, .central)
    (link.hostAddress, link.peerAddress) = (request.central, request.peripheral)
    link.add(.parameters(request.parameters), at: packet.time)
    links[request.accessAddress] = AirLink(findings.begin(link), initialCRC: request.initialCRC)
  }

  /// A link whose beginning was missed counts once it says something that can be read.
  private mutating func takeData(
    _ packet: CapturedPacket, _ address: UInt32, _ payload: ArraySlice<UInt8>,
    _ reception: LinkLayerReception, _ findings: inout Findings
  ) {
    let header = DataHeader(packet.bytes[4])
    if links[address] == nil {
      guard header.kind == .start, AirLink.beginsFrame(payload) else {
        let isNoise = payload.isEmpty || reception.hasRightCRC != true || header.kind == .control
        return isNoise ? () : findings.note(.unknownLink, at: packet.offset)
      }
      var link = ObservedLink(packet)
      link.hostRole = .central
      links[address] = AirLink(findings.begin(link), initialCRC: nil)
    }
    links[address]?.take(packet, header, payload, reception, &findings)
  }
}

import Bluetooth
import Framing

/// Follows the packets on the air (Core Specification, Vol 6 Part B).
///
///     D6 BE 89 8E  40 09  66 55 44 33 22 C1 02 01 06  3A 4F 20    access address; header with length; payload; CRC
struct AirTracker: Sendable {
  private var links: [UInt32: AirLink] = [:]
  private var advertising = AdvertisingTracker()
  /// The packets of links whose CRC was wrong since the last right one.
  private var doubtful: [UInt32: [(packet: CapturedPacket, reception: LinkLayerReception)]] = [:]
  /// The links whose CRCs are not those of the recorded bytes: whoever decrypts a recording may keep those of the encrypted ones.
  private var uncheckedLinks: Set<UInt32> = []

  /// After so many packets with a wrong CRC, and none with a right one, the CRC was not recorded.
  private static let mostDoubtful = 16

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
    let isRight = isRight(pdu, address, reception)
    let payload = Self.payload(of: pdu, isData: address != Self.advertisingAddress, reception)
    guard isRight || links[address] != nil && reception.hasRightCRC == nil && payload?.isEmpty == false else {
      return findings.note(.wrongCRC, at: packet.offset)
    }
    guard let payload else { return findings.note(.malformedPackets, at: packet.offset) }
    if !isRight { return takeDoubtful(packet, address, payload, reception, &findings) }
    if !payload.isEmpty { leaveOutDoubtful(of: address, &findings) }
    if address == Self.advertisingAddress {
      takeAdvertising(packet, payload, reception, &findings)
    } else if !advertising.periodicAddresses.contains(address) {
      takeData(packet, address, payload, reception, &findings)
    }
  }

  /// Ends the recording.
  mutating func finish(_ findings: inout Findings) {
    for (address, packets) in doubtful.sorted(by: { $0.key < $1.key }) {
      if packets.count > 1, links[address]?.isUnused == true {
        takeUnchecked(address, &findings)
      } else {
        leaveOutDoubtful(of: address, &findings)
      }
    }
  }

  /// Takes a packet with a wrong CRC if that can be the CRC of other bytes, and waits for others if that is not certain.
  private mutating func takeDoubtful(
    _ packet: CapturedPacket, _ address: UInt32, _ payload: ArraySlice<UInt8>,
    _ reception: LinkLayerReception, _ findings: inout Findings
  ) {
    let isDecrypted = links[address]?.canBeDecrypted(DataHeader(packet.bytes[4]), payload) ?? false
    if isDecrypted || uncheckedLinks.contains(address) {
      findings.note(.foreignCRC, at: packet.offset)
      return takeData(packet, address, payload, reception, &findings)
    }
    doubtful[address, default: []].append((packet, reception))
    if doubtful[address]?.count == Self.mostDoubtful { takeUnchecked(address, &findings) }
  }

  private mutating func takeUnchecked(_ address: UInt32, _ findings: inout Findings) {
    uncheckedLinks.insert(address)
    for (packet, reception) in doubtful.removeValue(forKey: address) ?? [] {
      guard let payload = Self.payload(of: packet.bytes.dropFirst(4), isData: true, reception) else {
        continue
      }
      findings.note(.foreignCRC, at: packet.offset)
      takeData(packet, address, payload, reception, &findings)
    }
  }

  private mutating func leaveOutDoubtful(of address: UInt32, _ findings: inout Findings) {
    for (packet, _) in doubtful.removeValue(forKey: address) ?? [] {
      findings.note(.wrongCRC, at: packet.offset)
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

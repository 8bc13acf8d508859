import Framing

/// The header of link type 272 (`docs/dissectors` of Nordic Semiconductor's nRF Sniffer; protocol versions 1 to 3, and the
/// one before them). All numbers are little-endian.
///
///     board(1)  length of header(1)  length of payload(1)  version 1(1)  counter(2)  kind(1)  header of the event  packet
///     board(1)  length of payload(2)  version 2 or 3(1)  counter(2)  kind(1)  header of the event  packet
///     BE EF  kind(1)  counter(2)  unused(2)  length of payload(1)  header of the event without its length  packet
///
/// The header of the event:
///
///     length(1)  flags(1)  channel index(1)  signal in -dBm(1)  event counter(2)  time(4)
enum NordicHeader {
  private struct Flags: OptionSet {
    let rawValue: UInt8

    static let hasRightCRC = Flags(rawValue: 0x01)
    static let fromCentral = Flags(rawValue: 0x02)
    static let wasEncrypted = Flags(rawValue: 0x04)
    static let hasRightMIC = Flags(rawValue: 0x08)

    var phy: UInt8 { rawValue >> 4 & 7 }
  }

  private static let codedPHY: UInt8 = 2
  /// A packet on an advertising channel, from version 3 on, and a packet on any channel or on that of a connection.
  private static let packetKinds: Set<UInt8> = [0x02, 0x06]

  static func unwrap(_ bytes: ArraySlice<UInt8>) -> (CapturedPacket.Layer, ArraySlice<UInt8>)? {
    guard let (kind, event) = event(in: bytes) else { return nil }
    guard packetKinds.contains(kind) else { return (.remark, event) }
    guard event.count >= 9 else { return nil }
    var header = ByteReader(event)
    let flags = Flags(rawValue: header.field())
    let (channel, signal): (UInt8, UInt8) = (header.field(), header.field())
    header.skip(6)

    let packet = flags.phy == codedPHY ? header.rest.withoutCodingIndicator : header.rest
    var reception = LinkLayerReception()
    reception.channel = channel < 40 ? channel : nil
    reception.rssi = Int8(exactly: -Int(signal))
    reception.hasRightCRC = flags.contains(.hasRightCRC)
    // On advertising channels these flags have other meanings.
    if !packet.starts(with: RadioHeader.advertisingAccessAddress) {
      reception.sender = flags.contains(.fromCentral) ? .central : .peripheral
      reception.isDecrypted = flags.isSuperset(of: [.wasEncrypted, .hasRightMIC])
    }
    return (.linkLayer(reception), packet)
  }

  /// The kind, and the header of the event from its flags on.
  private static func event(in bytes: ArraySlice<UInt8>) -> (kind: UInt8, ArraySlice<UInt8>)? {
    guard bytes.count >= 8 else { return nil }
    var header = ByteReader(bytes)
    if bytes.starts(with: [0xBE, 0xEF]) {
      header.skip(2)
      return (header.field(), bytes.dropFirst(8))
    }
    header.skip(6)
    let (kind, length): (UInt8, UInt8) = (header.field(), header.field())
    guard packetKinds.contains(kind) else { return (kind, header.rest) }
    return length == 10 ? (kind, header.rest) : nil
  }
}

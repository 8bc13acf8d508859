import Framing

/// The radio header of link type 256 (tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html). All numbers are
/// little-endian.
///
///     RF channel(1)  signal(1)  noise(1)  access address offenses(1)  reference access address(4)  flags(2)  packet
enum RadioHeader {
  private struct Flags: OptionSet {
    let rawValue: UInt16

    static let dewhitened = Flags(rawValue: 0x0001)
    static let hasSignal = Flags(rawValue: 0x0002)
    static let decrypted = Flags(rawValue: 0x0008)
    static let hasCheckedCRC = Flags(rawValue: 0x0400)
    static let hasRightCRC = Flags(rawValue: 0x0800)

    /// 2 and 4: from the central; 3 and 5: from the peripheral, on connections and isochronous streams.
    var pduType: UInt16 { rawValue >> 7 & 7 }
    var phy: UInt16 { rawValue >> 14 }
  }

  private static let size = 10
  private static let codedPHY: UInt16 = 2
  static let advertisingAccessAddress: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]

  static func unwrap(_ bytes: ArraySlice<UInt8>) -> (CapturedPacket.Layer, ArraySlice<UInt8>)? {
    guard bytes.count >= size else { return nil }
    var header = ByteReader(bytes)
    let (channel, signal): (UInt8, Int8) = (header.field(), header.field())
    header.skip(6)
    let flags = Flags(rawValue: header.field())
    // A whitened packet looks like noise.
    guard flags.contains(.dewhitened) else { return nil }

    var reception = LinkLayerReception()
    reception.rssi = flags.contains(.hasSignal) ? signal : nil
    reception.hasRightCRC = flags.contains(.hasCheckedCRC) ? flags.contains(.hasRightCRC) : nil
    reception.isDecrypted = flags.contains(.decrypted)
    reception.sender =
      switch flags.pduType {
      case 2, 4: .central
      case 3, 5: .peripheral
      default: nil
      }
    let packet = flags.phy == codedPHY ? header.rest.withoutCodingIndicator : header.rest
    reception.channel = index(
      ofRFChannel: channel, isAdvertising: packet.starts(with: advertisingAccessAddress))
    return (.linkLayer(reception), packet)
  }

  /// The index of a channel (Core Specification, Vol 6 Part B 1.4.1).
  private static func index(ofRFChannel channel: UInt8, isAdvertising: Bool) -> UInt8? {
    switch channel {
    case 0: 37
    case 12: 38
    case 39: 39
    case 1...11: channel - 1
    // WHAD writes the index itself.
    case 37, 38: isAdvertising ? channel : channel - 2
    case 13...36: channel - 2
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Without the byte after the access address that tells the coding of the LE Coded PHY.
  var withoutCodingIndicator: ArraySlice<UInt8> {
    guard count > 4 else { return self }
    return ArraySlice(prefix(4) + dropFirst(5))
  }
}

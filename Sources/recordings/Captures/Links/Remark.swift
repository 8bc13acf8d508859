/// A ``CaptureNote`` that is made once, however often there is reason for it.
enum Remark: Hashable {
  case tooLong
  case cutPackets
  case malformedPackets
  case lostFragments
  case wrongCRC
  case foreignCRC
  case missedPackets
  case encryptedLink
  case undecryptedPackets
  case unknownLink
  case truncatedAdvertising
  case anonymousAdvertising
  case classicLinks
  case furtherChannels
  case oneDirection(of: String, missing: LinkRole)

  var kind: CaptureNote.Kind {
    switch self {
    case .tooLong, .cutPackets, .malformedPackets, .lostFragments, .wrongCRC, .missedPackets,
      .undecryptedPackets,
      .truncatedAdvertising:
      .loss
    case .encryptedLink, .unknownLink: .encryption
    case .anonymousAdvertising, .classicLinks, .furtherChannels, .foreignCRC: .other
    case .oneDirection: .oneDirection
    }
  }

  func text(_ count: Int) -> String {
    switch self {
    case .tooLong:
      "The recording is too long to learn from at once: what comes after this place was not read. Cut out the part of interest, for example with Wireshark."
    case .cutPackets:
      "The recorder kept only the beginning of \(packets(count)): the rest of what was said in them is unknown."
    case .malformedPackets: "\(packets(count)) could not be read: the length of the bytes is wrong."
    case .lostFragments:
      "\(packets(count)) of a longer message could not be joined, because others are missing: these messages are unknown."
    case .wrongCRC: "The sniffer received \(packets(count)) with a wrong CRC, which are left out."
    case .foreignCRC:
      "The CRC of \(packets(count)) is that of other bytes, probably of the encrypted ones: it is not checked."
    case .missedPackets: "The sniffer did not hear all packets: at \(count) places at least one is missing."
    case .encryptedLink:
      "The Link Layer is encrypted from here on, and the sniffer does not have the key. A recording of HCI, made on the phone or the computer itself, is in clear text."
    case .undecryptedPackets: "The sniffer could not decrypt \(packets(count)), although it has the key."
    case .unknownLink:
      "\(packets(count)) of links whose beginning is not in the recording cannot be read: they are probably encrypted. A recording of HCI, made on the phone or the computer itself, is in clear text."
    case .truncatedAdvertising:
      "The controller received only the beginning of the advertising data in \(packets(count))."
    case .anonymousAdvertising:
      "Advertising without an address is left out, because it cannot be assigned to a device."
    case .classicLinks: "Links of Bluetooth Classic are left out."
    case .furtherChannels:
      "L2CAP channels other than those of ATT, signalling and pairing are left out, for example Enhanced ATT."
    case .oneDirection(let device, .peripheral):
      "The link with \(device) has only what the central sent: the device's answers and values are unknown."
    case .oneDirection(let device, .central):
      "The link with \(device) has only what the device sent: the central's requests are unknown, and so are the handles of the values that it read."
    }
  }

  private func packets(_ count: Int) -> String { count == 1 ? "1 packet" : "\(count) packets" }
}

/// A format in which blemu writes recordings.
package enum WrittenFormat: Hashable, Sendable {
  /// Of Wireshark and tcpdump, with the link type 201: HCI packets with their direction.
  case pcapng
  /// Of Android and BlueZ, with the data link 1002: HCI packets with their type.
  case btsnoop

  /// Chooses by the extension of a file's name: `.pcapng`, `.btsnoop`, or `.log` as Android has it; nil: another one.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    switch name[dot...].lowercased() {
    case ".pcapng": self = .pcapng
    case ".btsnoop", ".log": self = .btsnoop
    default: return nil
    }
  }

  /// The beginning of a file.
  package var header: [UInt8] {
    switch self {
    case .pcapng: PcapngRecords.header
    case .btsnoop: BtsnoopRecords.header
    }
  }

  /// The whole record of a packet.
  package func record(of packet: WrittenPacket) -> [UInt8] {
    switch self {
    case .pcapng: PcapngRecords.record(of: packet)
    case .btsnoop: BtsnoopRecords.record(of: packet)
    }
  }
}

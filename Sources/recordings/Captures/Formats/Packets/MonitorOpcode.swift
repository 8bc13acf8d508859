import HCIPackets
import Bluetooth

/// What a record of Linux' monitor channel has (BlueZ, `src/shared/btsnoop.h`).
enum MonitorOpcode {
  /// Everything that is neither a packet nor an adapter's address (a log line, a control command) is a remark.
  static func layer(_ opcode: UInt16, adapter: Int, _ bytes: ArraySlice<UInt8>) -> CapturedPacket.Layer {
    if let (type, direction) = packets[opcode] { return .hci(type: type, adapter: adapter, direction) }
    return address(opcode, bytes).map { .adapter(adapter, $0) } ?? .remark
  }

  /// New Index: type, bus, address, name. Index Information: address, manufacturer.
  private static func address(_ opcode: UInt16, _ bytes: ArraySlice<UInt8>) -> DeviceAddress? {
    guard opcode == 0 || opcode == 10 else { return nil }
    let address = DeviceAddress(littleEndianBytes: bytes.dropFirst(opcode == 0 ? 2 : 0).prefix(6))
    return address.flatMap { $0.isZero ? nil : $0 }
  }

  /// The type of an HCI packet (Core Specification, Vol 4 Part A 2), and its way.
  private static let packets: [UInt16: (UInt8, HCIDirection)] = [
    2: (0x01, .toController), 3: (0x04, .toHost),
    4: (0x02, .toController), 5: (0x02, .toHost),
    6: (0x03, .toController), 7: (0x03, .toHost),
    18: (0x05, .toController), 19: (0x05, .toHost),
  ]
}

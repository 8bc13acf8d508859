/// What a record of Linux' monitor channel has (BlueZ, `src/shared/btsnoop.h`).
enum MonitorOpcode {
  /// Everything that is not a packet (an adapter that appears, a log line, a control command) is a remark.
  static func layer(_ opcode: UInt16, adapter: Int) -> CapturedPacket.Layer {
    guard let (type, direction) = packets[opcode] else { return .remark }
    return .hci(type: type, adapter: adapter, direction)
  }

  /// The type of an HCI packet (Core Specification, Vol 4 Part A 2), and its way.
  private static let packets: [UInt16: (UInt8, HCIDirection)] = [
    2: (0x01, .toController), 3: (0x04, .toHost),
    4: (0x02, .toController), 5: (0x02, .toHost),
    6: (0x03, .toController), 7: (0x03, .toHost),
    18: (0x05, .toController), 19: (0x05, .toHost),
  ]
}

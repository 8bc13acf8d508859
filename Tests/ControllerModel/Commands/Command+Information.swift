import Bluetooth

// Vol 4 Part E 7.4, 7.5.4 and the reading commands of 7.8
extension Command {
  static let information: [UInt16: Self] = [
    // Read Local Version Information: version and subversion of HCI, of the link layer between them the company
    0x1001: Self(14, 3) { controller, _ in
      let version = controller.traits.version
      return [version, 0x00, 0x00, version]
        + (controller.traits.isMovable ? [0xE0, 0x00, 0xE0, 0xB1] : [0xFF, 0xFF, 0x00, 0x00])
    },
    // Read Local Supported Commands
    0x1002: Self(14, 4) { controller, _ in controller.supportedCommands },
    // Read Local Supported Features: LE, and no BR/EDR
    0x1003: Self(14, 5) { _, _ in [0, 0, 0, 0, 0x60, 0, 0, 0] },
    // Read Buffer Size: the sizes of ACL and SCO packets, their numbers
    0x1005: Self(14, 7) { controller, _ in
      let traits = controller.traits
      guard traits.sharesDataPackets else { return [0, 0, 0, 0, 0, 0, 0] }
      return UInt16(traits.dataPacketSize).littleEndianBytes + [0]
        + UInt16(traits.dataPacketCount).littleEndianBytes + [0, 0]
    },
    // Read BD_ADDR
    0x1009: Self(15, 1) { controller, _ in controller.traits.address.littleEndianBytes },
    // LE Read Buffer Size
    0x2002: Self(25, 1) { controller, _ in
      let traits = controller.traits
      guard !traits.sharesDataPackets else { return [0, 0, 0] }
      return UInt16(traits.dataPacketSize).littleEndianBytes + [UInt8(traits.dataPacketCount)]
    },
    // LE Read Local Supported Features
    0x2003: Self(25, 2) { controller, _ in controller.traits.features.bytes },
    // LE Read Supported States: all
    0x201C: Self(28, 3) { _, _ in [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0] },
    // LE Read Suggested Default Data Length
    0x2023: Self(33, 7, needs: .dataLengthExtension) { controller, _ in
      controller.state.suggestedOctets.littleEndianBytes + controller.state.suggestedTime.littleEndianBytes
    },
    // LE Read Maximum Data Length: bytes and microseconds to send, and to receive
    0x202F: Self(35, 3, needs: .dataLengthExtension) { controller, _ in
      let octets = controller.traits.packetOctets
      let limits = octets.littleEndianBytes + LinkEnd.time(octets).littleEndianBytes
      return limits + limits
    },
    // LE Read Maximum Advertising Data Length
    0x203A: Self(36, 6, family: .extended, needs: .extendedAdvertising) { controller, _ in
      UInt16(controller.traits.advertisingDataSize).littleEndianBytes
    },
    // LE Read Number of Supported Advertising Sets
    0x203B: Self(36, 7, family: .extended, needs: .extendedAdvertising) { controller, _ in
      [UInt8(controller.traits.advertisingSetCount)]
    },
    // LE Read Transmit Power
    0x204B: Self(38, 7) { _, _ in [UInt8(bitPattern: -20), 8] },
  ]
}

extension Controller {
  /// 64 bytes with one bit for each command (6.27).
  fileprivate var supportedCommands: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    for opcode in Command.all.keys {
      guard let place = command(opcode)?.place else { continue }
      bytes[place.octet] |= 1 << UInt8(place.bit)
    }
    return bytes
  }
}

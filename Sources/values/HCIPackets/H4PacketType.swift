/// The first byte of a packet between a host and its controller (Core Specification, Vol 4 Part A 2).
package enum H4PacketType: UInt8, Hashable, Sendable {
  case command = 1
  case data = 2
  case synchronousData = 3
  case event = 4
  case isochronousData = 5

  /// How many bytes the type and the header have (Vol 4 Part E 5.4).
  var headerLength: Int {
    switch self {
    case .command, .synchronousData: 4
    case .data, .isochronousData: 5
    case .event: 3
    }
  }

  /// The length of a packet, its type and its header included, by the last two bytes of its header.
  func packetLength(_ beforeLast: UInt8, _ last: UInt8) -> Int {
    switch self {
    case .command, .synchronousData, .event: headerLength + Int(last)
    case .data: headerLength + (Int(beforeLast) | Int(last) << 8)
    // The length has 14 bits.
    case .isochronousData: headerLength + (Int(beforeLast) | Int(last & 0x3F) << 8)
    }
  }

  /// The length of the first packet in these bytes; nil: its header is not complete, or its first byte is no type.
  package static func lengthOfFirstPacket(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let type = bytes.first.flatMap(Self.init), bytes.count >= type.headerLength else { return nil }
    return type.packetLength(bytes[type.headerLength - 2], bytes[type.headerLength - 1])
  }
}

/// The way of an HCI packet.
package enum HCIDirection: Hashable, Sendable {
  case toController, toHost
}

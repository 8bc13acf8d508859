import HCIPackets

/// HCI packets for a controller, in order, each with its type (Core Specification, Vol 4 Part A 2).
package struct PacketBatch: Hashable, Sendable {
  /// All packets, one after the other.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ command: HCICommand) { bytes += command.packet }

  /// Appends a whole frame of L2CAP as one packet of data.
  mutating func append(_ frame: L2CAPFrame, on handle: LinkHandle) {
    let size = frame.payload.count
    appendData(handle, isFirst: true, count: 4 + size) { bytes in
      bytes.append(UInt8(truncatingIfNeeded: size))
      bytes.append(UInt8(truncatingIfNeeded: size >> 8))
      bytes.append(UInt8(truncatingIfNeeded: frame.channel))
      bytes.append(UInt8(truncatingIfNeeded: frame.channel >> 8))
      bytes += frame.payload
    }
  }

  /// Appends a packet of data with a part of a frame of L2CAP: what follows the head is the caller's to append.
  mutating func appendData(
    _ handle: LinkHandle, isFirst: Bool, count: Int, _ body: (inout [UInt8]) -> Void
  ) {
    let flags = handle & 0x0FFF | (isFirst ? 0 : 0x1000)
    bytes.append(0x02)
    bytes.append(UInt8(truncatingIfNeeded: flags))
    bytes.append(UInt8(truncatingIfNeeded: flags >> 8))
    bytes.append(UInt8(truncatingIfNeeded: count))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
    body(&bytes)
  }

  /// Removes all packets, and keeps the memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

extension PacketBatch: Sequence {
  /// The packets, one by one.
  package func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
    var rest = bytes[...]
    return AnyIterator {
      guard let length = rest.withUnsafeBytes(H4PacketType.lengthOfFirstPacket) else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }
}

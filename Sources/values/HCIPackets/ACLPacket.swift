import Bluetooth
import Framing

/// A piece of the data on a link (Core Specification, Vol 4 Part E 5.4.2).
package struct ACLPacket: Hashable, Sendable {
  /// The Packet_Boundary_Flag.
  package enum Boundary: UInt8, Sendable {
    /// Begins a frame of L2CAP, from a host to its controller.
    case firstToController = 0
    /// Goes on with the frame before it.
    case continuation = 1
    /// Begins a frame of L2CAP.
    case first = 2
    /// A whole frame, which LE does not have.
    case whole = 3
  }

  package var handle: LinkHandle
  package var boundary: Boundary
  package var bytes: [UInt8]

  package init(_ handle: LinkHandle, _ boundary: Boundary, _ bytes: [UInt8]) {
    (self.handle, self.boundary, self.bytes) = (handle, boundary, bytes)
  }

  /// Reads what follows the type of the packet, 0x02.
  ///
  ///     40 20  0B 00  07 00  06 00  01 04 00 2D 10 07 07    handle 0x0040 and boundary 2; 11 bytes
  ///
  /// - Returns: nil if bytes are missing.
  package init?(in fields: inout ByteReader) {
    guard let number = fields.number(), let length = fields.number(), Int(length) <= fields.rest.count,
      let boundary = Boundary(rawValue: UInt8(number >> 12 & 3))
    else { return nil }
    self.init(number & 0x0FFF, boundary, Array(fields.rest.prefix(Int(length))))
  }

  /// Reads a packet with its type.
  ///
  /// - Returns: nil for one of another type, and if bytes are missing.
  package init?(_ packet: some Collection<UInt8>) {
    var fields = ByteReader(packet)
    guard fields.byte() == 0x02 else { return nil }
    self.init(in: &fields)
  }
}

/// A frame of L2CAP (Vol 3 Part A 3.1): length, channel, payload.
package struct L2CAPFrame: Hashable, Sendable {
  package var channel: UInt16
  package var payload: [UInt8]

  /// The channels of LE (2.1): of ATT, of signalling, and of the Security Manager.
  package static let attributeChannel: UInt16 = 0x0004
  package static let signallingChannel: UInt16 = 0x0005
  package static let securityChannel: UInt16 = 0x0006

  package init(channel: UInt16, payload: [UInt8]) { (self.channel, self.payload) = (channel, payload) }
}

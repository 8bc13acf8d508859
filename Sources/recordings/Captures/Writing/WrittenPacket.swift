import Framing
import HCIPackets

/// An HCI packet that a recording gets.
package struct WrittenPacket: Hashable, Sendable {
  /// Since 1970.
  package var time: Instant
  package var direction: HCIDirection
  /// The type of the packet (Core Specification, Vol 4 Part A 2), and the packet.
  package var bytes: [UInt8]
  /// What a reader sees next to the packet, where the format has room for it.
  package var comment: String?

  package init(time: Instant, direction: HCIDirection, bytes: [UInt8], comment: String? = nil) {
    (self.time, self.direction) = (time, direction)
    (self.bytes, self.comment) = (bytes, comment)
  }
}

extension WrittenPacket {
  /// What Linux' monitor channel reports; nil if that is not a packet.
  package init?(monitor opcode: UInt16, _ bytes: some Collection<UInt8>, at time: Instant) {
    guard case .hci(let type, _, let direction?) = MonitorOpcode.layer(opcode, adapter: 0, []) else {
      return nil
    }
    self.init(time: time, direction: direction, bytes: [type] + bytes)
  }
}

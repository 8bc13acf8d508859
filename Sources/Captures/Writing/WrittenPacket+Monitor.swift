import Framing

extension WrittenPacket {
  /// What Linux' monitor channel reports; nil if that is not a packet.
  package init?(monitor opcode: UInt16, _ bytes: some Collection<UInt8>, at time: Instant) {
    guard case .hci(let type, _, let direction?) = MonitorOpcode.layer(opcode, adapter: 0, []) else {
      return nil
    }
    self.init(time: time, direction: direction, bytes: [type] + bytes)
  }
}

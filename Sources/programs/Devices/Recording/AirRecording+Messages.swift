import Behavior
import Captures
import EventLoop
import HCIPackets
import Peripheral

// The names of messages, as comments of the packets that carry them. The device reports a message right after its packet.
extension AirRecording: TrafficSink {
  package func take(_ event: TrafficEvent) {
    switch event.kind {
    case .notify(_, let value, .some(let message)), .indicate(_, let value, .some(let message)):
      file.comment(message) { $0.carries(value, .toController, by: [0x1B, 0x1D]) }
    case .write(_, let characteristic, let value, _, refused: nil):
      guard let name = awaited?.name(of: value, writtenTo: characteristic) else { return }
      file.comment(name) { $0.carries(value, .toHost, by: [0x12, 0x52]) }
    default: break
    }
  }
}

extension WrittenPacket {
  /// Whether it is an ACL packet with a PDU of ATT that has this value: type, two numbers of 2 bytes, L2CAP's two, opcode, handle.
  ///
  /// - Parameter opcodes: those of the PDU.
  fileprivate func carries(_ value: [UInt8], _ way: HCIDirection, by opcodes: [UInt8]) -> Bool {
    direction == way && bytes.count >= 12 && bytes[0] == 0x02 && opcodes.contains(bytes[9])
      && bytes[12...].elementsEqual(value)
  }
}

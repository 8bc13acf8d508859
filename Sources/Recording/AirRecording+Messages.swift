import EventLoop
import Peripheral
import Traffic

// The names of messages, as comments of the packets that carry them.
extension AirRecording: TrafficSink {
  package func take(_ event: TrafficEvent) {
    switch event.kind {
    case .notify(_, let value, .some(let message)), .indicate(_, let value, .some(let message)):
      file.comment(message) { $0.direction == .toController && $0.bytes.attributeValue == value[...] }
    default: break
    }
  }
}

extension [UInt8] {
  /// The value of a notification or indication in an ACL packet with its type: type, two numbers of 2 bytes, L2CAP's two, opcode,
  /// handle.
  fileprivate var attributeValue: ArraySlice<UInt8>? {
    guard count >= 12, self[0] == 0x02, self[9] == 0x1B || self[9] == 0x1D else { return nil }
    return self[12...]
  }
}

import Captures
import Learning
import TestSupport

/// The ATT PDUs of a recording of a phone, joined from its packets of data.
func recordedLink(_ name: String) throws -> CapturedConnection {
  let file = try CaptureFile.open(Repository.path + "Tests/CapturesTests/Captures/\(name).btsnoop")
  var connection = CapturedConnection(central: nil, start: nil)
  var parts: [HCIDirection: [UInt8]] = [:]
  while let packet = file.next() {
    guard case .hci(type: 2, _, let direction?) = packet.layer, packet.bytes.count > 4 else { continue }
    let isContinuation = packet.bytes[1] >> 4 & 3 == 1
    var part = (isContinuation ? parts[direction] ?? [] : []) + packet.bytes[4...]
    if part.count >= 4, part.count >= 4 + Int(part[0]) + Int(part[1]) << 8 {
      if part[2] == 4, part[3] == 0 {
        connection.events.append(
          .init(
            .attribute(Array(part[4...]), from: direction == .toController ? .central : .peripheral),
            at: packet.time))
      }
      part = []
    }
    parts[direction] = part
  }
  return connection
}

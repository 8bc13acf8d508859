import Bluetooth
import EventLoop
import Loopback

/// A central that finds all attributes and reads every value that can be read, as a phone does when it sees a device for the first
/// time (Core Specification, Vol 3 Part G 4.4 to 4.7).
@EventLoop
struct Discovery {
  private let link: LoopbackLink
  private let answers: Answers

  @EventLoop private final class Answers {
    var last: AttributePDU?
  }

  /// Connects to a device on the air and disconnects at the end.
  static func run(on transport: LoopbackTransport) {
    let answers = Answers()
    let link = transport.connectRaw { packet in
      if let pdu = try? AttributePDU(packet), !pdu.opcode.isUnasked { answers.last = pdu }
    } onDisconnect: {
    }
    Discovery(link: link, answers: answers).discover()
    link.disconnect()
  }

  private func ask(_ pdu: AttributePDU) -> AttributePDU? {
    answers.last = nil
    link.send(pdu.encode())
    return answers.last
  }

  private func discover() {
    _ = ask(.exchangeMTURequest(517))
    var services: [AttributeGroup] = []
    for type: BluetoothUUID in [0x2800, 0x2801] {
      walk(from: 1, to: .max) { range in
        guard case .readByGroupTypeResponse(let groups) = ask(.readByGroupTypeRequest(range, type: type))
        else {
          return nil
        }
        services += groups
        return groups.last?.handles.last
      }
    }
    for service in services { discover(service.handles) }
  }

  private func discover(_ service: HandleRange) {
    var readable: [AttributeHandle] = []
    for type: BluetoothUUID in [0x2802, 0x2803] {
      walk(from: service.first, to: service.last) { range in
        guard case .readByTypeResponse(let rows) = ask(.readByTypeRequest(range, type: type)) else {
          return nil
        }
        if type == 0x2803 { readable += rows.compactMap(\.readableValue) }
        return rows.last?.handle
      }
    }
    walk(from: service.first, to: service.last) { range in
      guard case .findInformationResponse(let rows) = ask(.findInformationRequest(range)) else { return nil }
      readable += rows.filter { $0.type == 0x2901 || $0.type == 0x2904 || $0.type == 0x2908 }.map(\.handle)
      return rows.last?.handle
    }
    for handle in readable { _ = ask(.readRequest(handle)) }
  }

  /// Asks for a range again and again, from after the last handle found.
  private func walk(
    from first: AttributeHandle, to last: AttributeHandle, _ ask: (HandleRange) -> AttributeHandle?
  ) {
    var first = first
    while let found = ask(HandleRange(first, last)), found < last, found >= first { first = found + 1 }
  }
}

extension AttributeValue {
  /// Of a characteristic's declaration: the handle of its value if it can be read.
  fileprivate var readableValue: AttributeHandle? {
    guard value.count >= 3, value[0] & 0x02 != 0 else { return nil }
    return AttributeHandle(value[1], value[2])
  }
}

extension AttributeOpcode {
  /// Whether a server sends it by itself.
  fileprivate var isUnasked: Bool {
    self == .notification || self == .indication || self == .multipleNotification
  }
}

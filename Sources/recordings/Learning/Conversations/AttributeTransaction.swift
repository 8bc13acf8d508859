import Bluetooth
import Captures
import Framing

/// A PDU of a device as a server or of its central as a client, with what answered it (Core Specification, Vol 3 Part F 3.3).
struct AttributeTransaction: Hashable, Sendable {
  struct Answer: Hashable, Sendable {
    var pdu: AttributePDU
    var time: Instant
  }

  /// A request, a command, a notification or an indication.
  var pdu: AttributePDU
  var time: Instant
  /// The index of the PDU in the events of the link.
  var event: Int
  /// A response or a confirmation; nil: the recording has none, or there is none.
  var answer: Answer?
}

extension CapturedConnection {
  /// In the order of their first PDU. What the device does as a client, responses to requests that are not in the recording,
  /// and bytes that are no PDU are left out.
  var transactions: [AttributeTransaction] {
    var pairing = TransactionPairing()
    for (index, event) in events.enumerated() {
      guard case .attribute(let bytes, let sender) = event.kind, let pdu = try? AttributePDU(bytes) else {
        continue
      }
      pairing.take(pdu, from: sender, at: event.time, event: index)
    }
    return pairing.transactions
  }
}

/// Finds the request of each response: a client has one at a time, and a server one indication.
private struct TransactionPairing {
  var transactions: [AttributeTransaction] = []
  /// The indices of what waits for its answer.
  private var request: Int?
  private var indication: Int?

  mutating func take(_ pdu: AttributePDU, from sender: LinkRole, at time: Instant, event: Int) {
    switch (pdu.opcode.kind, sender) {
    case (.request, .central): request = start(pdu, at: time, event)
    case (.command, .central), (.notification, .peripheral): start(pdu, at: time, event)
    case (.indication, .peripheral): indication = start(pdu, at: time, event)
    case (.response, .peripheral): if answer(request, with: pdu, at: time) { request = nil }
    case (.confirmation, .central): if answer(indication, with: pdu, at: time) { indication = nil }
    default: break
    }
  }

  @discardableResult
  private mutating func start(_ pdu: AttributePDU, at time: Instant, _ event: Int) -> Int {
    transactions.append(AttributeTransaction(pdu: pdu, time: time, event: event))
    return transactions.count - 1
  }

  /// - Returns: whether the PDU answers this transaction.
  private mutating func answer(_ index: Int?, with pdu: AttributePDU, at time: Instant) -> Bool {
    guard let index, pdu.answers(transactions[index].pdu.opcode) else { return false }
    transactions[index].answer = .init(pdu: pdu, time: time)
    return true
  }
}

extension AttributePDU {
  fileprivate func answers(_ opcode: AttributeOpcode) -> Bool {
    switch self {
    case .confirmation: opcode == .indication
    case .errorResponse(let request, _, _): request == opcode
    default: self.opcode == opcode.response
    }
  }
}

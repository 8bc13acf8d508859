import Behavior
import Bluetooth
import Captures
import Framing

extension Conversation {
  /// What was said on a link. PDUs of the device as a client are left out.
  package init(connection: CapturedConnection) {
    self.init(connection, connection.transactions)
  }

  init(_ connection: CapturedConnection, _ transactions: [AttributeTransaction]) {
    self.init(start: connection.start)
    end = connection.end
    encrypted = connection.events.first { $0.kind == .encryption(true) }?.time
    var reader = ConversationReader(self)
    for transaction in transactions { reader.take(transaction) }
    reader.endPreparing()
    self = reader.conversation
    // A long write ends after what the device sends meanwhile, and begins before.
    exchanges = exchanges.enumerated().sorted {
      ($0.element.time.microseconds, $0.offset) < ($1.element.time.microseconds, $1.offset)
    }.map(\.element)
    guard let encrypted else { return }
    for index in exchanges.indices { exchanges[index].isEncrypted = exchanges[index].time > encrypted }
  }
}

/// Joins transactions to procedures of GATT.
private struct ConversationReader {
  var conversation: Conversation
  /// The lengths of the values that were read last, which a Read Multiple Response does not tell.
  private var lengths: [AttributeHandle: Int] = [:]
  /// The index of the read that a Read Blob Request may continue.
  private var reading: Int?
  /// The queue of prepared writes, in order.
  private var prepared: [PreparedWrite] = []

  private struct PreparedWrite {
    var handle: AttributeHandle
    var value: [UInt8]
    var time: Instant
    /// Of its last response.
    var answered: Instant?
    var outcome: Exchange.Outcome<Never?>
  }

  init(_ conversation: Conversation) { self.conversation = conversation }

  mutating func take(_ transaction: AttributeTransaction) {
    let (time, answered) = (transaction.time, transaction.answer?.time)
    switch transaction.pdu {
    case .exchangeMTURequest(let mtu):
      var device: Int?
      if case .exchangeMTUResponse(let answer) = transaction.answer?.pdu { device = Int(answer) }
      conversation.mtuExchanges.append(.init(central: Int(mtu), device: device))

    case .readRequest(let handle), .readBlobRequest(let handle, offset: 0):
      add(.read(transaction.readOutcome), handle, time, answered)
      reading = conversation.exchanges.count - 1
    case .readBlobRequest(let handle, let offset):
      readOn(transaction, handle, at: Int(offset))
    case .readByTypeRequest(_, let type) where !type.isDeclaration:
      readByType(transaction)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      readMultiple(transaction, handles)

    case .writeRequest(let handle, let value):
      add(.write(value, .request, transaction.writeOutcome), handle, time, answered)
    case .writeCommand(let handle, let value), .signedWriteCommand(let handle, let value, _):
      add(.write(value, .command, .unknown), handle, time)
    case .prepareWriteRequest(let handle, let offset, let part):
      prepare(transaction, handle, at: Int(offset), part)
    case .executeWriteRequest(let commits):
      execute(transaction, commits: commits)

    case .notification(let handle, let value):
      add(.value(value, .notification), handle, time)
    case .multipleNotification(let values):
      for value in values { add(.value(value.value, .notification), value.handle, time) }
    case .indication(let handle, let value):
      add(.value(value, .indication), handle, time, answered)
    default: break  // discovery
    }
  }

  private mutating func add(
    _ kind: Exchange.Kind, _ handle: AttributeHandle, _ time: Instant, _ answered: Instant? = nil
  ) {
    if case .read(.success(let value)) = kind { lengths[handle] = value.count }
    conversation.exchanges.append(Exchange(kind, handle: handle, at: time, answered: answered))
  }
}

// MARK: Reading

extension ConversationReader {
  /// Adds a part of a long value to its read. A part whose beginning the recording lacks is a read without a known value.
  private mutating func readOn(
    _ transaction: AttributeTransaction, _ handle: AttributeHandle, at offset: Int
  ) {
    guard let index = reading, conversation.exchanges[index].handle == handle,
      case .read(.success(let start)) = conversation.exchanges[index].kind, start.count == offset
    else { return add(.read(.unknown), handle, transaction.time) }
    guard case .readBlobResponse(let part) = transaction.answer?.pdu else { return }
    conversation.exchanges[index].kind = .read(.success(start + part))
    conversation.exchanges[index].answered = transaction.answer?.time
    lengths[handle] = start.count + part.count
  }

  private mutating func readByType(_ transaction: AttributeTransaction) {
    guard let answer = transaction.answer else { return }
    switch answer.pdu {
    case .readByTypeResponse(let values):
      for value in values {
        add(.read(.success(value.value)), value.handle, transaction.time, answer.time)
      }
      reading = conversation.exchanges.count - 1
    case .errorResponse(_, let handle, let error) where error != .attributeNotFound && handle != 0:
      add(.read(.refused(error)), handle, transaction.time, answer.time)
    default: break
    }
  }

  private mutating func readMultiple(_ transaction: AttributeTransaction, _ handles: [AttributeHandle]) {
    let values: [[UInt8]?] =
      switch transaction.answer?.pdu {
      case .readMultipleResponse(let bytes): split(bytes, among: handles)
      case .readMultipleVariableResponse(let values):
        values.map { $0.value.count == Int($0.length) ? $0.value : nil }
      default: []
      }
    for (index, handle) in handles.enumerated() {
      var outcome = Exchange.Outcome<[UInt8]>.unknown
      if index < values.count, let value = values[index] { outcome = .success(value) }
      if case .errorResponse(_, handle, let error) = transaction.answer?.pdu { outcome = .refused(error) }
      add(.read(outcome), handle, transaction.time, transaction.answer?.time)
    }
  }

  /// Only the last value may have a length that the client does not know (Vol 3 Part F 3.4.4.7).
  private func split(_ bytes: [UInt8], among handles: [AttributeHandle]) -> [[UInt8]?] {
    var rest = bytes[...]
    var values: [[UInt8]?] = []
    for handle in handles.dropLast() {
      guard let length = lengths[handle], length <= rest.count else { return values }
      values.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return values + [Array(rest)]
  }
}

// MARK: Long writes

extension ConversationReader {
  private mutating func prepare(
    _ transaction: AttributeTransaction, _ handle: AttributeHandle, at offset: Int, _ part: [UInt8]
  ) {
    let outcome = transaction.writeOutcome
    // That the device has no prepared writes says nothing of the attribute.
    if outcome == .refused(.requestNotSupported) { return }
    if let last = prepared.indices.last, prepared[last].handle == handle, offset > 0,
      prepared[last].value.count == offset
    {
      prepared[last].value += part
      prepared[last].answered = transaction.answer?.time
      if case .success = prepared[last].outcome { prepared[last].outcome = outcome }
    } else {
      prepared.append(
        PreparedWrite(
          handle: handle, value: part, time: transaction.time, answered: transaction.answer?.time,
          outcome: outcome))
    }
  }

  private mutating func execute(_ transaction: AttributeTransaction, commits: Bool) {
    for index in prepared.indices where prepared[index].outcome == .success(nil) {
      prepared[index].outcome = transaction.writeOutcome
      prepared[index].answered = transaction.answer?.time
    }
    // Cancelled parts have no effect, but a refusal is a fact.
    if !commits { prepared.removeAll { if case .refused = $0.outcome { false } else { true } } }
    addPrepared()
  }

  /// Takes the queue as it is at the end of the link: whether it was written is not known.
  mutating func endPreparing() {
    for index in prepared.indices where prepared[index].outcome == .success(nil) {
      prepared[index].outcome = .unknown
      prepared[index].answered = nil
    }
    addPrepared()
  }

  private mutating func addPrepared() {
    for write in prepared {
      add(.write(write.value, .reliable, write.outcome), write.handle, write.time, write.answered)
    }
    prepared = []
  }
}

extension AttributeTransaction {
  fileprivate var readOutcome: Exchange.Outcome<[UInt8]> {
    switch answer?.pdu {
    case .readResponse(let value), .readBlobResponse(let value): .success(value)
    case .errorResponse(_, _, let error): .refused(error)
    default: .unknown
    }
  }

  fileprivate var writeOutcome: Exchange.Outcome<Never?> {
    switch answer?.pdu {
    case .errorResponse(_, _, let error): .refused(error)
    case nil: .unknown
    default: .success(nil)
    }
  }
}

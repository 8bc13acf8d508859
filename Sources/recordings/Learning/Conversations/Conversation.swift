import Behavior
import Bluetooth
import Captures
import Framing

/// What a central and a device said on one link, as procedures of GATT: a request with its response is one exchange, and a long
/// read or write is one as well. Discovery is not in it: it is in the ``ObservedTable``.
package struct Conversation: Hashable, Sendable {
  /// When the link was made; nil: before the recording began.
  package var start: Instant?
  /// When it ended; nil: after the recording.
  package var end: CapturedConnection.End?
  package struct MTUExchange: Hashable, Sendable {
    /// The ATT_MTU that the central asked for, bytes.
    package var central: Int
    /// That of the device, bytes; nil: the recording has no response.
    package var device: Int?

    package init(central: Int, device: Int?) { (self.central, self.device) = (central, device) }
  }

  /// In order; a central may ask twice.
  package var mtuExchanges: [MTUExchange] = []
  /// When the link was encrypted first; nil: it was not, or before the recording began.
  package var encrypted: Instant?
  /// In the order of their first PDU.
  package var exchanges: [Exchange] = []

  package init(start: Instant?) { self.start = start }
}

/// One procedure of GATT.
package struct Exchange: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case read(Outcome<[UInt8]>)
    case write([UInt8], WriteKind, Outcome<Never?>)
    /// The device sent a value.
    case value([UInt8], Delivery)
  }

  /// What a request led to.
  package enum Outcome<Value: Hashable & Sendable>: Hashable, Sendable {
    case success(Value)
    case refused(ATTError)
    /// The recording has no response, or there is none to a command.
    case unknown
  }

  /// Of its first PDU.
  package var time: Instant
  /// Of the last response; nil: there is none.
  package var answered: Instant?
  package var handle: AttributeHandle
  package var kind: Kind
  /// Whether the link was encrypted.
  package var isEncrypted = false

  package init(_ kind: Kind, handle: AttributeHandle, at time: Instant, answered: Instant? = nil) {
    (self.kind, self.handle, self.time, self.answered) = (kind, handle, time, answered)
  }
}

extension Conversation {
  /// The conversation without reads of declarations, which are discovery, and in which all values that the device notified with
  /// the handle of a descriptor have the handle of the characteristic's value.
  func fitted(to table: ObservedTable) -> Conversation {
    let declarations = table.declarations
    var conversation = self
    conversation.exchanges.removeAll { declarations.contains($0.handle) }
    var senders: [AttributeHandle: AttributeHandle] = [:]
    for characteristic in table.characteristics {
      guard let sender = characteristic.sendingDescriptor?.handle else { continue }
      senders[sender] = characteristic.valueHandle
    }
    guard !senders.isEmpty else { return conversation }
    for index in conversation.exchanges.indices {
      let exchange = conversation.exchanges[index]
      guard case .value = exchange.kind, let value = senders[exchange.handle] else { continue }
      conversation.exchanges[index].handle = value
    }
    return conversation
  }
}

extension [Conversation] {
  /// The conversations up to a moment after which a share of all exchanges comes, and that moment.
  ///
  /// - Parameter share: 0 to 1.
  package func first(without share: Double) -> (conversations: [Conversation], end: Instant) {
    let times = flatMap(\.exchanges).map(\.time).sorted()
    let count = Int((Double(times.count) * (1 - share)).rounded())
    guard count < times.count else { return (self, Instant(microseconds: .max)) }
    let end = times[count]
    let parts = map { conversation in
      var part = conversation
      part.exchanges.removeAll { $0.time >= end }
      if let last = part.end, last.time >= end { part.end = nil }
      return part
    }
    return (parts, end)
  }
}

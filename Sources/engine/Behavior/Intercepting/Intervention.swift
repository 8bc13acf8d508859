import Bluetooth
import DeviceModel

/// What an interceptor does in place of the rules, or the device behind a relay after them.
package enum Intervention: Hashable, Sendable {
  /// Responds to a read or a write. The device stores the value of an accepted write, and then sends the answer.
  ///
  /// - Parameter interceptor: the interceptor's number for the log; nil: the log does not show it.
  indirect case respond(to: Event, with: Response, Answer? = nil, by: Int? = nil)
  /// Takes the frame that waits on a stream, so that no rule gets it, and sends the answer.
  case take(StreamKey, Answer? = nil, by: Int? = nil)
  /// Lets the rules handle the frame that waits on a stream.
  case pass(StreamKey)
  /// The device behind a relay has answered an event of ``Action/relay(_:)``.
  indirect case relayed(Event, Response)
  /// The device behind a relay has sent a value from a characteristic, by index in the definition.
  case passOn([UInt8], from: Int)

  /// Bytes for a central in place of those that rules send.
  package struct Answer: Hashable, Sendable {
    package var bytes: [UInt8]
    package var endpoint: Endpoint
    /// The index of the message that the bytes are, if it has a name.
    package var message: Int?
    /// The only central that gets the bytes; nil: all subscribers do.
    package var central: Central?

    package init(_ bytes: [UInt8], from endpoint: Endpoint, message: Int? = nil, to central: Central? = nil) {
      (self.bytes, self.endpoint, self.message, self.central) = (bytes, endpoint, message, central)
    }
  }
}

extension Engine {
  mutating func intervene(_ intervention: Intervention) {
    switch intervention {
    case .respond(let event, let response, let answer, let interceptor):
      turn.respond(response)
      if response.error == nil { storeValue(of: event) }
      note(interceptor, refuses: response.error != nil)
      send(answer)
    case .take(let key, let answer, let interceptor):
      note(interceptor, refuses: false)
      send(answer)
      relayed.take(key)
      decide(key, isTaken: true)
    case .pass(let key): decide(key, isTaken: false)
    case .relayed(let event, let response): finish(event, response)
    case .passOn(let value, let characteristic): passOn(value, from: characteristic)
    }
  }

  private mutating func storeValue(of event: Event) {
    guard case .writeRequested(_, let attribute, let value, let offset, let kind) = event,
      offset <= attributes[attribute].count
    else { return }
    store(value, in: attribute, at: offset, kind)
  }

  private mutating func note(_ interceptor: Int?, refuses: Bool) {
    if let interceptor { remark(.intervened(interceptor, refuses: refuses)) }
  }

  private mutating func send(_ answer: Intervention.Answer?) {
    guard let answer else { return }
    send(answer.bytes, from: answer.endpoint, message: answer.message, isMessage: true, to: answer.central)
  }
}

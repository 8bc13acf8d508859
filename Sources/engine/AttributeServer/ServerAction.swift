import Behavior
import DeviceModel

/// An instruction of an ``AttributeServer`` to its caller.
package enum ServerAction: Hashable, Sendable {
  /// Send this PDU to the central.
  case send([UInt8])
  /// Pass this request to the device, and its response to ``AttributeServer/answer(_:)``.
  case ask(Event)
  /// Let faults strike a request that the server answers by itself, with the value that it writes. Their response goes to
  /// ``AttributeServer/answer(_:)``: ``Response/accepted`` if the server is to answer.
  case screen(RequestPlace, [UInt8])
  /// Pass this event to the device, which gives no response that the central gets.
  case tell(Event)
  /// Start or stop the 30 s within which the central must confirm an indication (Vol 3 Part F 3.3.3). After them, call
  /// ``AttributeServer/confirmationTimedOut()``.
  case awaitConfirmation(Bool)
  /// End the connection.
  case end(Fault)

  /// Why a link cannot go on.
  package enum Fault: Hashable, Sendable {
    /// The central has sent more than the server keeps until the response to a request.
    case tooManyWaiting
    /// The central has not confirmed an indication within 30 s (Vol 3 Part F 3.3.3).
    case indicationNotConfirmed
  }
}

/// What follows from a PDU, in order. The first action, which is most often the only one, needs no memory of its own.
package struct ServerActions: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  var first: ServerAction?
  private(set) var rest: [ServerAction] = []

  init() {}

  package init(arrayLiteral elements: ServerAction...) {
    for element in elements { append(element) }
  }

  package var isEmpty: Bool { first == nil }

  package func makeIterator() -> IndexingIterator<[ServerAction]> {
    ((first.map { [$0] } ?? []) + rest).makeIterator()
  }

  mutating func append(_ element: consuming ServerAction) {
    if first == nil { first = element } else { rest.append(element) }
  }

  /// Moves all out.
  mutating func takeAll() -> Self {
    var taken = Self()
    swap(&taken, &self)
    return taken
  }
}

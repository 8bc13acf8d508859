import Bluetooth
import HCIPackets
import SecurityManager

/// What happens to a host. The rare cases are boxes, so that the others are small.
package enum HostEvent: Hashable, Sendable {
  /// The controller is ready.
  indirect case started(ControllerAbilities)
  /// The controller cannot be used any more. Nothing else follows.
  case failed(ControllerFailure)
  indirect case connected(HostLink)
  /// The link has ended; `HCIError/localHost` if this side has asked for that.
  case disconnected(LinkHandle, HCIError)
  /// A whole PDU of ATT.
  case received(LinkHandle, [UInt8])
  /// The host ends the link by itself.
  case givenUp(LinkHandle, PeerFault)
  /// PDUs waited for the controller, and none waits any more.
  case drained(LinkHandle)
  /// The controller reports other properties of the link.
  indirect case changed(LinkHandle, LinkChange)
  /// What ``Host/measure(_:)`` asked for.
  indirect case measured(LinkHandle, LinkChange)
  /// The central asks something that the caller answers.
  indirect case asked(LinkHandle, PeerRequest)
  /// The peer keeps the parameters of the link.
  case parametersRefused(LinkHandle, ParameterRefusal)
  /// What happens to a channel of a link, as this side names it; 0: to one that has not opened.
  indirect case channel(LinkHandle, ChannelIdentifier, ChannelEvent)
  /// What has become of advertising, scanning or initiating.
  indirect case radio(RadioEvent)
  /// A device advertises, while the host scans.
  indirect case heard(AdvertisingReport)
  /// What the Security Manager reports of a link, or asks a person; nothing of what the host itself does for it.
  indirect case security(LinkHandle, SecurityAction)
}

/// What has happened to a host, in order. The first event, which is most often the only one, needs no memory of its own.
package struct HostEvents: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  package var first: HostEvent?
  package private(set) var rest: [HostEvent] = []

  init() {}

  package init(arrayLiteral elements: HostEvent...) {
    for element in elements { append(element) }
  }

  package var isEmpty: Bool { first == nil }

  package func makeIterator() -> IndexingIterator<[HostEvent]> {
    ((first.map { [$0] } ?? []) + rest).makeIterator()
  }

  mutating func append(_ element: consuming HostEvent) {
    if first == nil { first = element } else { rest.append(element) }
  }

  /// Moves all out.
  mutating func takeAll() -> Self {
    var taken = Self()
    swap(&taken, &self)
    return taken
  }
}

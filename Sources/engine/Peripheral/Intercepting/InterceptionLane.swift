import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// The events of one central in their order, while there are interceptors.
@EventLoop
final class InterceptionLane {
  let central: Central?
  var question: InterceptorQuestion?
  var isDraining = false
  /// Whether the central has disconnected: then no more questions follow.
  var isLeaving = false
  private var waiting: ArraySlice<Arrival> = []
  private var size = 0

  init(_ central: Central?) { self.central = central }

  func add(_ arrival: Arrival) {
    waiting.append(arrival)
    size += arrival.size
  }

  func addFirst(_ arrival: Arrival) {
    waiting.insert(arrival, at: waiting.startIndex)
    size += arrival.size
  }

  func next() -> Arrival? {
    let next = waiting.popFirst()
    size -= next?.size ?? 0
    if waiting.isEmpty { waiting = [] }  // an empty slice would keep its memory
    return next
  }

  func isFull(_ count: Int, _ bytes: Int) -> Bool { waiting.count >= count || size >= bytes }
}

/// A read, a write, or another event of a central.
struct Arrival {
  enum Subject {
    case event(Event, Responder?)
    /// A message that took several writes, or shared one with others. The engine keeps it.
    case frame(StreamKey, [UInt8])
  }

  var subject: Subject
  var time: Instant
  /// How often the device had been reset.
  var resetCount: Int

  fileprivate var size: Int {
    switch subject {
    case .event(.writeRequested(_, _, let value, _, _), _): value.count
    case .frame(_, let bytes): bytes.count
    default: 0
    }
  }

  /// Whether it is a read or a write; otherwise it is an event of the link.
  var isAccess: Bool {
    switch subject {
    case .event(.readRequested, _), .event(.writeRequested, _), .event(.writeChecked, _), .frame: true
    case .event: false
    }
  }

  /// Whether the central waits for a response.
  var isRequest: Bool {
    switch subject {
    case .event(.writeRequested(_, _, _, _, .command), _): false
    case .event(_, let respond): respond != nil
    case .frame: false
    }
  }

  /// The endpoint from which rules answer it.
  func answers(in definition: PeripheralDefinition) -> Endpoint {
    switch subject {
    case .event(.readRequested(_, let attribute, _), _),
      .event(.writeRequested(_, let attribute, _, _, _), _):
      definition.answeringEndpoint(.characteristic(attribute.characteristic))
    case .event: .wire
    case .frame(let key, _): definition.answeringEndpoint(key.endpoint)
    }
  }

  func frameEvent(in definition: PeripheralDefinition) -> InterceptedEvent? {
    guard case .frame(let key, let bytes) = subject else { return nil }
    return InterceptedEvent(.frame(key.central, definition.name(of: key.endpoint), bytes, isSent: false))
  }
}

extension Event {
  /// The central whose events keep their order; nil: the event has no central, or its order does not matter. A central that the
  /// transport does not know is `.some(nil)`.
  var doer: Central?? {
    switch self {
    case .disconnected(let central, _), .identified(let central, _), .paired(let central),
      .bonded(let central),
      .pairingFailed(let central, _), .encrypted(let central, _), .encryptionFailed(let central, _),
      .linkChanged(let central, _), .parametersRefused(let central, _),
      .configuring(let central, _, _, _, _, _):
      .some(central)
    case .channelOpened(let central, _), .channelClosed(let central, _, _),
      .channelReceived(let central, _, _), .discovered(let central, _), .soughtReceived(let central, _, _, _),
      .soughtRefused(let central, _, _, _):
      .some(central)
    case .subscribed(let central, _, _), .unsubscribed(let central, _), .readRequested(let central, _, _),
      .writeRequested(let central, _, _, _, _), .writeChecked(let central, _, _, _, _):
      .some(central)
    // The others have no central, or have no effect.
    case .started, .restarted, .connected, .confirmed, .serviceChanged, .passkeyShown, .wireReceived,
      .timerFired, .controlled, .intervention, .layerPassed:
      nil
    }
  }
}

extension Response {
  /// A value from an offset on.
  init(_ value: [UInt8], from offset: Int) {
    self = offset <= value.count ? .value(Array(value[offset...])) : .refused(.invalidOffset)
  }
}

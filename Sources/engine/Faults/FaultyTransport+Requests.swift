import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// Requests of centrals.
extension FaultyTransport: TransportHost {
  package func receive(_ event: Event, respond: Responder?) {
    switch event {
    case .connected(let central, _): connected(central, event)
    case .disconnected(let central, _):
      stage.disconnected(central)
      host?.receive(event, respond: respond)
    case _ where stage.isEmpty: receiveAnyway(event, respond)
    case _ where stage.isSilent && event.isRequest: note(event, nil)
    case .readRequested(let central, let attribute, _):
      ask(event, [], at: stage.definition.place(of: attribute), by: central, respond)
    // A command has no response to delay.
    case .writeRequested(_, _, _, _, .command), .configuring(_, _, _, _, _, .command): take(event, respond)
    case .writeRequested(let central, let attribute, let value, _, let kind) where respond != nil:
      let place = stage.definition.place(of: attribute)
      ask(event, value, at: kind == .prepared ? .prepared(place) : place, by: central, respond)
    case .writeRequested: take(event, respond)
    case .configuring(let central, let index, let value, _, _, _):
      ask(event, value, at: .subscription(of: index), by: central, respond)
    case .channelReceived where stage.isSilent: note(event, nil)
    case .channelReceived(let central, let channel, let bytes): receive(bytes, in: channel, from: central)
    case .confirmed(_, let characteristic):
      host?.receive(event, respond: respond)
      stage.confirmed(characteristic)
    default: receiveAnyway(event, respond)
    }
  }

  private func receiveAnyway(_ event: Event, _ respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }

  /// Passes on an event with the bytes that a value has become.
  func receive(_ event: Event, _ course: ValueCourse, _ respond: Responder?) {
    if course.isStruck {
      host?.receive(struck: event, respond: respond)
    } else {
      receiveAnyway(event, respond)
    }
  }

  /// Reports what a central has written or asked, and the device does not get.
  private func note(_ event: Event, _ response: Response?) {
    switch (event, response) {
    case (.writeRequested, _), (.channelReceived, _), (.readRequested, .refused), (.configuring, .refused):
      guard let kind = TrafficEvent.Kind.of(event, response, in: TrafficNames(stage.definition)) else {
        return
      }
      stage.tell(.oneSided(.peer, kind))
    default: break
    }
  }

  private func connected(_ central: Central, _ event: Event) {
    host?.receive(event, respond: nil)
    stage.connected(central)
    if stage.refusesConnections { connections.disconnect(central, .remoteUserTerminated) }
  }

  /// Takes a request: refuses it, lets the device answer it, or holds the response.
  private func ask(
    _ event: Event, _ value: [UInt8], at place: RequestPlace, by central: Central?, _ respond: Responder?
  ) {
    let outcome = stage.outcome(of: value, at: place, by: central)
    let respond = delayed(respond, by: outcome.lateness)
    guard let refusal = outcome.refusal else { return take(event, respond) }
    note(event, refusal)
    respond?(refusal)
  }

  /// - Parameter lateness: nil: the response never goes out.
  private func delayed(_ respond: Responder?, by lateness: Duration?) -> Responder? {
    guard let lateness else { return { _ in } }
    if lateness == .zero { return respond }
    return { [stage] response in Lateness(of: lateness, on: stage.scheduler) { respond?(response) } }
  }

  /// Passes the value of a write through the faults; another request goes to the device.
  private func take(_ event: Event, _ respond: Responder?) {
    guard
      case .writeRequested(let central, .characteristic(let index), let value, let offset, let kind) = event,
      kind != .prepared
    else { return receiveAnyway(event, respond) }
    let stream = FaultStream(endpoint: .characteristic(index), direction: .into)
    guard stage.concerns(stream) else { return receiveAnyway(event, respond) }
    let response = PendingResponse(respond)
    let id = stage.definition.characteristics[index].id
    let course = stage.courseIn(.write(central, id, value, kind, refused: nil))
    stage.pass(
      PassingValue(value, in: stream, from: central, course) { [weak self] bytes in
        self?.receive(
          .writeRequested(central, .characteristic(index), value: bytes, offset: offset, kind), course,
          response.take())
      } settle: {
        response.take()?(.accepted)
      })
  }
}

extension Event {
  /// Whether it is a read or a write of a central.
  fileprivate var isRequest: Bool {
    switch self {
    case .readRequested, .writeRequested, .writeChecked, .configuring: true
    default: false
    }
  }
}

/// The response to a request whose value may reach the device several times, or never. The first response counts.
@EventLoop
private final class PendingResponse {
  private var respond: Responder?

  init(_ respond: Responder?) { self.respond = respond }

  func take() -> Responder? {
    defer { respond = nil }
    return respond
  }
}

/// Work to do later; it retains itself until then.
@EventLoop
private final class Lateness {
  private var timer: AnyObject?

  @discardableResult
  init(of time: Duration, on scheduler: any Scheduler, _ body: @escaping @EventLoop () -> Void) {
    timer = scheduler.schedule(at: scheduler.now.advanced(by: time)) {
      self.timer = nil
      body()
    }
  }
}

// MARK: What the transport answers by itself

extension FaultyTransport {
  package func screen(
    _ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder
  ) {
    guard !stage.isEmpty else { return respond(.accepted) }
    guard !stage.isSilent else { return }
    let outcome = stage.outcome(of: value, at: place, by: central)
    delayed(respond, by: outcome.lateness)?(outcome.refusal ?? .accepted)
  }
}

// MARK: Below ATT

extension FaultyTransport {
  package func fault(in request: LinkRequest, of central: Central) -> LinkFault? {
    stage.fault(in: request, of: central)
  }

  package func ask(
    _ question: LinkRequest, about central: Central, answer: @escaping @EventLoop (PersonAnswer) -> Void
  ) -> AnyObject? {
    stage.ask(question, about: central, answer: answer)
  }

  package func metFault(_ number: Int, in central: Central) { stage.metFault(number, in: central) }
}

// MARK: What passes unchanged

extension FaultyTransport {
  package func fellOffAir(_ reason: String) { host?.fellOffAir(reason) }

  package func cameBackOnAir() { host?.cameBackOnAir() }

  package func keep(_ bonds: [Bond]) { host?.keep(bonds) }

  package var isLogging: Bool { host?.isLogging ?? false }

  package func linkMeasured(_ central: Central, _ change: LinkChange) { host?.linkMeasured(central, change) }

  package func receive(struck event: Event, respond: Responder?) {
    host?.receive(struck: event, respond: respond)
  }

  package func struckSentValue() { host?.struckSentValue() }

  package func struck(_ event: TrafficEvent.Kind) { host?.struck(event) }

  package func warn(_ message: String) { host?.warn(message) }
}

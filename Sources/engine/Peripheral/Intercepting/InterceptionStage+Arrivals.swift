import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// The events of centrals, each in its order.
extension InterceptionStage {
  func receive(_ event: Event, respond: Responder?) {
    guard let central = event.doer else { return pipeline.receive(event, respond: respond) }
    let arrival = arrival(.event(event, respond))
    guard let lane = lanes[central] else { return take(arrival, of: central) }
    lane.add(arrival)
    if case .disconnected = event { return disconnected(lane) }
    guard lane.isFull(Self.mostWaiting, Self.mostWaitingBytes), let question = lane.question else { return }
    question.answer(
      .failed("has not answered \(question.event.interceptedWords), and too much waits for it"))
  }

  private func arrival(_ subject: Arrival.Subject) -> Arrival {
    Arrival(subject: subject, time: scheduler.now, resetCount: pipeline.resetCount)
  }

  /// Lets the rules handle the event in question and those that wait for it.
  private func disconnected(_ lane: InterceptionLane) {
    lane.isLeaving = true
    guard let question = lane.question else { return }
    question.answer(
      .failed("has not answered \(question.event.interceptedWords) before the central disconnected"))
  }

  private func take(_ arrival: Arrival, of central: Central?) {
    let lane = InterceptionLane(central)
    lanes[central] = lane
    lane.add(arrival)
    drain(lane)
  }

  /// Handles the waiting events up to the next question.
  func drain(_ lane: InterceptionLane) {
    guard !lane.isDraining else { return }
    lane.isDraining = true
    while lane.question == nil, let next = lane.next() { consider(next, on: lane) }
    lane.isDraining = false
    guard lane.question == nil, lanes[lane.central] === lane else { return }
    lanes[lane.central] = nil
    device.leaveUnusedStage()
  }

  private func consider(_ arrival: Arrival, on lane: InterceptionLane) {
    if isObsolete(arrival) { return drop(arrival) }
    guard case .event(let event, let respond) = arrival.subject else {
      return ask(about: arrival, [arrival.frameEvent(in: definition)].compactMap(\.self), on: lane)
    }
    passed = nil
    if case .readRequested(_, let attribute, let offset) = event, offset > 0,
      let read = reads[lane.central], read.attribute == attribute
    {
      guard let value = read.value else { return pipeline.receive(event, respond: respond) }
      return intervene(.respond(to: event, with: Response(value, from: offset)), respond)
    }
    switch event {
    case .readRequested, .disconnected: reads[lane.central] = nil
    default: break
    }
    ask(about: arrival, pipeline.offers(of: event), on: lane)
  }

  /// Asks about a frame, which the engine keeps meanwhile.
  func ask(about frame: [UInt8], on key: StreamKey) {
    if let passed, passed == (key, frame) {
      self.passed = nil
      return intervene(.pass(key))
    }
    let arrival = arrival(.frame(key, frame))
    guard let lane = lanes[key.central] else { return take(arrival, of: key.central) }
    // Its bytes came before the waiting events.
    lane.addFirst(arrival)
    drain(lane)
  }

  /// Whether the device has been reset since. A reset ends all connections and forgets their bytes.
  func isObsolete(_ arrival: Arrival) -> Bool {
    arrival.isAccess && arrival.resetCount != pipeline.resetCount
  }

  func drop(_ arrival: Arrival) {
    if case .event(_, let respond) = arrival.subject { respond?(.refused(.unlikelyError)) }
  }
}

import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Traffic

/// Lets interceptors take over what centrals do: a stage between the transport with its faults and the device.
///
/// While an interceptor is asked about something that a central has done, what this central does next waits. Everything
/// else goes on. The stage is there only while there are interceptors or questions.
@EventLoop
final class InterceptionStage {
  /// The most questions that may be open at once: one of each central.
  static let mostQuestions = 64
  /// The most events, and the most bytes, that may wait for a question of their central.
  static let mostWaiting = 4096
  static let mostWaitingBytes = 1 << 20

  let device: LivePeripheral
  let pipeline: Pipeline
  let scheduler: any Scheduler
  let definition: PeripheralDefinition
  /// How long a central waits for the response to a request.
  let patience: Duration
  /// In the order of their numbers.
  private(set) var interceptors: [Interceptor] = []
  private var lanes: [Central?: InterceptionLane] = [:]
  /// The last read of each central: the value that an interceptor has given, for its further parts; nil: the rules'.
  private var reads: [Central?: (attribute: AttributeReference, value: [UInt8]?)] = [:]
  /// The message that an interceptor has just been asked about with its write, and does not want.
  private var passed: (key: StreamKey, frame: [UInt8])?

  init(of device: LivePeripheral, _ pipeline: Pipeline, _ scheduler: any Scheduler, patience: Duration) {
    (self.device, self.pipeline, self.scheduler) = (device, pipeline, scheduler)
    (definition, self.patience) = (pipeline.definition, patience)
    pipeline.onWantedFrame = { [weak self] in self?.ask(about: $1, on: $0) }
  }

  func add(_ interceptor: Interceptor) {
    interceptors.append(interceptor)
    interceptorsChanged()
  }

  /// Ends an interceptor. The question that it has not answered goes on, and the log says why.
  func remove(_ number: Int, because reason: String) {
    guard let index = interceptors.firstIndex(where: { $0.number == number }) else { return }
    interceptors.remove(at: index)
    interceptorsChanged()
    for question in lanes.values.compactMap(\.question) where question.interceptor.number == number {
      question.answer(.failed("\(reason) before it had answered \(question.event.interceptedWords)"))
    }
    device.leaveUnusedStage()
  }

  /// Whether it is of no use any more.
  var isIdle: Bool { interceptors.isEmpty && lanes.isEmpty }

  /// Lets the engine keep the frames that an interceptor wants.
  private func interceptorsChanged() {
    guard !interceptors.isEmpty else { return pipeline.ask(about: nil) }
    let wants = interceptors.map { $0.wants }
    let names = TrafficNames(definition)
    pipeline.ask { key, frame in
      guard case .characteristic = key.endpoint else { return false }
      let event = TrafficEvent.Kind.frame(key.central, names.name(of: key.endpoint), frame, isSent: false)
      return wants.contains { $0(event) }
    }
  }
}

// MARK: What centrals do

extension InterceptionStage: TransportHost {
  func receive(_ event: Event, respond: Responder?) {
    guard let central = event.doer else { return device.receive(event, respond: respond) }
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

  /// The rules get what was in question, and what has waited for it.
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

  /// Takes what waits, up to the next question.
  private func drain(_ lane: InterceptionLane) {
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
      guard let value = read.value else { return device.receive(event, respond: respond) }
      return intervene(.respond(to: event, with: Response(value, from: offset)), respond)
    }
    switch event {
    case .readRequested, .disconnected: reads[lane.central] = nil
    default: break
    }
    ask(about: arrival, pipeline.offers(of: event), on: lane)
  }

  /// A frame is wanted, which the engine keeps.
  private func ask(about frame: [UInt8], on key: StreamKey) {
    if let passed, passed == (key, frame) {
      self.passed = nil
      return intervene(.pass(key))
    }
    let arrival = arrival(.frame(key, frame))
    guard let lane = lanes[key.central] else { return take(arrival, of: key.central) }
    // It comes from what the central has done before all that waits.
    lane.addFirst(arrival)
    drain(lane)
  }
}

// MARK: Questions

extension InterceptionStage {
  /// Asks the first interceptor that wants one of these events, of those after a number. Otherwise the rules get it.
  private func ask(
    about arrival: Arrival, _ events: [InterceptedEvent], on lane: InterceptionLane, after number: Int = 0
  ) {
    for interceptor in interceptors where interceptor.number > number {
      guard let event = events.first(where: interceptor.takes) else { continue }
      // Not one that is being turned away, or has gone.
      guard !lane.isLeaving, lane.central.map(device.centrals.contains) ?? true else { break }
      let time = time(for: arrival, interceptor)
      if let problem = problem(asking: time) {
        warn(interceptor, "is not asked about \(event.kind.interceptedWords): \(problem)")
        break
      }
      let question = InterceptorQuestion(
        event.kind, to: interceptor, at: arrival.answers(in: definition), within: time, scheduler
      ) { [weak self] answer in
        lane.question = nil
        self?.answered(answer, interceptor, arrival, events, event.kind, on: lane)
        self?.drain(lane)
      }
      lane.question = question
      return interceptor.ask(question)
    }
    pass(arrival, on: lane)
  }

  private func time(for arrival: Arrival, _ interceptor: Interceptor) -> Duration {
    let rest = scheduler.now.duration(to: arrival.time.advanced(by: patience))
    return arrival.isRequest ? min(interceptor.time, rest) : interceptor.time
  }

  /// Why nobody can be asked; nil: somebody can.
  private func problem(asking time: Duration) -> String? {
    if time <= .zero { return "the central has waited for \(patience.inSeconds) s" }
    let count = lanes.values.count { $0.question != nil }
    return count < Self.mostQuestions ? nil : "\(count) questions are open"
  }

  private func answered(
    _ answer: InterceptorAnswer, _ interceptor: Interceptor, _ arrival: Arrival, _ events: [InterceptedEvent],
    _ event: TrafficEvent.Kind, on lane: InterceptionLane
  ) {
    if isObsolete(arrival) {
      warn(
        interceptor, "was asked about \(event.interceptedWords), and the device has been reset since",
        ends: true)
      return drop(arrival)
    }
    switch answer {
    case .failed(let reason):
      warn(interceptor, reason)
      ask(about: arrival, events, on: lane, after: interceptor.number)
    case .goesOn: ask(about: arrival, events, on: lane, after: interceptor.number)
    case .value(let bytes, let message, let place):
      let answer = Intervention.Answer(
        bytes, from: place, message: message, to: recipient(lane.central, at: place))
      give(answer, to: arrival, interceptor.number, on: lane)
    case .refused(let error): refuse(arrival, error, event, interceptor)
    }
  }

  private func give(
    _ answer: Intervention.Answer, to arrival: Arrival, _ interceptor: Int, on lane: InterceptionLane
  ) {
    switch arrival.subject {
    case .event(.readRequested(let central, let attribute, let offset), let respond):
      reads[lane.central] = (attribute, answer.bytes)
      let event = Event.readRequested(central, attribute, offset: offset)
      let response = Response(answer.bytes, from: offset)
      intervene(.respond(to: event, with: response, by: interceptor), respond)
    case .event(let event, let respond):
      intervene(
        .respond(to: event, with: .accepted, answer.bytes.isEmpty ? nil : answer, by: interceptor), respond)
    case .frame(let key, _): intervene(.take(key, answer.bytes.isEmpty ? nil : answer, by: interceptor))
    }
  }

  private func intervene(_ intervention: Intervention, _ respond: Responder? = nil) {
    device.receive(.intervention(intervention), respond: respond)
  }

  /// The only central that gets an answer; nil: the transport reaches only all that have subscribed, as rules do.
  private func recipient(_ central: Central?, at place: Endpoint) -> Central? {
    guard let central, case .characteristic(let index) = place, device.reaches(central, from: index) else {
      return nil
    }
    return central
  }

  private func refuse(
    _ arrival: Arrival, _ error: ATTError, _ event: TrafficEvent.Kind, _ interceptor: Interceptor
  ) {
    let words = "refused \(event.interceptedWords) with \(error.name)"
    switch arrival.subject {
    case .event(let event, let respond):
      intervene(.respond(to: event, with: .refused(error), by: interceptor.number), respond)
      // A write command, or one that comes from BlueZ through a socket.
      guard !arrival.isRequest else { return }
      warn(
        interceptor, "\(words): the central does not learn it, since this write has no response",
        ends: true)
    case .frame(let key, _):
      warn(
        interceptor, "\(words): the central does not learn it, since its writes have been answered",
        ends: true)
      intervene(.take(key))
    }
  }

  /// Lets the rules have it.
  private func pass(_ arrival: Arrival, on lane: InterceptionLane) {
    switch arrival.subject {
    case .event(let event, let respond):
      if case .readRequested(_, let attribute, 0) = event { reads[lane.central] = (attribute, nil) }
      if case .writeRequested(let central, .characteristic(let index), let value, _, _) = event {
        let key = StreamKey(central: central, endpoint: .characteristic(index))
        passed = pipeline.message(in: value, on: key).map { (key, $0) }
      }
      device.receive(event, respond: respond)
    case .frame(let key, _): intervene(.pass(key))
    }
  }

  /// Whether the device has been reset since, which ends all connections and forgets what has come over them.
  private func isObsolete(_ arrival: Arrival) -> Bool {
    arrival.isAccess && arrival.resetCount != pipeline.resetCount
  }

  private func drop(_ arrival: Arrival) {
    if case .event(_, let respond) = arrival.subject { respond?(.refused(.unlikelyError)) }
  }

  /// - Parameter ends: whether it is the answer; otherwise the rules go on.
  private func warn(_ interceptor: Interceptor, _ problem: String, ends: Bool = false) {
    device.warn("\(interceptor.name) \(problem)\(ends ? "" : "; the rules go on")\(interceptor.note)")
  }
}

// MARK: What passes as it is

extension InterceptionStage {
  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    device.congestionChanged(isCongested, of: characteristic)
  }

  func fellOffAir(_ reason: String) { device.fellOffAir(reason) }

  func cameBackOnAir() { device.cameBackOnAir() }

  func keep(_ bonds: [Bond]) { device.keep(bonds) }

  var isLogging: Bool { device.isLogging }

  func linkChanged(_ central: Central, _ change: LinkChange) { device.linkChanged(central, change) }

  func struck(_ strike: FaultStrike) { device.struck(strike) }

  func warn(_ message: String) { device.warn(message) }
}

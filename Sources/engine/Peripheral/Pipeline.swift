import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// The path of a byte through a device, on one thread and without a pause:
///
///     central's write → transport → engine (framer → rules) → response, actions → chunker → transport → central
///                                      ↑                                      ↘
///                                 wire side, timers                         wire side
///
/// The engine decides; the pipeline performs. It finishes each event before the next, so everything that an action causes
/// comes after the action.
@EventLoop
final class Pipeline {
  let definition: PeripheralDefinition
  var engine: Engine
  private let transport: any Transport
  private let values: any TransportValues
  private let connections: any TransportConnections
  private let sender: ValueSender
  private let wire: WireFlow
  private let memory: (any SettingsMemory)?
  private let scheduler: any Scheduler
  private let sinks: [any TrafficSink]
  private let takesFrames: Bool
  private let names: TrafficNames
  /// The occurrences that wait for the current one to finish.
  private var waiting: ArraySlice<Occurrence> = []
  private var isBusy = false
  /// That of the last event, cleared: the next one uses its memory.
  private var outcome = Outcome()
  private var timers: [TimerIdentifier: AnyObject] = [:]
  /// The state that the transport knows, by index.
  private var toldState = 0
  /// The addresses that the log has, by the name of the set.
  private var toldAddresses: [String: SetAddress] = [:]
  private(set) var totals = TrafficEvent.Totals()
  /// Whether the values of the present event left the device; nil: there were none since somebody asked.
  private var sendResult: SendResult?
  /// Whether the event that is being handled has a value that a fault has changed or held.
  private var takesStruckValue = false
  private var isSending = false
  /// Whether a fault strikes the value that is being sent, and whether one has struck any part of the present action.
  private var isStruck = false
  private var hasStruck = false
  /// What faults have done while a value was being sent: it comes after the value.
  private var strikes: [TrafficEvent.Kind] = []
  /// The decoded form of what is sent next, and what comes after it. It waits until it is known whether a fault strikes any of that.
  private var held: [TrafficEvent.Kind]?
  /// The device as the GATT client of centrals that it has asked for something.
  private var clients: [Central: DeviceClient] = [:]
  /// The requests whose responses rules place, by number, until they have them.
  private var placed: [Int: (event: Event, respond: Responder?)] = [:]
  /// The device behind a relay; nil: this is none.
  let relay: (any Relay)?
  /// Called with a frame that an interceptor wants before the rules.
  var onWantedFrame: ((StreamKey, [UInt8]) -> Void)?

  init(
    _ definition: PeripheralDefinition, engine: Engine, transport: any Transport, wire: (any WireAttachment)?,
    memory: (any SettingsMemory)?, scheduler: any Scheduler, sinks: [any TrafficSink], relay: (any Relay)?
  ) {
    self.relay = relay
    (self.definition, self.engine, self.transport) = (definition, engine, transport)
    (self.memory, self.scheduler, self.sinks) = (memory, scheduler, sinks)
    (values, connections) = (transport.values, transport.connections)
    sender = ValueSender(definition: definition, values: values)
    self.wire = WireFlow(wire, of: definition, baud: engine.baud)
    takesFrames = sinks.contains(where: \.takesFrames)
    names = TrafficNames(definition)
    tellState()
    noteAddresses()
  }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - isStruck: whether a fault has changed or held its value.
  ///   - respond: called once with the response to a request.
  func receive(_ event: Event, isStruck: Bool = false, respond: Responder? = nil) {
    enter(.event(event, isStruck: isStruck, respond))
  }

  private func handle(_ event: Event, isStruck: Bool = false, _ respond: Responder?) {
    takesStruckValue = isStruck
    if !definition.linkValues.isEmpty { noteLinks(before: event) }
    var outcome = Outcome()
    swap(&outcome, &self.outcome)
    engine.handle(event, at: scheduler.now, into: &outcome)
    if !outcome.isAwaited(for: event) { report(event, outcome.response) }
    if let settings = outcome.settings { keep(settings) }
    if let request = outcome.request {
      placed[request] = (event, respond)
    } else if let response = outcome.response {
      respond?(response)
    }
    for action in outcome.actions {
      perform(action, outcome.response == nil ? respond : nil)
      if held != nil, !action.isRemark { reportHeld() }
    }
    if held != nil { reportHeld() }
    if definition.link.multipleNotifications { values.sendJoinedValues() }
    if outcome.request == nil, !outcome.isAwaited(for: event) { count(event, outcome.response) }
    if case .disconnected(let central, _) = event { clients[central] = nil }
    if engine.state != toldState { tellState() }
    outcome.clear()
    swap(&outcome, &self.outcome)
  }

  /// - Parameter respond: takes the response to the present event, if it has none yet.
  private func perform(_ action: Action, _ respond: Responder?) {
    switch action {
    case .respond(let response, let request): self.respond(response, to: request)
    case .notify(let characteristic, let value, let message, let central):
      send(value, from: characteristic, to: recipients(of: characteristic, central), message)
    case .transmit(let channel, let bytes, let message, let central):
      transmit(bytes, in: channel, to: central, message)
    case .close(let channel, let central): values.close(channel: channel, of: central)
    case .request(let request, let central): self.request(request, of: central)
    case .sendPDU(let packet, let central): send(packet, to: central)
    case .writeToWire(let bytes, let message): writeToWire(bytes, message)
    case .setBaud(let baud): wire.changeSpeed(to: baud)
    case .startTimer(let timer, let instant): startTimer(timer, at: instant)
    case .stopTimer(let timer): timers[timer] = nil
    case .serve(let table, let toConnected): transport.serve(table, toConnected: toConnected)
    case .advertise(let advertisement): advertise(advertisement)
    case .pair(let policy): connections.pair(policy)
    case .disconnect(let central, let reason): disconnect(central, reason)
    case .askLink(let change, let central): connections.ask(for: change, of: central)
    case .forget(let central): connections.forget(central)
    case .forgetOldest(let other):
      guard let bonded = connections.bondedCentrals else { return connections.forget(other) }  // which warns
      if let oldest = bonded.first, oldest != other { connections.forget(oldest) }
    case .ask(let stream, let frame): onWantedFrame?(stream, frame)
    case .relay(let events): relay(events, respond)
    case .remark(let remark): tell(remark)
    }
  }
}

// MARK: Values for centrals, and bytes for the wire side

extension Pipeline {
  private func respond(_ response: Response, to request: Int) {
    guard let (event, respond) = placed.removeValue(forKey: request) else { return }
    respond?(response)
    count(event, response)
  }

  /// The recipients of a value for one central, or all subscribers (nil). An answer goes to all if the transport cannot send to one.
  private func recipients(of characteristic: Int, _ central: Central?) -> Recipients {
    guard let central else { return .subscribers }
    let isAnswer = definition.characteristics[characteristic].recipients == .asker
    guard isAnswer, engine.connectedCentrals.contains(central) else { return .subscriber(central) }
    return values.canAddress(central, from: characteristic) ? .subscriber(central) : .subscribers
  }

  /// - Parameter message: the index of the message that the value is, if it has a name.
  private func send(_ value: [UInt8], from characteristic: Int, to recipients: Recipients, _ message: Int?) {
    let (id, message) = (names.name(of: characteristic), name(of: message))
    var pieceCount = 0
    beginSending()
    sender.send(value, from: characteristic, to: recipients) { piece, fate in
      pieceCount += 1
      switch fate {
      case .sent(.notified):
        totals.valuesOut += 1
        note(.sent)
        reportSent(.notify(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .sent(.indicated):
        totals.valuesOut += 1
        note(.sent)
        reportSent(.indicate(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .tooLong(let limit):
        lose(piece, from: id, "not sent: a value has at most \(limit) bytes here")
      case .sent(let outcome):
        lose(piece, from: id, "not sent: \(lossReason(of: characteristic, outcome))")
      }
      reportStrikes()
    }
    isSending = false
    if pieceCount > 1, takesFrames, definition.characteristics[characteristic].coding == nil {
      let frame = TrafficEvent.Kind.frame(nil, id, value, message: message, isSent: true)
      report(hasStruck ? .oneSided(.device, frame) : frame)
    }
  }

  /// - Parameter central: the only one that gets the bytes; nil: all that have opened the channel.
  private func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?, _ message: Int?) {
    let id = definition.channels[channel].id
    beginSending()
    defer { endSending() }
    guard values.transmit(bytes, in: channel, to: central) != .nobodySubscribed else {
      return lose(bytes[...], from: id, "not sent: no central has opened it")
    }
    totals.valuesOut += 1
    note(.sent)
    reportSent(.channelOut(id, bytes, message: name(of: message)))
  }

  /// The result of sending during `body`; nil: nothing was sent.
  func sendResult(of body: () -> Void) -> SendResult? {
    sendResult = nil
    body()
    return sendResult
  }

  private func note(_ result: SendResult) {
    if sendResult == nil { sendResult = result }
  }

  private func lose(_ piece: ArraySlice<UInt8>, from id: String, _ reason: String) {
    totals.valuesLost += 1
    note(.lost(reason: reason))
    report(.warning(reason, attribute: id, Array(piece)))
  }

  private func lossReason(of characteristic: Int, _ outcome: SendOutcome) -> String {
    switch outcome {
    case .outOfSync:
      "the central does not know that the attributes have changed; it gets values once it has confirmed "
        + "Service Changed, or has read the Database Hash and sent another request"
    case .unprotected:
      "the link is not protected as the permissions ask; the central gets values once it has paired well enough"
    case .notAddressable: "this transport cannot send to a single central"
    default:
      engine.table.contains(characteristic)
        ? "no central has subscribed" : "the device does not have this characteristic now"
    }
  }

  /// Sends a PDU as it is to a central, or to all (nil).
  private func send(_ packet: [UInt8], to central: Central?) {
    let recipients = engine.connectedCentrals.filter { central == nil || $0 == central }
    let sent = recipients.filter { values.sendPDU(packet, to: $0) }
    guard sent.isEmpty else {
      totals.valuesOut += 1
      note(.sent)
      return report(.log("<< \(HexText.format(packet))"))
    }
    let reason = recipients.isEmpty ? "no central is connected" : "this transport sends no PDUs of a rule"
    totals.valuesLost += 1
    note(.lost(reason: "not sent: \(reason)"))
    report(.warning("not sent: \(reason)", attribute: nil, packet))
  }

  private func name(of message: Int?) -> String? { message.map { definition.messages[$0].name } }

  /// Ends connections after the values of the same event.
  private func disconnect(_ central: Central?, _ reason: HCIError) {
    values.sendJoinedValues()
    connections.disconnect(central, reason)
  }

  private func writeToWire(_ bytes: [UInt8], _ message: Int?) {
    beginSending()
    wire.write(bytes)
    note(.sent)
    reportSent(.wireOut(bytes, message: name(of: message)))
    endSending()
    wireTookBytes()
  }

  /// Makes centrals wait while the wire side has fallen behind.
  func wireTookBytes() {
    if let isBehind = wire.backlogChange() { connections.holdResponses(isBehind) }
  }
}

// MARK: Faults on the way of what is sent

extension Pipeline {
  private func beginSending() { (isSending, hasStruck) = (true, false) }

  private func endSending() {
    reportStrikes()
    isSending = false
  }

  /// A fault strikes the value that is being sent, or lets it wait.
  func struckSentValue() { isStruck = true }

  /// Reports what a fault has done.
  func struck(_ event: TrafficEvent.Kind) {
    if isSending { strikes.append(event) } else { report(event) }
  }

  /// Reports what the device has sent. If no fault strikes it, others get the same.
  private func reportSent(_ event: @autoclosure () -> TrafficEvent.Kind) {
    report(isStruck ? .oneSided(.device, event()) : event())
  }

  private func reportStrikes() {
    guard isStruck || !strikes.isEmpty else { return }
    if isStruck { (isStruck, hasStruck) = (false, true) }
    for event in strikes { report(event) }
    strikes = []
  }

  /// Reports the decoded form of what has been sent, and then what has waited for it.
  private func reportHeld() {
    guard let held, let plain = held.first else { return }
    self.held = nil
    report(hasStruck ? .oneSided(.device, plain) : plain)
    for event in held.dropFirst() { report(event) }
  }
}

extension Action {
  fileprivate var isRemark: Bool { if case .remark = self { true } else { false } }
}

// MARK: The device as the GATT client of its centrals

extension Pipeline {
  /// - Parameter central: nil: all that are connected.
  private func request(_ request: ClientRequest, of central: Central?) {
    for each in engine.connectedCentrals where central == nil || central == each {
      let client = clients[each] ?? DeviceClient(each, definition.sought, scheduler)
      client.owner = self
      clients[each] = client
      client.perform(request)
    }
  }

  /// Takes a response, a notification or an indication of a central.
  func receiveAsClient(_ packet: [UInt8], from central: Central) { clients[central]?.receive(packet) }
}

extension Pipeline: DeviceClientOwner {
  func mtu(of central: Central) -> Int { connections.mtu(of: central) ?? AttributePDU.defaultMTU }

  func send(_ pdu: AttributePDU, to central: Central) -> Bool {
    values.sendPDU(pdu.encode(), to: central)
  }

  func clientReceived(_ event: Event) { receive(event) }

  func clientWrites(_ value: [UInt8], to place: String, message: Int?, at central: Central) {
    totals.valuesOut += 1
    report(.clientOut(central, place, value, message: message.map { definition.messages[$0].name }))
  }

  func clientFailed(at central: Central) {
    clients[central] = nil
    warn("\(central) has not answered the device within 30 s; disconnecting it")
    connections.disconnect(central, .remoteUserTerminated)
  }
}

// MARK: One occurrence after the other

/// Something that happens to a device.
private enum Occurrence {
  case event(Event, isStruck: Bool, Responder?)
  case timer(TimerIdentifier, AnyObject)
  /// Values have piled up in the transport, or have left it.
  case congestion(Bool, of: Endpoint)
}

extension Pipeline {
  func congestionChanged(_ isCongested: Bool, of place: Endpoint) {
    enter(.congestion(isCongested, of: place))
  }

  /// Handles an occurrence, or lets it wait for the current one.
  private func enter(_ occurrence: Occurrence) {
    guard !isBusy else { return waiting.append(occurrence) }
    isBusy = true
    handle(occurrence)
    while let next = waiting.popFirst() { handle(next) }
    waiting = []  // an empty slice would keep its memory
    isBusy = false
    wire.open()
  }

  private func handle(_ occurrence: Occurrence) {
    switch occurrence {
    case .event(let event, let isStruck, let respond): handle(event, isStruck: isStruck, respond)
    case .congestion(let isCongested, let place): wire.congestionChanged(isCongested, of: place)
    case .timer(let identifier, let timer):
      guard timers[identifier] === timer else { return }  // stopped or restarted in the meantime
      timers[identifier] = nil
      if case .address = identifier, connections.isPairing {
        return startTimer(identifier, at: scheduler.now.advanced(by: Self.patience))
      }
      handle(.timerFired(identifier), nil)
    }
  }

  /// How long a change of the address waits before it looks again whether a central is still pairing.
  private static let patience = Duration.seconds(1)

  private func startTimer(_ identifier: TimerIdentifier, at instant: Instant) {
    timers[identifier] = scheduler.schedule(at: instant) { [weak self] in
      guard let self, let timer = timers[identifier] else { return }
      // Bytes that arrived before the deadline may still wait here. They end the silence and restart the timer.
      wire.catchUp()
      enter(.timer(identifier, timer))
    }
  }
}

// MARK: What the engine knows of the links, and others of the engine's state

extension Pipeline {
  /// The values that expressions about the device have now, between two events.
  var context: EvaluationContext {
    for central in engine.connectedCentrals {
      engine.note(
        mtu: connections.mtu(of: central), isEncrypted: connections.isEncrypted(central),
        longTermKey: connections.longTermKey(of: central), of: central)
    }
    return engine.context(at: scheduler.now)
  }

  /// Gives the engine the values of the links that its expressions use.
  private func noteLinks(before event: Event) {
    var centrals = engine.connectedCentrals
    if case .connected(let central, _) = event { centrals.append(central) }
    for central in centrals {
      let isEncrypted = definition.linkValues.contains(.encrypted) ? connections.isEncrypted(central) : nil
      let key = definition.linkValues.contains(.longTermKey) ? connections.longTermKey(of: central) : nil
      engine.note(
        mtu: connections.mtu(of: central), isEncrypted: isEncrypted, longTermKey: key, of: central)
    }
  }

  /// Tells the transport the state of the device.
  private func tellState() {
    toldState = engine.state
    if !definition.states.isEmpty { transport.noteState(definition.states[toldState]) }
  }

  private func keep(_ settings: [Value]) {
    if let problem = memory?.keep(settings) { warn(problem) }
  }
}

// MARK: The addresses of the device in the log

extension Pipeline {
  private func advertise(_ advertisement: Advertisement?) {
    transport.advertise(advertisement)
    for set in advertisement?.namedSets ?? [] where set.address != toldAddresses[set.name] {
      report(addressOf: set)
    }
  }

  /// Begins to count, and reports that the device is on the air.
  func announce(_ onAir: TrafficEvent.OnAir) {
    totals = TrafficEvent.Totals()
    report(.onAir(onAir))
    reportAddressesOfFurtherSets()
  }

  /// The log has them from the start.
  private func noteAddresses() {
    for set in engine.currentAdvertisement?.allSets ?? [] { toldAddresses[set.name] = set.address }
  }

  /// Those that differ from the main one, with which the log begins.
  private func reportAddressesOfFurtherSets() {
    guard let main = engine.currentAdvertisement else { return }
    for set in main.namedSets.dropFirst() where set.address != main.address { report(addressOf: set) }
  }

  private func report(addressOf set: Advertisement) {
    toldAddresses[set.name] = set.address
    if let address = set.address { report(.address(address, set: set.name.isEmpty ? nil : set.name)) }
  }
}

extension Advertisement {
  /// Those whose addresses the log has: of a crowd, the first.
  fileprivate var namedSets: [Self] { isCrowd ? [self] : allSets }
}

// MARK: Traffic and counts

extension Pipeline {
  private func report(_ event: Event, _ response: Response?) {
    guard !sinks.isEmpty, let kind = TrafficEvent.Kind(event, response, in: names) else { return }
    report(takesStruckValue ? .oneSided(.device, kind) : kind)
  }

  /// Passes traffic to the sinks.
  func report(_ kind: @autoclosure () -> TrafficEvent.Kind) {
    guard !sinks.isEmpty else { return }
    if held != nil {
      held?.append(kind())
      return
    }
    let event = TrafficEvent(time: scheduler.now, kind: kind())
    for sink in sinks { sink.take(event) }
  }

  private func tell(_ remark: Remark) {
    if case .unsent(_, let reason) = remark { note(.unsent(reason: reason)) }
    let event = TrafficEvent.Kind(remark, in: names)
    switch remark {
    case .plain(_, _, isSent: true):
      if held != nil { reportHeld() }
      (held, hasStruck) = ([event], false)
    case .plain, .frame: report(takesStruckValue ? .oneSided(.device, event) : event)
    default: report(event)
    }
  }

  func warn(_ problem: String) { report(.warning(problem, attribute: nil, [])) }

  /// Counts an event, and opens the wire side for subscribers after the actions of their subscription.
  private func count(_ event: Event, _ response: Response?) {
    switch event {
    case .connected: totals.centrals += 1
    case .writeRequested: totals.valuesIn += 1
    case .configuring(_, let characteristic, _, let old, let new, _):
      guard response?.error == nil, (old == nil) != (new == nil) else { return }
      if new == nil {
        countEnd(of: .characteristic(characteristic))
      } else {
        wire.subscribed(to: .characteristic(characteristic))
      }
    case .subscribed(_, let characteristic, _): wire.subscribed(to: .characteristic(characteristic))
    case .unsubscribed(_, let characteristic): countEnd(of: .characteristic(characteristic))
    case .channelOpened(_, let channel): wire.subscribed(to: .channel(channel))
    case .channelClosed(_, let channel, _): countEnd(of: .channel(channel))
    case .channelReceived, .soughtReceived: totals.valuesIn += 1
    case .intervention(.respond(let event, let response, _, _)): count(event, response)
    case .intervention(.relayed(let event, _)): if case .configuring = event { count(event, response) }
    case .intervention(.take), .intervention(.pass), .intervention(.passOn), .started, .disconnected,
      .confirmed, .serviceChanged,
      .readRequested, .writeChecked, .wireReceived, .timerFired, .restarted, .identified, .paired, .bonded,
      .pairingFailed,
      .encrypted, .encryptionFailed, .linkChanged, .parametersRefused, .passkeyShown, .controlled,
      .discovered, .soughtRefused:
      break
    }
  }

  /// Counts the end of a subscription.
  private func countEnd(of place: Endpoint) {
    let dropped = wire.unsubscribed(from: place)
    guard dropped > 0 else { return }
    warn("wire side: dropped \(dropped) bytes for the last central, which has disconnected")
  }
}

// MARK: What interceptors can take

extension Pipeline {
  /// The parts of an event that interceptors can take, in the order in which they are asked: a read, a write, the message that
  /// a value is by itself. Empty: the event has none, or the device refuses it.
  func offers(of event: Event) -> [InterceptedEvent] {
    switch event {
    case .readRequested(let central, let attribute, _):
      return [InterceptedEvent(.read(central, names.name(of: attribute), [], refused: nil))]
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      guard engine.problem(writing: value, to: attribute, at: offset) == nil else { return [] }
      let write = InterceptedEvent(.write(central, names.name(of: attribute), value, kind, refused: nil))
      guard case .characteristic(let index) = attribute else { return [write] }
      return offers(of: write, value, on: StreamKey(central: central, endpoint: .characteristic(index)))
    default: return []
    }
  }

  private func offers(of write: InterceptedEvent, _ value: [UInt8], on key: StreamKey) -> [InterceptedEvent] {
    let isFramed = engine.isFramed(key.endpoint)
    let write = InterceptedEvent(write.kind, isPart: isFramed)
    guard let message = engine.message(in: value, on: key), isFramed || message != value else {
      return [write]
    }
    let name = names.name(of: key.endpoint)
    return [write, InterceptedEvent(.frame(key.central, name, message, isSent: false))]
  }
}

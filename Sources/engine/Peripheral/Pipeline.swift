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
  private var engine: Engine
  private let transport: any Transport
  private let values: any TransportValues
  private let connections: any TransportConnections
  private let sender: ValueSender
  private let wire: WireFlow
  private let memory: (any SettingsMemory)?
  private let scheduler: any Scheduler
  let traffic: TrafficReporter
  /// The occurrences that wait for the current one to finish.
  private var waiting: [Occurrence] = []
  private var hasWaiting = false
  private var isBusy = false
  /// That of the last event, cleared: the next one uses its memory.
  private var outcome = Outcome()
  private var timers: [TimerIdentifier: PendingTimer] = [:]
  /// The state that the transport knows, by index.
  private var toldState = 0
  /// The addresses that the log has, by the name of the set.
  private var toldAddresses: [String: SetAddress] = [:]
  private(set) var totals = TrafficEvent.Totals()
  /// How many bytes have not found room in the buffer of the wire side.
  private var lostToWire = 0
  /// Whether the values of the present event left the device; nil: there were none since somebody asked.
  private var sendResult: SendResult?
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
    (self.memory, self.scheduler) = (memory, scheduler)
    (values, connections) = (transport.values, transport.connections)
    self.wire = WireFlow(wire, of: definition, baud: engine.baud)
    traffic = TrafficReporter(definition, to: sinks, scheduler)
    sender = ValueSender(names: traffic.names, values: values)
    if !definition.layers.isEmpty {
      self.engine.passLayer = { [unowned self] value in
        EventLoop.assumeIsolated { self.transport.pass(value) }
      }
    }
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
    traffic.takesStruckValue = isStruck
    if !definition.linkValues.isEmpty { noteLinks(before: event) }
    var outcome = Outcome()
    swap(&outcome, &self.outcome)
    engine.handle(event, at: scheduler.now, into: &outcome)
    if !outcome.isAwaited(for: event) { traffic.report(event, outcome.response) }
    if let settings = outcome.settings { keep(settings) }
    if let request = outcome.request {
      placed[request] = (event, respond)
    } else if let response = outcome.response {
      respond?(response)
    }
    for action in outcome.actions {
      perform(action, outcome.response == nil ? respond : nil)
      if traffic.isHolding, !action.isRemark { traffic.reportHeld() }
    }
    if traffic.isHolding { traffic.reportHeld() }
    if definition.link.multipleNotifications { values.sendJoinedValues() }
    if outcome.request == nil, !outcome.isAwaited(for: event) { count(event, outcome.response) }
    if case .disconnected(let central, _) = event { clients[central] = nil }
    if !definition.states.isEmpty, engine.state != toldState { tellState() }
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
    case .stopTimer(let timer): timers.removeValue(forKey: timer)?.stop()
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
    guard isAnswer, withEngine({ $0.connectedCentrals.contains(central) }) else {
      return .subscriber(central)
    }
    return values.canAddress(central, from: characteristic) ? .subscriber(central) : .subscribers
  }

  /// - Parameter message: the index of the message that the value is, if it has a name.
  private func send(_ value: [UInt8], from characteristic: Int, to recipients: Recipients, _ message: Int?) {
    var pieceCount = 0
    traffic.beginSending()
    sender.send(value, from: characteristic, to: recipients) { piece, fate in
      let name = pieceCount == 0 ? message : nil
      pieceCount += 1
      switch fate {
      case .sent(.notified):
        countSent()
        traffic.reportSent(.notify(id(of: characteristic), Array(piece), message: self.name(of: name)))
      case .sent(.indicated):
        countSent()
        traffic.reportSent(.indicate(id(of: characteristic), Array(piece), message: self.name(of: name)))
      case .tooLong(let limit):
        lose(Array(piece), from: id(of: characteristic), "a value has at most \(limit) bytes here")
      case .sent(let outcome):
        lose(Array(piece), from: id(of: characteristic), lossReason(of: characteristic, outcome))
      }
      traffic.reportStrikes()
    }
    traffic.endSending()
    if pieceCount > 1, traffic.takesFrames, definition.characteristics[characteristic].coding == nil {
      traffic.reportWhole(
        .frame(nil, id(of: characteristic), value, message: name(of: message), isSent: true))
    }
  }

  /// - Parameter central: the only one that gets the bytes; nil: all that have opened the channel.
  private func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?, _ message: Int?) {
    let id = definition.channels[channel].id
    traffic.beginSending()
    defer { traffic.endSending() }
    guard values.transmit(bytes, in: channel, to: central) != .nobodySubscribed else {
      return lose(bytes, from: id, "no central has opened it")
    }
    countSent()
    traffic.reportSent(.channelOut(id, bytes, message: name(of: message)))
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

  private func countSent() {
    totals.valuesOut += 1
    note(.sent)
  }

  private func lose(_ value: [UInt8], from id: String?, _ cause: String) {
    let reason = "not sent: \(cause)"
    totals.valuesLost += 1
    note(.lost(reason: reason))
    traffic.report(.warning(reason, attribute: id, value))
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
    let recipients = connectedCentrals.filter { central == nil || $0 == central }
    let sent = recipients.filter { values.sendPDU(packet, to: $0) }
    guard sent.isEmpty else {
      countSent()
      return traffic.report(.log("<< \(HexText.format(packet))"))
    }
    lose(
      packet, from: nil,
      recipients.isEmpty ? "no central is connected" : "this transport sends no PDUs of a rule")
  }

  private func id(of characteristic: Int) -> String { traffic.names.name(of: characteristic) }

  private func name(of message: Int?) -> String? { message.map { definition.messages[$0].name } }

  /// Ends connections after the values of the same event.
  private func disconnect(_ central: Central?, _ reason: HCIError) {
    values.sendJoinedValues()
    connections.disconnect(central, reason)
  }

  private func writeToWire(_ bytes: [UInt8], _ message: Int?) {
    traffic.beginSending()
    let room = wire.room(for: bytes)
    if room > 0 || bytes.isEmpty {
      let bytes = room < bytes.count ? Array(bytes.prefix(room)) : bytes
      wire.write(bytes)
      note(.sent)
      traffic.reportSent(.wireOut(bytes, message: name(of: message)))
    }
    traffic.endSending()
    if room < bytes.count { overflow(Array(bytes.dropFirst(room))) }
    wireTookBytes()
  }

  /// Loses bytes for which the buffer of the wire side has no room.
  private func overflow(_ bytes: [UInt8]) {
    lostToWire += bytes.count
    lose(
      bytes, from: traffic.names.name(of: .wire),
      "the buffer of the wire side is full; \(lostToWire) bytes lost so far")
  }

  /// Makes centrals wait while the wire side has fallen behind.
  func wireTookBytes() {
    if let isBehind = wire.backlogChange() { connections.holdResponses(isBehind) }
  }
}

extension Action {
  fileprivate var isRemark: Bool { if case .remark = self { true } else { false } }
}

// MARK: The device as the GATT client of its centrals

extension Pipeline {
  /// - Parameter central: nil: all that are connected.
  private func request(_ request: ClientRequest, of central: Central?) {
    for each in connectedCentrals where central == nil || central == each {
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
    traffic.report(.clientOut(central, place, value, message: name(of: message)))
  }

  func clientFailed(at central: Central) {
    clients[central] = nil
    warn("\(central) has not answered the device within 30 s; disconnecting it")
    connections.disconnect(central, .remoteUserTerminated)
  }
}

// MARK: One occurrence after the other

/// A timer of the engine. One that starts again when it fires keeps its call.
@EventLoop
private final class PendingTimer {
  let identifier: TimerIdentifier
  var call: AnyObject?
  var isRunning = false
  /// How often it has started.
  var startCount = 0

  init(_ identifier: TimerIdentifier) { self.identifier = identifier }

  func stop() { (call, isRunning) = (nil, false) }
}

/// Something that happens to a device.
private enum Occurrence {
  case event(Event, isStruck: Bool, Responder?)
  /// With the number of the start after which it has fired.
  case timer(PendingTimer, start: Int)
  /// Values have piled up in the transport, or have left it.
  case congestion(Bool, of: Endpoint)
}

extension Pipeline {
  func congestionChanged(_ isCongested: Bool, of place: Endpoint) {
    enter(.congestion(isCongested, of: place))
  }

  /// Handles an occurrence, or lets it wait for the current one.
  private func enter(_ occurrence: Occurrence) {
    guard !isBusy else {
      hasWaiting = true
      return waiting.append(occurrence)
    }
    isBusy = true
    handle(occurrence)
    if hasWaiting { handleWaiting() }
    isBusy = false
    wire.open()
  }

  private func handleWaiting() {
    while hasWaiting {
      let next = waiting
      (waiting, hasWaiting) = ([], false)
      for occurrence in next { handle(occurrence) }
    }
  }

  private func handle(_ occurrence: Occurrence) {
    switch occurrence {
    case .event(let event, let isStruck, let respond): handle(event, isStruck: isStruck, respond)
    case .congestion(let isCongested, let place): wire.congestionChanged(isCongested, of: place)
    case .timer(let timer, let start):
      // Stopped or restarted in the meantime?
      guard timer.isRunning, timer.startCount == start else { return }
      timer.isRunning = false
      if case .address = timer.identifier, connections.isPairing {
        return startTimer(timer.identifier, at: scheduler.now.advanced(by: Self.patience))
      }
      handle(.timerFired(timer.identifier), nil)
      if !timer.isRunning, timers[timer.identifier] === timer { timers[timer.identifier] = nil }
    }
  }

  /// How long a change of the address waits before it looks again whether a central is still pairing.
  private static let patience = Duration.seconds(1)

  private func pendingTimer(_ identifier: TimerIdentifier) -> PendingTimer {
    if let timer = timers[identifier] { return timer }
    let timer = PendingTimer(identifier)
    timers[identifier] = timer
    return timer
  }

  private func startTimer(_ identifier: TimerIdentifier, at instant: Instant) {
    let timer = pendingTimer(identifier)
    timer.isRunning = true
    timer.startCount += 1
    if let call = timer.call, scheduler.move(call, to: instant) { return }
    // The timer owns the call.
    timer.call = scheduler.schedule(at: instant) { [weak self, unowned timer] in
      guard let self else { return }
      let occurrence = Occurrence.timer(timer, start: timer.startCount)
      // Bytes that arrived before the deadline may still wait here. They end the silence and restart the timer.
      wire.catchUp()
      enter(occurrence)
    }
  }
}

// MARK: What the engine knows of the links, and others of the engine's state

extension Pipeline {
  /// The values that expressions about the device have now, between two events.
  var context: EvaluationContext {
    for central in connectedCentrals {
      engine.note(
        mtu: connections.mtu(of: central), isEncrypted: connections.isEncrypted(central),
        longTermKey: connections.longTermKey(of: central), of: central)
    }
    return withEngine { $0.context(at: scheduler.now) }
  }

  var connectedCentrals: [Central] { withEngine { $0.connectedCentrals } }

  /// How often the device has been reset.
  var resetCount: Int { withEngine { $0.resetCount } }

  /// Asks the engine in its place. A property that returned it would copy all that it has, with a count for each of its lists.
  func withEngine<Answer>(_ ask: (inout Engine) throws -> Answer) rethrows -> Answer { try ask(&engine) }

  /// Gives the engine the values of the links that its expressions use.
  private func noteLinks(before event: Event) {
    var centrals = connectedCentrals
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
    traffic.report(.onAir(onAir))
    reportAddressesOfFurtherSets()
  }

  /// The log has them from the start.
  private func noteAddresses() {
    for set in withEngine({ $0.currentAdvertisement })?.allSets ?? [] {
      toldAddresses[set.name] = set.address
    }
  }

  /// Those that differ from the main one, with which the log begins.
  private func reportAddressesOfFurtherSets() {
    guard let main = withEngine({ $0.currentAdvertisement }) else { return }
    for set in main.namedSets.dropFirst() where set.address != main.address { report(addressOf: set) }
  }

  private func report(addressOf set: Advertisement) {
    toldAddresses[set.name] = set.address
    if let address = set.address { traffic.report(.address(address, set: set.name.isEmpty ? nil : set.name)) }
  }
}

extension Advertisement {
  /// Those whose addresses the log has: of a crowd, the first.
  fileprivate var namedSets: [Self] { isCrowd ? [self] : allSets }
}

// MARK: Traffic and counts

extension Pipeline {
  private func tell(_ remark: Remark) {
    if case .unsent(_, let reason) = remark { note(.unsent(reason: reason)) }
    traffic.tell(remark)
  }

  func warn(_ problem: String) { traffic.report(.warning(problem, attribute: nil, [])) }

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
    case .intervention(.take), .intervention(.pass), .intervention(.passOn), .layerPassed, .started,
      .disconnected,
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
      return [InterceptedEvent(.read(central, traffic.names.name(of: attribute), [], refused: nil))]
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      guard withEngine({ $0.problem(writing: value, to: attribute, at: offset) }) == nil else { return [] }
      let write = InterceptedEvent(
        .write(central, traffic.names.name(of: attribute), value, kind, refused: nil))
      guard case .characteristic(let index) = attribute else { return [write] }
      return offers(of: write, value, on: StreamKey(central: central, endpoint: .characteristic(index)))
    default: return []
    }
  }

  private func offers(of write: InterceptedEvent, _ value: [UInt8], on key: StreamKey) -> [InterceptedEvent] {
    let (isFramed, message) = withEngine { ($0.isFramed(key.endpoint), $0.message(in: value, on: key)) }
    let write = InterceptedEvent(write.kind, isPart: isFramed)
    guard let message, isFramed || message != value else {
      return [write]
    }
    let name = traffic.names.name(of: key.endpoint)
    return [write, InterceptedEvent(.frame(key.central, name, message, isSent: false))]
  }
}

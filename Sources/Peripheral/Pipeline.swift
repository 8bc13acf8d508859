import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Traffic

/// The path of a byte through a device, on one thread and without a pause:
///
///     central's write → transport → engine (framer → rules) → response, actions → chunker → transport → central
///                                      ↑                                      ↘
///                                 wire side, timers                         wire side
///
/// Everything that happens to the device enters here. Each occurrence is finished before the next begins, so anything
/// that an action causes comes after it. The engine decides; the pipeline performs.
@EventLoop
package final class Pipeline {
  /// Something that happens to a device.
  private enum Occurrence {
    case event(Event, Responder?)
    case timer(TimerIdentifier, AnyObject)
    /// Values have piled up in the transport, or have left.
    case congestion(Bool, of: Int)
  }

  package let definition: PeripheralDefinition
  var engine: Engine
  /// The attributes that the transport serves.
  private(set) var table: AttributeTable
  private let transport: any Transport
  private let sender: ValueSender
  private let wire: (any WireAttachment)?
  private let flow: WireFlow
  private let memory: (any SettingsMemory)?
  private let scheduler: any Scheduler
  private let sinks: [any TrafficSink]
  private let takesFrames: Bool
  let names: TrafficNames
  private var timers: [TimerIdentifier: AnyObject] = [:]
  /// The occurrences that wait for the current one to finish.
  private var waiting: ArraySlice<Occurrence> = []
  private var isBusy = false
  /// The state that the transport knows, by index.
  private var notedState = 0
  var totals = TrafficEvent.Totals()
  /// Called with a frame that an interceptor wants before the rules.
  var onWantedFrame: ((StreamKey, [UInt8]) -> Void)?

  package init(
    _ definition: PeripheralDefinition, engine: Engine, transport: any Transport, wire: (any WireAttachment)?,
    memory: (any SettingsMemory)?, scheduler: any Scheduler, sinks: [any TrafficSink]
  ) {
    self.definition = definition
    self.engine = engine
    table = engine.table
    self.transport = transport
    sender = ValueSender(definition: definition, transport: transport)
    self.wire = wire
    self.memory = memory
    self.scheduler = scheduler
    self.sinks = sinks
    takesFrames = sinks.contains(where: \.takesFrames)
    names = TrafficNames(definition)
    if let baud = engine.baud { wire?.changeSpeed(to: baud) }
    flow = WireFlow(wire, of: definition)
    noteState()
  }
}

extension Pipeline {
  /// How the device pairs now; nil: as the system is set up.
  var pairing: PairingPolicy? { engine.pairing }

  var centrals: [Central] { engine.connectedCentrals }

  func value(of attribute: AttributeReference) -> [UInt8] { engine.value(of: attribute) }

  /// What the engine has asked to advertise; nil: nothing.
  var advertisement: Advertisement? { engine.currentAdvertisement }

  /// What the other end of a stream sends for a message.
  func codedByPeer(_ message: [UInt8], for endpoint: Endpoint) throws -> [UInt8] {
    try engine.codedByPeer(message, for: endpoint)
  }

  /// What the other end of a stream takes from a value.
  func decodedByPeer(value: [UInt8], from endpoint: Endpoint) throws -> [UInt8] {
    try engine.decodedByPeer(value: value, from: endpoint)
  }

  /// What the other end of a stream takes from a frame.
  func decodedByPeer(frame: [UInt8], from endpoint: Endpoint) throws -> [UInt8] {
    try engine.decodedByPeer(frame: frame, from: endpoint)
  }

  /// What expressions about the device see now, between two events.
  var context: EvaluationContext {
    var engine = engine
    for central in engine.connectedCentrals {
      engine.note(mtu: transport.mtu(of: central), isEncrypted: transport.isEncrypted(central), of: central)
    }
    return engine.context(at: scheduler.now)
  }
}

// MARK: Input

extension Pipeline {
  /// Takes an event.
  ///
  /// - Parameter respond: called once with the response to a request.
  package func receive(_ event: Event, respond: Responder? = nil) { enter(.event(event, respond)) }

  package func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    enter(.congestion(isCongested, of: characteristic))
  }

  private func enter(_ occurrence: Occurrence) {
    guard !isBusy else { return waiting.append(occurrence) }
    isBusy = true
    handle(occurrence)
    while let next = waiting.popFirst() { handle(next) }
    waiting = []  // an empty slice would keep its memory
    isBusy = false
    flow.open()
  }

  private func handle(_ occurrence: Occurrence) {
    switch occurrence {
    case .event(let event, let respond): handle(event, respond)
    case .congestion(let isCongested, let characteristic):
      flow.congestionChanged(isCongested, of: characteristic)
    case .timer(let identifier, let timer):
      guard timers[identifier] === timer else { return }  // stopped or restarted in the meantime
      timers[identifier] = nil
      handle(.timerFired(identifier), nil)
    }
  }

  private func handle(_ event: Event, _ respond: Responder?) {
    if !definition.linkValues.isEmpty { noteLinks(before: event) }
    let outcome = engine.handle(event, at: scheduler.now)
    report(event, outcome.response)
    if let settings = outcome.settings { keep(settings) }
    if let response = outcome.response { respond?(response) }
    for action in outcome.actions { perform(action) }
    if definition.link.multipleNotifications { transport.sendJoinedValues() }
    note(event, outcome.response)
    if notedState != engine.state { noteState() }
  }

  /// Tells the transport the state of the device.
  private func noteState() {
    notedState = engine.state
    guard !definition.states.isEmpty else { return }
    transport.noteState(definition.states[notedState])
  }

  /// Gives the engine what its expressions ask for of the links.
  private func noteLinks(before event: Event) {
    var centrals = engine.connectedCentrals
    if case .connected(let central, _) = event { centrals.append(central) }
    for central in centrals {
      let isEncrypted = definition.linkValues.contains(.encrypted) ? transport.isEncrypted(central) : nil
      engine.note(mtu: transport.mtu(of: central), isEncrypted: isEncrypted, of: central)
    }
  }

  /// Counts an event, and opens the wire side for subscribers after the actions of their subscription.
  private func note(_ event: Event, _ response: Response?) {
    switch event {
    case .connected: totals.centrals += 1
    case .writeRequested: totals.valuesIn += 1
    case .configuring(_, let characteristic, _, let old, let new, _):
      guard response?.error == nil, (old == nil) != (new == nil) else { return }
      if new == nil { noteEnd(of: characteristic) } else { flow.subscribed(to: characteristic) }
    case .subscribed(_, let characteristic, _): flow.subscribed(to: characteristic)
    case .unsubscribed(_, let characteristic): noteEnd(of: characteristic)
    case .intervention(.respond(let event, let response, _, _)): note(event, response)
    case .intervention(.take), .intervention(.pass), .started, .disconnected, .confirmed, .serviceChanged,
      .readRequested, .writeChecked, .wireReceived,
      .timerFired, .restarted, .paired, .bonded, .pairingFailed, .encrypted, .passkeyShown, .controlled:
      break
    }
  }
}

extension Pipeline {
  private func noteEnd(of characteristic: Int) {
    let dropped = flow.unsubscribed(from: characteristic)
    guard dropped > 0 else { return }
    warn("wire side: dropped \(dropped) bytes for the last central, which has disconnected")
  }
}

// MARK: Output

extension Pipeline {
  private func perform(_ action: Action) {
    switch action {
    case .notify(let characteristic, let value, let message, let central):
      let recipients = central.map(Recipients.subscriber) ?? .subscribers
      send(value, from: characteristic, to: recipients, message.map { definition.messages[$0].name })
    case .writeToWire(let bytes, let message):
      writeToWire(bytes, message.map { definition.messages[$0].name })
    case .setBaud(let baud): wire?.changeSpeed(to: baud)
    case .startTimer(let identifier, let instant): startTimer(identifier, at: instant)
    case .stopTimer(let identifier): timers[identifier] = nil
    case .serve(let table): serve(table)
    case .advertise(let advertisement): transport.advertise(advertisement)
    case .pair(let policy): transport.pair(policy)
    case .disconnect(let central, let reason): disconnect(central, reason)
    case .ask(let key, let frame): onWantedFrame?(key, frame)
    case .remark(let remark): report(TrafficEvent.Kind(remark, in: names))
    }
  }

  private func send(
    _ value: [UInt8], from characteristic: Int, to recipients: Recipients, _ message: String?
  ) {
    let id = definition.characteristics[characteristic].id
    var pieceCount = 0
    sender.send(value, from: characteristic, to: recipients) { piece, fate in
      pieceCount += 1
      switch fate {
      case .sent(.notified):
        totals.valuesOut += 1
        report(.notify(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .sent(.indicated):
        totals.valuesOut += 1
        report(.indicate(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .tooLong(let limit):
        totals.valuesLost += 1
        report(.warning("not sent: a value has at most \(limit) bytes here", attribute: id, Array(piece)))
      case .sent(let outcome):
        totals.valuesLost += 1
        let reason = lossReason(of: characteristic, outcome)
        report(.warning("not sent: \(reason)", attribute: id, Array(piece)))
      }
    }
    if pieceCount > 1, takesFrames, definition.characteristics[characteristic].coding == nil {
      report(.frame(nil, id, value, message: message, isSent: true))
    }
  }

  /// The values of the same event leave first.
  private func disconnect(_ central: Central?, _ reason: HCIError) {
    transport.sendJoinedValues()
    transport.disconnect(central, reason)
  }

  private func lossReason(of characteristic: Int, _ outcome: SendOutcome) -> String {
    switch outcome {
    case .outOfSync:
      "the central does not know that the attributes have changed; it gets values once it has confirmed "
        + "Service Changed, or has read the Database Hash and sent another request"
    case .notAddressable: "this transport cannot send to a single central"
    default:
      table.contains(characteristic)
        ? "no central has subscribed" : "the device does not have this characteristic now"
    }
  }

  private func serve(_ table: AttributeTable) {
    self.table = table
    transport.serve(table)
  }

  private func writeToWire(_ bytes: [UInt8], _ message: String?) {
    wire?.write(bytes)
    report(.wireOut(bytes, message: message))
    wireTookBytes()
  }

  /// Makes centrals wait while the wire side has fallen behind.
  package func wireTookBytes() {
    if let isBehind = flow.backlogChange() { transport.holdResponses(isBehind) }
  }

  private func startTimer(_ identifier: TimerIdentifier, at instant: Instant) {
    timers[identifier] = scheduler.schedule(at: instant) { [weak self] in
      guard let self, let timer = timers[identifier] else { return }
      // Bytes that arrived before the deadline may still wait here. They end the silence and restart the timer.
      wire?.catchUp()
      enter(.timer(identifier, timer))
    }
  }

  private func keep(_ settings: [Value]) {
    if let problem = memory?.keep(settings) { warn(problem) }
  }

  private func report(_ event: Event, _ response: Response?) {
    guard !sinks.isEmpty, let kind = TrafficEvent.Kind(event, response, in: names) else { return }
    report(kind)
  }

  /// Passes traffic to the sinks.
  package func report(_ kind: @autoclosure () -> TrafficEvent.Kind) {
    guard !sinks.isEmpty else { return }
    let event = TrafficEvent(time: scheduler.now, kind: kind())
    for sink in sinks { sink.take(event) }
  }

  private func warn(_ problem: String) { report(.warning(problem, attribute: nil, [])) }
}

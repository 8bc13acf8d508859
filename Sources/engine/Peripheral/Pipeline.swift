import Behavior
import Bluetooth
import DeviceModel
import EventLoop

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
  let transport: any Transport
  let sender: ValueSender
  let wire: WireFlow
  let memory: (any SettingsMemory)?
  let scheduler: any Scheduler
  let sinks: [any TrafficSink]
  let takesFrames: Bool
  let names: TrafficNames
  /// The occurrences that wait for the current one to finish.
  var waiting: ArraySlice<Occurrence> = []
  var isBusy = false
  var timers: [TimerIdentifier: AnyObject] = [:]
  /// The state that the transport knows, by index.
  var toldState = 0
  /// The addresses that the log has, by the name of the set.
  var toldAddresses: [String: SetAddress] = [:]
  var totals = TrafficEvent.Totals()
  /// Whether the values of the present event left the device; nil: there were none since somebody asked.
  var sendResult: SendResult?
  /// The device as the GATT client of centrals that it has asked for something.
  var clients: [Central: DeviceClient] = [:]
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
    sender = ValueSender(definition: definition, transport: transport)
    self.wire = WireFlow(wire, of: definition, baud: engine.baud)
    takesFrames = sinks.contains(where: \.takesFrames)
    names = TrafficNames(definition)
    tellState()
    noteAddresses()
  }

  /// Takes an event.
  ///
  /// - Parameter respond: called once with the response to a request.
  func receive(_ event: Event, respond: Responder? = nil) { enter(.event(event, respond)) }

  func handle(_ event: Event, _ respond: Responder?) {
    if !definition.linkValues.isEmpty { noteLinks(before: event) }
    let outcome = engine.handle(event, at: scheduler.now)
    if !outcome.isAwaited(for: event) { report(event, outcome.response) }
    if let settings = outcome.settings { keep(settings) }
    if let response = outcome.response { respond?(response) }
    for action in outcome.actions { perform(action, outcome.response == nil ? respond : nil) }
    if definition.link.multipleNotifications { transport.sendJoinedValues() }
    if !outcome.isAwaited(for: event) { count(event, outcome.response) }
    if case .disconnected(let central, _) = event { clients[central] = nil }
    if engine.state != toldState { tellState() }
  }

  /// - Parameter respond: takes the response to the present event, if it has none yet.
  private func perform(_ action: Action, _ respond: Responder?) {
    switch action {
    case .notify(let characteristic, let value, let message, let central):
      send(value, from: characteristic, to: central.map(Recipients.subscriber) ?? .subscribers, message)
    case .transmit(let channel, let bytes, let message, let central):
      transmit(bytes, in: channel, to: central, message)
    case .close(let channel, let central): transport.close(channel: channel, of: central)
    case .request(let request, let central): self.request(request, of: central)
    case .writeToWire(let bytes, let message): writeToWire(bytes, message)
    case .setBaud(let baud): wire.changeSpeed(to: baud)
    case .startTimer(let timer, let instant): startTimer(timer, at: instant)
    case .stopTimer(let timer): timers[timer] = nil
    case .serve(let table): transport.serve(table)
    case .advertise(let advertisement): advertise(advertisement)
    case .pair(let policy): transport.pair(policy)
    case .disconnect(let central, let reason): disconnect(central, reason)
    case .forget(let central): transport.forget(central)
    case .ask(let stream, let frame): onWantedFrame?(stream, frame)
    case .relay(let events): relay(events, respond)
    case .remark(let remark): tell(remark)
    }
  }
}

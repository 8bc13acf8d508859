import Behavior
import Bluetooth
import Definitions
import EventLoop
import Framing

/// The path of a byte through a device, on one thread and without a pause:
///
///     central's write → transport → engine (framer → rules) → actions → chunker → transport → central
///                                      ↑                         ↘
///                                 wire side, timers            wire side
///
/// It performs what the engine decides and decides nothing itself.
@EventLoop
package final class Pipeline {
  /// Bytes for the serial side that may wait before centrals do, where they can be made to.
  static let backlogLimit = 1 << 16

  package let definition: PeripheralDefinition
  private var engine: Engine
  /// What the transport serves.
  private(set) var table: AttributeTable
  private let transport: any Transport
  private let wire: (any WireAttachment)?
  private let memory: (any SettingsMemory)?
  private let scheduler: any Scheduler
  private let sinks: [any TrafficSink]
  private var timers: [TimerIdentifier: AnyObject] = [:]
  private var subscriptions: Subscriptions
  private var congested: Set<Int> = []
  private var isWireBehind = false
  /// What has happened while actions are performed, by those.
  private var deferred: [Event] = []
  private var isPerforming = false
  var totals = TrafficEvent.Totals()

  package init(
    _ definition: PeripheralDefinition, engine: Engine, transport: any Transport, wire: (any WireAttachment)?,
    memory: (any SettingsMemory)?, scheduler: any Scheduler, sinks: [any TrafficSink]
  ) {
    self.definition = definition
    self.engine = engine
    table = engine.table
    self.transport = transport
    self.wire = wire
    self.memory = memory
    self.scheduler = scheduler
    self.sinks = sinks
    subscriptions = Subscriptions(count: definition.characteristics.count)
    if let baud = engine.baud { wire?.changeSpeed(to: baud) }
    updateWire()
  }

  /// Takes one event through the engine and performs what it decides.
  package func receive(_ event: Event) -> Response {
    guard !isPerforming else {
      deferred.append(event)
      return .accepted
    }
    let actions = engine.handle(event, at: scheduler.now)
    let response = response(in: actions)
    keepAccount(of: event)
    report(event, response)
    if case .unsubscribed = event { dropUnheard() }
    perform(actions)
    return response
  }

  /// Performs what the engine decided. What that makes happen at once, such as a central's going, comes behind.
  private func perform(_ actions: [Action]) {
    isPerforming = true
    for action in actions { perform(action) }
    isPerforming = false
    while !deferred.isEmpty { _ = receive(deferred.removeFirst()) }
  }

  /// Counts, and knows who has subscribed: on that depends whether the wire side is read.
  private func keepAccount(of event: Event) {
    switch event {
    case .connected: totals.centrals += 1
    case .subscribed(_, let characteristic):
      subscriptions.add(characteristic)
      updateWire()
    case .unsubscribed(_, let characteristic):
      subscriptions.remove(characteristic)
      updateWire()
    case .writeRequested: totals.valuesIn += 1
    case .started, .disconnected, .readRequested, .wireReceived, .timerFired: break
    }
  }

  private func response(in actions: [Action]) -> Response {
    for action in actions {
      switch action {
      case .respond(let value): return .value(value)
      case .refuse(let error): return .refused(error)
      default: continue
      }
    }
    return .accepted
  }

  private func perform(_ action: Action) {
    switch action {
    case .respond, .refuse: break  // the response, which is returned
    case .notify(let characteristic, let value): send(value, from: characteristic)
    case .writeToWire(let bytes): writeToWire(bytes)
    case .setBaud(let baud): wire?.changeSpeed(to: baud)
    case .startTimer(let identifier, let instant): startTimer(identifier, at: instant)
    case .stopTimer(let identifier): timers[identifier] = nil
    case .serve(let table): serve(table)
    case .advertise(let advertisement): transport.advertise(advertisement)
    case .disconnect(let central): transport.disconnect(central)
    case .keepSettings(let settings): keep(settings)
    case .remark(let remark): report(remark)
    }
  }
}

// MARK: Out to the air

extension Pipeline {
  /// Cuts a value for the link, and for the device's own MTU, whichever is less, and sends the pieces.
  private func send(_ value: [UInt8], from characteristic: Int) {
    let longest = CharacteristicDefinition.maximumValueSize
    let limit = min(
      transport.maximumValue(of: characteristic) ?? longest, definition.link.maximumValue ?? longest, longest)
    for piece in Chunker(value, size: max(1, limit)) { send(piece: piece, from: characteristic) }
  }

  private func send(piece: ArraySlice<UInt8>, from characteristic: Int) {
    let id = definition.characteristics[characteristic].id
    switch transport.send(piece, from: characteristic) {
    case .notified:
      totals.valuesOut += 1
      report(.notify(id, Array(piece)))
    case .indicated:
      totals.valuesOut += 1
      report(.indicate(id, Array(piece)))
    case .nobodySubscribed:
      totals.valuesLost += 1
      let reason =
        table.contains(characteristic) ? "no central has subscribed" : "the device does not have it now"
      report(.warning("not sent: \(reason)", attribute: id, Array(piece)))
    }
  }

  private func serve(_ table: AttributeTable) {
    self.table = table
    transport.serve(table)
  }

  package func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    if isCongested { congested.insert(characteristic) } else { congested.remove(characteristic) }
    updateWire()
  }
}

// MARK: The wire side

extension Pipeline {
  /// - Parameter times: when a line brought the first of the bytes and the last; nil: now.
  package func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>? = nil) {
    report(.wireIn(bytes))
    perform(engine.handle(.wireReceived(bytes, during: times), at: scheduler.now))
  }

  private func writeToWire(_ bytes: [UInt8]) {
    wire?.write(bytes)
    report(.wireOut(bytes))
    updateBacklog()
  }

  package func wireTookBytes() { updateBacklog() }

  /// Centrals that wait for answers wait until the serial side has taken most of what they wrote.
  private func updateBacklog() {
    let isBehind = (wire?.backlog ?? 0) > Self.backlogLimit
    guard isBehind != isWireBehind else { return }
    isWireBehind = isBehind
    transport.holdResponses(isBehind)
  }

  /// Bytes of the wire side wait there until somebody can get them, so that none is lost; unless rules say what
  /// becomes of them.
  private func updateWire() {
    let isFree = definition.wire.bridge.map { !congested.contains($0.outlet) } ?? true
    let hasReader = definition.wire.bridge.map { subscriptions.hasSubscribers($0.outlet) } ?? true
    wire?.isReading = isFree && (hasReader || definition.readsWire)
  }

  /// What came in for centrals that have left is not for the next one. What comes from now on waits for it.
  private func dropUnheard() {
    guard let outlet = definition.wire.bridge?.outlet, !subscriptions.hasSubscribers(outlet),
      !definition.readsWire, let count = wire?.discard(), count > 0
    else { return }
    report(
      .warning(
        "wire side: the last central has gone, and with it \(count) bytes that were on their way",
        attribute: nil, []))
  }
}

// MARK: Timers

extension Pipeline {
  private func startTimer(_ identifier: TimerIdentifier, at instant: Instant) {
    timers[identifier] = scheduler.schedule(at: instant) { [weak self] in
      guard let self, let own = timers[identifier] else { return }
      // A silence on the line is none while bytes that came before its end wait here; they may set the timer anew.
      wire?.catchUp()
      guard timers[identifier] === own else { return }
      timers[identifier] = nil
      _ = receive(.timerFired(identifier))
    }
  }
}

// MARK: What is kept

extension Pipeline {
  private func keep(_ settings: [Value]) {
    if let problem = memory?.keep(settings) { report(.warning(problem, attribute: nil, [])) }
  }
}

// MARK: What is shown

extension Pipeline {
  package func report(_ kind: TrafficEvent.Kind) {
    let event = TrafficEvent(time: scheduler.now, kind: kind)
    for sink in sinks { sink.take(event) }
  }

  private func report(_ event: Event, _ response: Response) {
    switch event {
    case .connected(let central): report(.connected(central))
    case .disconnected(let central): report(.disconnected(central))
    case .subscribed(let central, let characteristic):
      report(.subscribed(central, definition.characteristics[characteristic].id))
    case .unsubscribed(let central, let characteristic):
      report(.unsubscribed(central, definition.characteristics[characteristic].id))
    case .readRequested(let central, let attribute, _):
      report(.read(central, definition.name(of: attribute), response.value, refused: response.error))
    case .writeRequested(let central, let attribute, let value, _, let kind):
      report(.write(central, definition.name(of: attribute), value, kind, refused: response.error))
    case .started, .wireReceived, .timerFired: break
    }
  }

  private func report(_ remark: Remark) {
    switch remark {
    case .discarded(let port, let bytes, let reason):
      report(.warning("no frame: \(reason)", attribute: definition.name(of: port), bytes))
    case .tooMuchHeld(let port, let bytes, let limit):
      report(
        .warning("discarded: \(limit) bytes are waiting already", attribute: definition.name(of: port), bytes)
      )
    case .unexpected(let port, let frame):
      report(.warning("no rule takes this frame", attribute: definition.name(of: port), frame))
    case .ruleFailed(let line, let file, let reason):
      let place = file.map { " of \($0)" } ?? ""
      report(.warning("the rule in line \(line)\(place) failed: \(reason)", attribute: nil, []))
    case .logged(let text): report(.log(text))
    }
  }
}

extension Response {
  fileprivate var value: [UInt8] {
    if case .value(let bytes) = self { bytes } else { [] }
  }

  fileprivate var error: ATTError? {
    if case .refused(let error) = self { error } else { nil }
  }
}

extension PeripheralDefinition {
  /// How an attribute is called in the log: `serial`, or `serial/2901` for a descriptor.
  package func name(of attribute: AttributeReference) -> String {
    switch attribute {
    case .characteristic(let index): characteristics[index].id
    case .descriptor(let index, let characteristic):
      "\(characteristics[characteristic].id)/\(characteristics[characteristic].descriptors[index].uuid)"
    }
  }
}

import Bluetooth
import DefinitionWriter
import Definitions
import DeviceModel
import Framing

@testable import Behavior

/// An engine with centrals and a clock. Checks its guarantees after each event.
struct EngineHarness {
  private let definition: PeripheralDefinition
  private var engine: Engine
  private var now = Instant()
  private var timers: [TimerIdentifier: Instant] = [:]
  /// The requests without a response, which rules place.
  private var placed: Set<Int> = []
  private var connected: Set<Int> = []
  private var subscriptions: Set<[Int]> = []
  /// The number of timers that may still fire. A device with a timer of 1 ms would never end.
  private var timersLeft = 2000

  init(_ definition: PeripheralDefinition, seed: UInt64 = 0) throws {
    self.definition = definition
    engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: Self.central(9),
      options: EngineOptions(seed: seed))
    try handle(.started)
  }

  mutating func take(_ stimulus: Stimulus) throws {
    switch stimulus {
    case .connects(let central):
      try disconnect(central)
      connected.insert(central)
      try handle(.connected(Self.central(central)))
    case .disconnects(let central): try disconnect(central)
    case .subscribes(let central, let index):
      guard definition.characteristics[index].canNotify, connected.contains(central),
        subscriptions.insert([central, index]).inserted
      else { return }
      try handle(.subscribed(Self.central(central), characteristic: index))
    case .unsubscribes(let central, let index): try unsubscribe(central, index)
    case .reads(let central, let attribute, let offset):
      try handle(.readRequested(name(of: central), attribute, offset: offset))
    case .writes(let central, let attribute, let bytes, let offset):
      try handle(.writeRequested(name(of: central), attribute, value: bytes, offset: offset, nil))
    case .wire(let bytes): try handle(.wireReceived(bytes))
    case .passes(let milliseconds): try pass(milliseconds)
    }
  }

  private static func central(_ number: Int) -> Central {
    DeviceAddress([0xC0, 0, 0, 0, 0, UInt8(number)])!
  }

  /// nil for one that has not connected: BlueZ does not always report the central.
  private func name(of central: Int) -> Central? {
    connected.contains(central) ? Self.central(central) : nil
  }

  private mutating func unsubscribe(_ central: Int, _ index: Int) throws {
    guard subscriptions.remove([central, index]) != nil else { return }
    try handle(.unsubscribed(Self.central(central), characteristic: index))
  }

  private mutating func disconnect(_ central: Int) throws {
    for index in definition.characteristics.indices { try unsubscribe(central, index) }
    guard connected.remove(central) != nil else { return }
    try handle(.disconnected(Self.central(central)))
  }

  private mutating func pass(_ milliseconds: Int64) throws {
    let end = now.advanced(by: .milliseconds(milliseconds))
    while timersLeft > 0, let (timer, due) = timers.min(by: { $0.value < $1.value }), due <= end {
      timersLeft -= 1
      timers[timer] = nil
      now = max(now, due)
      try handle(.timerFired(timer))
    }
    now = end
  }
}

// MARK: Guarantees

extension EngineHarness {
  private mutating func handle(_ event: Event) throws {
    let outcome = engine.handle(event, at: now)
    try check(outcome.response, to: event)
    if let request = outcome.request { placed.insert(request) }
    if let settings = outcome.settings { try check(kept: settings) }
    var leaving: Set<Int> = []
    for action in outcome.actions { try perform(action, &leaving) }
    for central in leaving.sorted() { try disconnect(central) }
    try checkBounds()
  }

  private func check(_ response: Response?, to event: Event) throws {
    switch (event, response) {
    case (.readRequested, .value(let value)):
      try guarantee(
        value.count <= CharacteristicDefinition.maximumValueSize,
        "the response to a read has \(value.count) bytes")
    case (.readRequested, .refused), (.writeRequested, .accepted), (.writeRequested, .refused): break
    case (.readRequested, _), (.writeRequested, _), (_, .some):
      try guarantee(false, "the response to \(event) is \(String(describing: response))")
    case (_, nil): break
    }
  }

  /// - Parameter leaving: receives the centrals to disconnect.
  private mutating func perform(_ action: Action, _ leaving: inout Set<Int>) throws {
    switch action {
    case .respond(_, let request):
      try guarantee(placed.remove(request) != nil, "a second response to request \(request)")
    case .startTimer(let timer, let due):
      try guarantee(due >= now, "a timer starts in the past")
      timers[timer] = due
    case .stopTimer(let timer): timers[timer] = nil
    case .disconnect(let central, _):
      leaving.formUnion(connected.filter { central == nil || central == Self.central($0) })
    case .notify(let index, _, _, _):
      try guarantee(
        definition.characteristics[index].canNotify,
        "a characteristic without notify or indicate sends a value")
    case .serve(let table, _): try guarantee(!table.services.isEmpty, "the device has no services")
    case .transmit(let index, _, _, _), .close(let index, _):
      try guarantee(definition.channels.indices.contains(index), "there is no channel \(index)")
    case .request(let request, _): try check(request)
    case .sendPDU, .askLink, .writeToWire, .setBaud, .advertise, .pair, .forget, .forgetOldest, .ask, .relay,
      .remark:
      break
    }
  }

  private func check(_ request: ClientRequest) throws {
    switch request {
    case .discover: break
    case .subscribe(let index), .read(let index), .write(let index, _, _):
      try guarantee(definition.sought.indices.contains(index), "the device does not seek \(index)")
    }
  }

  /// Checks that kept settings can be read again.
  private func check(kept settings: [Value]) throws {
    let text = KeptSettings.text(of: settings, for: definition)
    guard text.utf8.count <= YAMLParser.maximumSize else { return }
    let read = KeptSettings.parse(SourceText(name: "state.yaml", text: text), for: definition).map(\.values)
    guard case .success(let values) = read else {
      return try guarantee(false, "kept settings cannot be read: \(text)")
    }
    for (index, value) in values {
      try guarantee(value == settings[index], "\(settings[index]) is not \(value)")
    }
  }

  private func checkBounds() throws {
    let streams =
      (connected.count + 1)
      * (definition.characteristics.count + definition.channels.count + definition.sought.count
        + definition.layers.count) + 1
    let framers = engine.streams.places.joined().count
    try guarantee(framers <= streams, "there are \(framers) framers")
    let running = engine.timers.entries.joined().count { $0.due != nil }
    try guarantee(
      running <= definition.timers.count * (connected.count + 1), "there are \(running) timers")
    let awaited = Set(engine.waits.rules.values.compactMap(\.activation.request))
    try guarantee(placed.isSubset(of: awaited), "no rule responds to \(placed.subtracting(awaited))")
    try guarantee(engine.waits.rules.count <= WaitingRules.most, "\(engine.waits.rules.count) rules wait")
    let periods = timers.keys.count { if case .advertisement = $0 { true } else { false } }
    let known = running + engine.waits.rules.count + framers + periods
    try guarantee(timers.count <= known, "\(timers.count) timers run, but the engine knows \(known)")
    for held in engine.held.places.values {
      let size = held.frames.reduce(0) { $0 + $1.output.bytes.count }
      try guarantee(size <= HeldFrames.mostBytes, "\(size) bytes are held")
      try guarantee(held.frames.count <= HeldFrames.mostBytes, "\(held.frames.count) frames are held")
    }
    for value in engine.attributes.values {
      try guarantee(value.count <= 512, "an attribute has \(value.count) bytes")
    }
  }

  /// Checks at the end that no framer keeps more bytes than a frame may have.
  func checkFramers() throws {
    for stream in engine.streams.places.joined() {
      var framer = stream.framer
      let kept = framer.finish().reduce(0) { $0 + $1.size }
      let most = definition.framing(of: stream.key.endpoint)?.maxLength ?? 0
      try guarantee(kept <= most, "the framer of \(stream.key.endpoint) keeps \(kept) bytes")
    }
  }
}

extension FramerOutput {
  fileprivate var size: Int {
    switch self {
    case .frame(let bytes), .discarded(let bytes, _): bytes.count
    }
  }
}

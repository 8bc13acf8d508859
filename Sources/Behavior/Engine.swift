import Bluetooth
import DeviceModel
import Framing

/// A device's behaviour: events in, outcomes out.
///
/// It has no clock and no source of randomness, and does no IO: the caller gives it the time and a seed. The same
/// engine runs on BlueZ, in memory and in tests, and gives the same answers.
package struct Engine: Sendable {
  /// The most steps that one event or frame may cause without time passing.
  static let mostSteps = 10_000
  /// The most work for one event: the steps of rules, the evaluated conditions, and the templates tried on frames.
  static let mostWork = 100_000
  /// The most bytes that one event may produce for centrals, the wire side and the log.
  static let mostOutput = 1 << 22
  /// The most rules that can wait at once.
  static let mostWaiting = 256
  /// The most bytes that can be held at one place.
  static let mostHeld = 4096

  let definition: PeripheralDefinition
  let lookup: RuleLookup
  /// The limits of the device's transport.
  let limits: any TransportLimits
  let options: EngineOptions
  /// nil: the transport does not tell of handles.
  private let layout: HandleLayout?

  var context: EvaluationContext
  /// The attributes of the device since its start or last reset.
  package internal(set) var table: AttributeTable
  /// The value of each characteristic.
  var values: [[UInt8]]
  var descriptorValues: [[[UInt8]]]
  var framers: [StreamKey: Framer] = [:]
  var held: [Endpoint: HeldFrames] = [:]
  /// nil: nobody wants frames before the rules.
  var awaited: AwaitedFrames?
  var timers: [Int: RunningTimer] = [:]
  /// When each timer has last fired.
  var lastFirings: [Int: Instant] = [:]
  /// Waiting rules, by the number of the wait.
  var waiting: [Int: Activation] = [:]
  var waitCount = 0
  var generators: GeneratorValues
  var centralVariables: CentralVariables
  /// The present state, by index in ``PeripheralDefinition/states``.
  package internal(set) var state = 0
  var centrals: [Central] = []
  /// The subscribers of each characteristic; nil: a central that the transport could not identify.
  var subscribers: [[Central?]]
  /// Connected centrals beyond the limit, which are being disconnected.
  var turnedAway: Set<Central> = []
  /// Whether the rules want advertising.
  var wantsAdvertising = true
  /// Whether the engine has asked for advertising.
  var isAdvertising = true
  /// The advertisement that it has asked for last.
  var advertised: Advertisement?
  /// The speed of the wire side, bits per second; nil: unlimited.
  package internal(set) var baud: Int?
  /// How the device pairs; nil: as the system is set up.
  package private(set) var pairing: PairingPolicy?

  // While an event is handled:
  var now = Instant()
  /// When the device started.
  var origin: Instant?
  /// When it started or was last reset.
  var beginning: Instant?
  var stepsLeft = 0
  var workLeft = 0
  var outputLeft = 0
  var response: Response?
  var actions: [Action] = []
  /// The consequences of rules, which are handled after them.
  var consequences = Consequences()
  /// How many have been handled since rules last got new steps, and where in the actions those of a loop begin.
  var consequenceCount = 0
  var loopStart: Int?
  var isSettling = false
  /// Whether a read or write has not been answered yet.
  var awaitsAnswer = false
  package internal(set) var resetCount = 0
  /// Whether it has been reset in this event.
  var hasReset = false
  /// Whether settings have been set in this event.
  var hasSetSettings = false

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings; `restore-settings` goes back to these.
  ///   - kept: the settings that an earlier run has kept, if the device starts with them.
  ///   - address: the device's address.
  ///   - handles: the handles that the transport gives to attributes; nil: it does not tell.
  /// - Throws: ``EvaluationError`` or ``EncodingError`` if an initial value has no bytes, ``BaudError``,
  ///   ``AttributeTableError``.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], kept: [Value]? = nil, address: DeviceAddress,
    limits: any TransportLimits = NoLimits(), handles: HandleLayout? = nil,
    options: EngineOptions = EngineOptions()
  ) throws {
    self.definition = definition
    self.limits = limits
    self.options = options
    layout = handles
    lookup = RuleLookup(definition)
    centralVariables = CentralVariables(definition)
    generators = GeneratorValues(definition.generators, seed: options.seed)
    context = definition.context(settings: kept ?? settings, address: address)
    context.random = RandomSource(seed: options.seed)
    context.unixTime = options.unixTime
    generators.update(&context.generators, at: 0, tables: definition.tables)
    table = try definition.attributes(in: context)
    initialSettings = settings
    context.handle = Self.handles(layout, of: table, in: definition)
    subscribers = Array(repeating: [], count: definition.characteristics.count)
    (values, descriptorValues) = try definition.initialValues(in: context)
    baud = try definition.wire.baud(in: context)
    pairing = try definition.pairing(in: context)
    advertised = try advertisement()
  }

  private static func handles(
    _ layout: HandleLayout?, of table: AttributeTable, in definition: PeripheralDefinition
  ) -> @Sendable (HandleOwner) -> AttributeHandle {
    guard definition.transportValues.contains(.handle), let handles = layout?(definition, table) else {
      return { _ in 0 }
    }
    return { handles[$0] ?? 0 }
  }

  mutating func updateHandles() { context.handle = Self.handles(layout, of: table, in: definition) }

  /// The settings at the start, which `restore-settings` restores.
  let initialSettings: [Value]

  /// Handles one event and returns its outcome.
  package mutating func handle(_ event: Event, at now: Instant) -> Outcome {
    begin(at: now)
    switch event {
    case .started: start()
    case .connected(let central, _): connect(central)
    case .disconnected(let central, let reason): disconnect(central, reason)
    case .subscribed(let central, let characteristic, _): subscribe(central, to: characteristic)
    case .configuring(let central, let characteristic, let value, let old, let new, _):
      if admits(central) { configure(characteristic, value, from: old, to: new, by: central) }
    case .unsubscribed(let central, let characteristic): unsubscribe(central, from: characteristic)
    case .restarted:
      reset()
      settle()
    case .confirmed, .serviceChanged: break  // no rule waits for it
    case .readRequested(let central, let attribute, let offset):
      if admits(central) { read(attribute, offset, by: central) }
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      if admits(central) { write(value, to: attribute, offset, kind, by: central) }
    case .writeChecked(_, let attribute, let value, let offset, let size):
      let error = Self.error(writing: value.count, at: offset, of: max(size, self[attribute].count))
      response = error.map(Response.refused) ?? .accepted
    case .wireReceived(let bytes, let times): receive(bytes, on: StreamKey(endpoint: .wire), during: times)
    case .timerFired(.frameGap(let key)): expireFrame(key)
    case .timerFired(.rule(let timer)): fireTimer(timer)
    case .timerFired(.wait(let number)): resume(number)
    case .timerFired(.advertisement(let set)): refreshAdvertisement(of: set)
    case .paired(let central): fire(.paired, by: central)
    case .bonded(let central): fire(.bonded, by: central)
    case .pairingFailed(let central, _): fire(.pairingFailed, by: central)
    case .encrypted(let central, _): fire(.encrypted, by: central)
    case .passkeyShown: break
    case .controlled(let event): control(event)
    case .intervention(let intervention): intervene(intervention)
    }
    if hasSetSettings { updatePairing() }
    return takeOutcome()
  }

  /// Pairs as the present settings say.
  private mutating func updatePairing() {
    do {
      let new = try definition.pairing(in: context)
      guard new != pairing else { return }
      pairing = new
      actions.append(.pair(new))
    } catch {
      remark(.logged("the device pairs as before: \(error)"))
    }
  }

  /// Tells the log, if there is one.
  mutating func remark(_ remark: Remark) {
    if options.makesRemarks { actions.append(.remark(remark)) }
  }

  private mutating func takeOutcome() -> Outcome {
    defer { (response, actions) = (nil, []) }
    return Outcome(
      settings: hasSetSettings ? context.settings : nil, response: response, actions: actions)
  }

  /// What expressions about the device see between two events. The central is the one that has connected last.
  package func context(at now: Instant) -> EvaluationContext {
    var engine = self
    engine.begin(at: now)
    engine.context.event.central = centrals.last
    engine.centralVariables.select(centrals.last, in: &engine.context.variables)
    return engine.context
  }

  private mutating func begin(at now: Instant) {
    self.now = now
    renewSteps()
    workLeft = Self.mostWork
    outputLeft = Self.mostOutput
    context.effort.renew()
    awaitsAnswer = false
    hasReset = false
    hasSetSettings = false
    context.uptime = milliseconds(since: beginning)
    context.unixTime = options.unixTime + milliseconds(since: origin) / 1000
    generators.update(&context.generators, at: context.uptime, tables: definition.tables)
  }

  private func milliseconds(since instant: Instant?) -> Int64 {
    instant.map { max(0, $0.milliseconds(to: now)) } ?? 0
  }

  private mutating func start() {
    origin = now
    beginning = now
    scheduleRefreshes()
    fire(.started, by: nil)
  }
}

/// What the engine gets from its caller.
package struct EngineOptions: Hashable, Sendable {
  /// The seed of random values and walks.
  package var seed: UInt64
  /// The time at the device's start, seconds since 1970.
  package var unixTime: Int64
  /// Whether anybody reads remarks. Nothing else depends on it.
  package var makesRemarks = true
  /// Whether somebody wants to know of each frame. Nothing else depends on it.
  package var notesFrames = false

  /// By default the time is 2024-01-01 00:00:00 UTC.
  package init(seed: UInt64 = 0, unixTime: Int64 = 1_704_067_200) {
    self.seed = seed
    self.unixTime = unixTime
  }
}

extension PeripheralDefinition {
  /// The initial values of the characteristics and their descriptors.
  func initialValues(in context: EvaluationContext) throws -> ([[UInt8]], [[[UInt8]]]) {
    let limit = CharacteristicDefinition.maximumValueSize
    let values = try characteristics.map { try $0.value.render(in: context, limit: limit) }
    let descriptors = try characteristics.map {
      try $0.descriptors.map { try $0.value.render(in: context, limit: limit) }
    }
    return (values, descriptors)
  }
}

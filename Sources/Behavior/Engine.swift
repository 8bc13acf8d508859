import Bluetooth
import Definitions
import Framing

/// A device's behaviour: events in, actions out.
///
/// It has no clock, no chance and does no IO: it is told the time and given a seed. The same engine answers under
/// BlueZ, in memory and in tests, and gives the same answers.
package struct Engine: Sendable {
  /// Rules of one event do at most so much before time must pass.
  static let mostSteps = 10_000
  /// So many rules can wait at once.
  static let mostWaiting = 256
  /// Bytes that can be held at one place.
  static let mostHeld = 4096

  let definition: PeripheralDefinition
  let lookup: RuleLookup
  let options: EngineOptions

  var context: EvaluationContext
  /// What is read from each characteristic, and from each of its descriptors.
  var values: [[UInt8]]
  var descriptorValues: [[[UInt8]]]
  var framers: [StreamKey: Framer] = [:]
  var held: [Port: HeldFrames] = [:]
  var timers: [Int: RunningTimer] = [:]
  /// Rules that wait, by the number of their wait.
  var waiting: [Int: Activation] = [:]
  var waitCount = 0
  var generators: GeneratorValues
  /// The index of the present state.
  var state = 0
  var centrals: [Central] = []
  /// Connected, but one too many: they are being disconnected.
  var turnedAway: Set<Central> = []
  /// Whether the device wants to be found.
  var wantsAdvertising = true
  /// Whether it is advertising, as far as the engine has said.
  var isAdvertising = true

  // While an event is handled:
  var now = Instant()
  /// When the device started or was reset.
  var beginning: Instant?
  var stepsLeft = 0
  var actions: [Action] = []
  /// What the rules have caused, to be handled behind them.
  var consequences: [Consequence] = []
  /// Whether the read or write has had its answer.
  var isAnswered = false

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - address: the device's address.
  /// - Throws: ``EvaluationError`` or ``EncodingError`` when an initial value has no bytes.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], address: DeviceAddress,
    options: EngineOptions = EngineOptions()
  ) throws {
    self.definition = definition
    self.options = options
    lookup = RuleLookup(definition)
    generators = GeneratorValues(definition.generators, seed: options.seed)
    context = definition.context(settings: settings, address: address)
    context.random = RandomSource(seed: options.seed)
    context.unixTime = options.unixTime
    initialSettings = settings
    (values, descriptorValues) = try definition.initialValues(in: context)
  }

  /// What the settings were when the device was made.
  let initialSettings: [Value]

  /// Takes one event and says what is to be done, in order.
  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    begin(at: now)
    switch event {
    case .started: start()
    case .connected(let central): connect(central)
    case .disconnected(let central): disconnect(central)
    case .subscribed(let central, let characteristic):
      context.subscribers[characteristic] += 1
      fire(.subscribed(characteristic), by: central, on: .characteristic(characteristic))
    case .unsubscribed(let central, let characteristic):
      context.subscribers[characteristic] = max(0, context.subscribers[characteristic] - 1)
      fire(.unsubscribed(characteristic), by: central)
    case .readRequested(let central, let attribute, let offset): read(attribute, offset, by: central)
    case .writeRequested(let central, let attribute, let value, let offset, _):
      write(value, to: attribute, offset, by: central)
    case .wireReceived(let bytes): receive(bytes, on: StreamKey(port: .wire))
    case .timerFired(.frameGap(let key)): expireFrame(key)
    case .timerFired(.rule(let timer)): fireTimer(timer)
    case .timerFired(.wait(let number)): resume(number)
    }
    settle()
    defer { actions = [] }
    return actions
  }

  private mutating func begin(at now: Instant) {
    self.now = now
    stepsLeft = Self.mostSteps
    isAnswered = false
    let elapsed = beginning.map { $0.duration(to: now).wholeMilliseconds } ?? 0
    context.uptime = Int64(elapsed)
    context.unixTime = options.unixTime + Int64(elapsed) / 1000
    generators.update(&context.generators, at: Int64(elapsed), tables: definition.tables)
  }

  /// Handles what the rules have caused.
  private mutating func settle() {
    while !consequences.isEmpty {
      switch consequences.removeFirst() {
      case .started: fire(.started, by: nil)
      case .entered(let state): fire(.entered(state), by: nil)
      case .left(let state): fire(.left(state), by: nil)
      case .released(let port): releaseFrames(of: port)
      }
    }
  }

  private mutating func start() {
    beginning = now
    fire(.started, by: nil)
  }
}

/// What the engine is given because it has no clock and no chance.
package struct EngineOptions: Hashable, Sendable {
  /// What random values and walks depend on.
  package var seed: UInt64
  /// The time at the device's start, seconds since 1970.
  package var unixTime: Int64

  /// The time is 2024-01-01 00:00:00 UTC unless said.
  package init(seed: UInt64 = 0, unixTime: Int64 = 1_704_067_200) {
    self.seed = seed
    self.unixTime = unixTime
  }
}

/// What a rule has caused that other rules may wait for.
enum Consequence {
  case started
  case entered(Int)
  case left(Int)
  case released(Port)
}

/// A timer that a rule has started.
struct RunningTimer {
  var due: Instant
  /// Milliseconds; nil: once.
  var period: Int64?
}

extension PeripheralDefinition {
  /// What is read from each characteristic, and from each of its descriptors, at first.
  func initialValues(in context: EvaluationContext) throws -> ([[UInt8]], [[[UInt8]]]) {
    let values = try characteristics.map { try $0.value.render(in: context) }
    let descriptors = try characteristics.map { try $0.descriptors.map { try $0.value.render(in: context) } }
    return (values, descriptors)
  }
}

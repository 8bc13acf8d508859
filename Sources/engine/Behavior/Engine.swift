import Bluetooth
import DeviceModel
import Framing

/// A device's behaviour: events in, outcomes out.
///
/// It has no clock and no source of randomness, and does no IO: the caller gives it the time and a seed. The same
/// engine runs on BlueZ, in memory and in tests, and gives the same answers.
package struct Engine: Sendable {
  let definition: PeripheralDefinition
  let lookup: RuleLookup
  let program: RuleProgram
  /// The limits of the device's transport.
  let limits: any TransportLimits
  let options: EngineOptions
  let adapter: DeviceAddress
  /// nil: the transport does not show the handles.
  private let layout: HandleLayout?
  /// The settings at the start, which `restore-settings` restores.
  private let initialSettings: [Value]

  var context: EvaluationContext
  private var generators: GeneratorValues
  var centralVariables: CentralVariables
  /// The present state, by index in ``PeripheralDefinition/states``.
  package private(set) var state = 0
  /// The attributes of the device since its start or last reset.
  package private(set) var table: AttributeTable
  var attributes: AttributeValues
  var links: Links
  var streams: Streams
  var held = HeldFrames()
  var layerMessages = LayerMessages()
  /// Lets faults strike the values of layers; nil: there is no layer. It must not ask the engine anything.
  package var passLayer: (@Sendable (LayerValue) -> LayerPassage?)?
  var awaited = AwaitedFrames()
  var relayed = RelayedMessages()
  var timers: RuleTimers
  var waits = WaitingRules()
  var responses = PlacedResponses()
  var advertising: Advertising
  var live: LiveValues
  private var life = Life()
  /// The speed of the wire side, bits per second; nil: unlimited.
  package private(set) var baud: Int?
  /// How the device pairs; nil: as the system is set up.
  package private(set) var pairing: PairingPolicy?

  /// Begins anew with each event.
  var turn = Turn()
  /// Begins anew with each frame.
  var matcher = TemplateMatcher()

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings; `restore-settings` goes back to these.
  ///   - kept: the settings that an earlier run has kept, if the device starts with them.
  ///   - address: the adapter's address.
  ///   - basis: what the device's own addresses follow from; nil: it has the adapter's.
  ///   - handles: the handles that the transport gives to attributes; nil: it does not show them.
  /// - Throws: ``EvaluationError`` or ``EncodingError`` if an initial value has no bytes, ``BaudError``,
  ///   ``AttributeTableError``.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], kept: [Value]? = nil, address: DeviceAddress,
    basis: AddressBasis? = AddressBasis(), limits: any TransportLimits = NoLimits(),
    handles: HandleLayout? = nil,
    options: EngineOptions = EngineOptions()
  ) throws {
    self.definition = definition
    self.limits = limits
    self.options = options
    adapter = address
    layout = handles
    initialSettings = settings
    lookup = RuleLookup(definition)
    program = RuleProgram(definition)
    timers = RuleTimers(definition)
    streams = Streams(of: lookup)
    centralVariables = CentralVariables(definition)
    live = LiveValues(definition)
    generators = GeneratorValues(definition.generators, seed: options.seed)
    context = definition.context(settings: kept ?? settings, address: address)
    context.random = RandomSource(seed: options.seed)
    context.unixTime = options.unixTime
    generators.update(&context.generators, at: 0, tables: definition.tables)
    advertising = Advertising(
      basis.map { DeviceAddresses(of: definition.name, on: address, $0, seed: options.seed) },
      of: definition.advertisement)
    context.address = try advertising.address(definition.advertisement, in: context) ?? address.bytes
    table = try definition.attributes(in: context)
    context.handle = Self.handles(layout, of: table, in: definition)
    links = Links(of: definition)
    attributes = try AttributeValues(definition, in: context)
    baud = try definition.wire.baud(in: context)
    pairing = try definition.pairing(in: context)
    try prepareAdvertising()
  }

  private static func handles(
    _ layout: HandleLayout?, of table: AttributeTable, in definition: PeripheralDefinition
  ) -> @Sendable (HandleOwner) -> AttributeHandle {
    guard definition.transportValues.contains(.handle), let handles = layout?(definition, table) else {
      return { _ in 0 }
    }
    return { handles[$0] ?? 0 }
  }
}

// MARK: Events

extension Engine {
  /// Handles one event and returns its outcome.
  package mutating func handle(_ event: Event, at now: Instant) -> Outcome {
    var outcome = Outcome()
    handle(event, at: now, into: &outcome)
    return outcome
  }

  /// Handles one event and replaces an earlier outcome, whose memory it uses, by that of the event.
  package mutating func handle(_ event: Event, at now: Instant, into outcome: inout Outcome) {
    begin(at: now, reusing: &outcome)
    switch event {
    case .started: start()
    case .connected(let central, _): connect(central)
    case .disconnected(let central, let reason): disconnect(central, reason)
    case .linkChanged(let central, let change): changeLink(of: central, change)
    case .parametersRefused(let central, let refusal): fire(.parametersRefused, refusal.name, by: central)
    case .subscribed(let central, let characteristic, _):
      subscribe(central, to: characteristic)
      if definition.isRelayed { turn.actions.append(.relay([event])) }
    case .configuring(let central, let characteristic, let value, let old, let new, let kind):
      guard admits(central) else { break }
      configure(characteristic, value, from: old, to: new, kind, by: central)
      if definition.isRelayed, old != new, turn.response == .accepted { relay(event) }
    case .unsubscribed(let central, let characteristic):
      unsubscribe(central, from: characteristic)
      if definition.isRelayed { turn.actions.append(.relay([event])) }
    case .restarted:
      reset()
      settle()
    case .channelOpened(let central, let channel): openChannel(channel, by: central)
    case .channelClosed(let central, let channel, _): closeChannel(channel, by: central)
    case .channelReceived(let central, let channel, let bytes):
      if !links.turnedAway.contains(central) {
        receive(bytes, on: StreamKey(central: central, endpoint: .channel(channel)))
      }
    case .discovered(let central, let found): discover(found, at: central)
    case .soughtReceived(let central, let sought, let bytes, _):
      if links.centrals.contains(central) {
        receive(bytes, on: StreamKey(central: central, endpoint: .sought(sought)))
      }
    case .soughtRefused(let central, let sought, let error, _):
      if links.centrals.contains(central) { fire(.refused(sought), error.name, by: central) }
    case .confirmed, .serviceChanged: break  // no rule waits for it
    case .readRequested(let central, let attribute, let offset):
      if admits(central) { read(attribute, offset, by: central) }
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      if admits(central) { write(value, to: attribute, offset, kind, by: central) }
    case .writeChecked(_, let attribute, let value, let offset, let size):
      let error = Self.error(writing: value.count, at: offset, of: max(size, attributes[attribute].count))
      turn.respond(definition.isRelayed ? .accepted : error.map { .refused($0) } ?? .accepted)
    case .wireReceived(let bytes, let times): receive(bytes, on: StreamKey(endpoint: .wire), during: times)
    case .timerFired(.frameGap(let key)): expireFrame(key)
    case .timerFired(.rule(let timer)):
      if timers.fire(RuleTimers.Key(timer: timer, central: nil), in: &turn) { fire(.timer(timer), by: nil) }
    case .timerFired(.ruleOfCentral(let timer, let central)):
      if timers.fire(RuleTimers.Key(timer: timer, central: central), in: &turn) {
        fire(.timer(timer), by: central)
      }
    case .timerFired(.wait(let number)): resume(number)
    case .timerFired(.advertisement(let set)): refreshAdvertisement(of: set)
    case .timerFired(.address(let set)): changeAddress(of: set)
    case .identified(let central, let identity):
      context.links[central, default: LinkState()].identity = identity.address
    case .paired(let central): fire(.paired, by: central)
    case .bonded(let central): fire(.bonded, by: central)
    case .pairingFailed(let central, _): fire(.pairingFailed, by: central)
    case .encrypted(let central, _): fire(.encrypted, by: central)
    case .encryptionFailed(let central, let error): fire(.encryptionFailed, error.name, by: central)
    case .passkeyShown: break
    case .controlled(let event): control(event)
    case .intervention(let intervention): intervene(intervention)
    case .layerPassed(let value): passLate(value)
    }
    if definition.isRelayed { relayWrites(at: event) }
    if turn.hasSetSettings {
      updatePairing()
      followSettings()
    }
    if live.followsEvents { followValues() }
    turn.end(settings: turn.hasSetSettings ? context.settings : nil, in: &outcome)
  }

  private mutating func begin(at now: Instant, reusing outcome: inout Outcome) {
    turn.begin(at: now, reusing: &outcome)
    context.effort.renew()
    life.setTime(of: &context, to: now, startingAt: options.unixTime)
    generators.update(&context.generators, at: context.uptime, tables: definition.tables)
  }

  private mutating func start() {
    life.begin(at: turn.now)
    startAdvertising()
    fire(.started, by: nil)
  }

  mutating func enter(_ next: Int) {
    let (old, rules) = (state, definition.rules)
    endWaits { rules[$0.rule].isOver(leaving: old, for: next) }
    turn.consequences.add(.left(state))
    state = next
    context.state = definition.states[next]
    turn.consequences.add(.entered(next))
  }

  mutating func restoreSettings() {
    if lookup.awaitsChanges {
      for index in initialSettings.indices {
        turn.changes.note(.setting(index), context.settings[index])
      }
    }
    context.settings = initialSettings
    turn.hasSetSettings = true
  }

  /// Pairs as the present settings require.
  private mutating func updatePairing() {
    do {
      let new = try definition.pairing(in: context)
      guard new != pairing else { return }
      pairing = new
      turn.actions.append(.pair(new))
    } catch {
      remark(.logged("the device pairs as before: \(error)"))
    }
  }

  /// Adds a remark for the log, if there is one.
  mutating func remark(_ remark: Remark) {
    if options.makesRemarks { turn.actions.append(.remark(remark)) }
  }

  /// How often the device has been reset.
  package var resetCount: Int { life.resetCount }

  /// The values that expressions about the device have between two events. The central is the one that connected last.
  package func context(at now: Instant) -> EvaluationContext {
    var (context, generators, variables) = (context, generators, centralVariables)
    context.effort.renew()
    life.setTime(of: &context, to: now, startingAt: options.unixTime)
    generators.update(&context.generators, at: context.uptime, tables: definition.tables)
    context.event.central = links.centrals.last
    variables.select(links.centrals.last, in: &context.variables)
    return context
  }
}

// MARK: Resetting

extension Engine {
  /// Restores the initial state except the settings, ends all connections, and starts again.
  mutating func reset() {
    timers.stopAll(in: &turn)
    endWaits()
    giveAllResponses()
    streams.removeAll(in: &turn)
    held = HeldFrames()
    layerMessages.removeAll()
    awaited.removeAll()
    relayed = RelayedMessages()
    turn.consequences.removeAll()
    turn.changes.removeAll()
    centralVariables.reset()
    context.variables = definition.variables.map(\.initial)
    state = 0
    context.state = definition.states.first ?? ""
    life.beginAgain(at: turn.now)
    context.uptime = 0
    generators = GeneratorValues(definition.generators, seed: options.seed)
    generators.update(&context.generators, at: 0, tables: definition.tables)
    if !links.centrals.isEmpty { turn.actions.append(.disconnect(nil)) }
    if let scheme = try? definition.advertisement.scheme(in: context) { noteAddress(scheme) }
    updateTable()
    do { attributes = try AttributeValues(definition, in: context) } catch {
      remark(.logged("the attributes keep their values: \(error)"))
    }
    changeAllAddresses()
    advertise(true)
    updateBaud()
    turn.hasReset = true
    turn.consequences.add(.started)
  }

  /// Applies the speed of the wire side for the present values.
  mutating func updateBaud() {
    do {
      guard let new = try definition.wire.baud(in: context), new != baud else { return }
      baud = new
      turn.actions.append(.setBaud(new))
      remark(.logged("the wire side has \(new) baud"))
    } catch {
      remark(.logged("the wire side keeps its \(baud ?? 0) baud: \(error)"))
    }
  }

  /// Applies the attributes for the present settings.
  ///
  /// - Parameter toConnected: whether centrals stay connected. Then attributes that stay keep their handles, unless new ones take
  ///   them.
  mutating func updateTable(toConnected: Bool = false) {
    do {
      var (old, new) = (table, try definition.attributes(in: context))
      if toConnected, let handles = layout?(definition, table) {
        (old, new) = (old.staying(at: handles), new.staying(at: handles))
      }
      guard new != old else { return }
      if let problem = limits.problem(with: new, of: definition) { return keepTable(because: problem) }
      table = new
      context.handle = Self.handles(layout, of: new, in: definition)
      turn.actions.append(.serve(new, toConnected: toConnected))
      if toConnected { updateAdvertisement(after: old) }
    } catch {
      keepTable(because: "\(error)")
    }
  }

  /// Advertises anew if the advertisement has anything of the attributes that have changed.
  private mutating func updateAdvertisement(after old: AttributeTable) {
    let template = definition.advertisement
    let (before, now) = (
      try? template.resolved(in: context, with: old), try? template.resolved(in: context, with: table)
    )
    if currentAdvertisement != nil, before != now { updateAdvertising(renewed: true) }
  }

  private mutating func keepTable(because problem: String) {
    remark(.logged("the attributes stay as they were: \(problem)"))
  }
}

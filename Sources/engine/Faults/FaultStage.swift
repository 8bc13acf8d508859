import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// The faults of a device: a stage between the device and its transport, and between the device and its wire side.
///
///     device → FaultyTransport → transport → central
///     device → FaultyWire → wire side
///
/// A value passes through the faults in the order of their numbers. Faults may be added and removed at any time, even
/// before the device is on the air. Which values a fault strikes, and how, depends only on the seed, the number of the
/// fault and the earlier values, not on time: the same conversation fails in the same way in memory and on the air.
@EventLoop
package final class FaultStage {
  let definition: PeripheralDefinition
  let seed: UInt64
  let scheduler: any Scheduler
  weak var transport: FaultyTransport?
  /// In the order of their numbers.
  private var faults: [RunningFault] = [] { didSet { isEmpty = faults.isEmpty } }
  /// Whether there is no fault, so that everything passes unchanged.
  private(set) var isEmpty = true
  private var lastNumber = 0
  private var isOnAir = false
  /// The state of the device; nil: it has none.
  private(set) var state: String?
  /// The connected centrals.
  private(set) var centrals: [Central] = []
  /// What becomes of the value of a layer that passes now; nil: none does.
  private var passage: LayerPassage?
  /// Where the device is by the faults.
  private var path = RadioPath()

  /// Makes a stage with the definition's own faults.
  ///
  /// - Parameter seed: the seed of the faults' random choices.
  package init(
    of definition: PeripheralDefinition, seed: UInt64, scheduler: any Scheduler = EventLoopScheduler()
  ) {
    (self.definition, self.seed, self.scheduler) = (definition, seed, scheduler)
    for fault in definition.faults { add(fault) }
  }

  var now: Instant { scheduler.now }
}

// MARK: Listing

extension FaultStage {
  /// A fault and its statistics.
  package struct Entry: Hashable, Sendable {
    package var number: Int
    /// The text that a person writes for it.
    package var text: String
    /// How many values, requests or moments it could have struck.
    package var seen: Int
    /// How many it has struck.
    package var struck: Int
    /// Whether it never strikes again.
    package var isSpent: Bool
  }

  /// All faults, in the order of their numbers.
  package var list: [Entry] {
    faults.map {
      Entry(
        number: $0.number, text: $0.text, seen: $0.gate.seen, struck: $0.gate.struck, isSpent: $0.isSpent)
    }
  }

  /// Adds a fault, which begins now, or when the device goes on the air.
  ///
  /// - Returns: its number.
  @discardableResult
  package func add(_ fault: Fault) -> Int {
    lastNumber += 1
    let running = makeFault(fault, number: lastNumber)
    faults.append(running)
    if isOnAir { start(running) }
    return lastNumber
  }

  /// Removes a fault, and releases what it holds.
  ///
  /// - Returns: whether there was one with this number.
  @discardableResult
  package func remove(_ number: Int) -> Bool {
    guard let index = faults.firstIndex(where: { $0.number == number }) else { return false }
    faults.remove(at: index).end()
    return true
  }

  /// Removes the faults that are the same as this one.
  package func remove(_ fault: Fault) {
    for number in faults.filter({ $0.fault == fault }).map(\.number) { remove(number) }
  }

  /// Removes all faults.
  package func removeAll() {
    for number in faults.map(\.number) { remove(number) }
  }

  private func makeFault(_ fault: Fault, number: Int) -> RunningFault {
    switch fault.kind.subject {
    case .values: ValueFault(fault, number: number, on: self)
    case .requests: RequestFault(fault, number: number, on: self)
    case .confirmations: ConfirmationFault(fault, number: number, on: self)
    case .linkRequests: LinkRequestFault(fault, number: number, on: self)
    case .moments, .presence: WindowFault(fault, number: number, on: self)
    }
  }

  private func start(_ fault: RunningFault) {
    for remark in transport?.limits.remarks(on: fault.fault, of: definition) ?? [] {
      transport?.host?.warn("\(fault.text): \(remark)")
    }
    fault.start()
  }
}

// MARK: The way of a value

extension FaultStage {
  /// Whether values of a stream meet a fault.
  func concerns(_ stream: FaultStream) -> Bool { faults.contains { $0.concerns(stream) } }

  /// Passes a value through all faults.
  func pass(_ value: PassingValue) {
    pass(value, after: 0)
    value.course.enter()
  }

  /// Passes a value through the faults with higher numbers.
  func pass(_ value: PassingValue, after number: Int) {
    if let next = faults.first(where: { $0.number > number && $0.concerns(value.stream) }) {
      next.take(value)
    } else {
      value.course.pass()
      value.deliver(value.bytes)
    }
  }

  /// Passes a value of a layer through all faults; nil: none concerns it.
  func pass(_ value: LayerValue) -> LayerPassage? {
    let stream = FaultStream(endpoint: .layer(value.layer), direction: value.isSent ? .out : .into)
    guard !isEmpty, concerns(stream) else { return nil }
    passage = LayerPassage()
    defer { passage = nil }
    pass(
      PassingValue(value.bytes, in: stream, from: value.central, ValueCourse {}) { [weak self] in
        self?.deliver(value.with($0))
      })
    return passage
  }

  private func deliver(_ value: LayerValue) {
    guard passage == nil else { return passage!.values.append(value) }
    transport?.host?.receive(.layerPassed(value), respond: nil)
  }

  /// Whether a value of a layer passes, so that the device is busy.
  var isInsideDevice: Bool { passage != nil }

  /// The faults' effect on a request. A refused request does not reach the faults after the one that refused it.
  ///
  /// - Parameter bytes: the value that it writes.
  func outcome(of bytes: [UInt8], at place: RequestPlace, by central: Central?) -> RequestOutcome {
    var candidate = FaultGate.Candidate(bytes: bytes, request: place, time: now, state: state)
    if case .value(let index) = place {
      candidate.stream = FaultStream(endpoint: .characteristic(index), direction: .into)
    }
    var outcome = RequestOutcome()
    for fault in faults where outcome.refusal == nil {
      if let fate = fault.fate(of: candidate, by: central) { outcome.add(fate) }
    }
    return outcome
  }

  /// What goes wrong with something that a central asks below ATT. The first fault that strikes is the only one.
  func fault(in request: LinkRequest, of central: Central) -> LinkFault? {
    for fault in faults {
      if let found = fault.fault(in: request, of: central) { return found }
    }
    return nil
  }

  /// How long a pairing waits (Core Specification, Vol 3 Part H 3.4).
  private static let pairingLimit = Duration.seconds(30)

  /// What somebody at the device answers, and when. All faults that strike count.
  func ask(
    _ question: LinkRequest, about central: Central, answer: @escaping @EventLoop (PersonAnswer) -> Void
  ) -> AnyObject? {
    var (found, lateness) = (PersonAnswer.asUsual, Duration.zero)
    for fault in faults {
      guard case .person(let person) = fault.fault(in: question, of: central) else { continue }
      switch person {
      case .answers(let time): lateness = lateness + (time ?? Self.pairingLimit)
      case .refuses: found = .refusal
      case .types(let passkey): found = .passkey(passkey)
      }
    }
    if lateness >= Self.pairingLimit { (found, lateness) = (.nothing, Self.pairingLimit) }
    guard lateness > .zero else {
      answer(found)
      return nil
    }
    return scheduler.schedule(at: now.advanced(by: lateness)) { answer(found) }
  }

  /// A pairing has met a fault.
  func metFault(_ number: Int, in central: Central) {
    faults.first { $0.number == number }?.strike(by: central)
  }

  /// Whether values of a place reach a central.
  func hasSubscribers(_ endpoint: Endpoint) -> Bool {
    guard case .characteristic(let index) = endpoint else { return true }
    return transport?.hasSubscribers(index) ?? false
  }

  /// Tells the device when many values of a characteristic wait, and when they have passed.
  func backlogChanged(in stream: FaultStream) {
    guard case .characteristic(let index) = stream.endpoint, stream.direction == .out else { return }
    transport?.backlogChanged(to: faults.reduce(0) { $0 + $1.backlog(of: index) }, of: index)
  }

  /// Reports a strike, or one side of a struck value.
  func tell(_ event: TrafficEvent.Kind) {
    if case .fault(let strike) = event, passage != nil { return passage!.strikes.append(strike) }
    transport?.host?.struck(event)
  }

  /// The course of a value that the device sends.
  func courseOut() -> ValueCourse {
    ValueCourse { [weak transport] in transport?.host?.struckSentValue() }
  }

  /// The course of a value for the device.
  ///
  /// - Parameter written: what the central has written, or the other end of the wire side has sent.
  func courseIn(_ written: TrafficEvent.Kind) -> ValueCourse {
    ValueCourse { [weak self] in self?.tell(.oneSided(.peer, written)) }
  }
}

// MARK: The device as a whole

extension FaultStage {
  /// Whether it blocks everything.
  var isSilent: Bool { faults.contains { $0.isSilent } }

  /// Whether each new connection ends at once.
  var refusesConnections: Bool { faults.contains { $0.refusesConnections } }

  /// Whether the device is off the air because it restarts.
  package var isOffAir: Bool { faults.contains { $0.isOffAir } }

  /// The advertisement in place of this one.
  package func change(_ advertisement: Advertisement?) -> Advertisement? {
    faults.reduce(advertisement) { changed, fault in changed.flatMap(fault.change) }
  }

  func presenceChanged() {
    var path = RadioPath()
    for fault in faults { fault.move(&path) }
    if path != self.path { move(to: path) }
    transport?.advertiseAnew()
  }

  /// Where nothing moves, the device is out of range all the same: its links are lost.
  private func move(to path: RadioPath) {
    let before = self.path
    self.path = path
    guard let transport, !transport.connections.move(to: path) else { return }
    if before.isInRange, !path.isInRange { transport.connections.loseLink(of: nil) }
    if path.rssi != before.rssi || path.loss != before.loss, path.rssi != nil || path.loss != 0 {
      transport.host?.warn(
        "only the virtual radio moves a controller: RSSI and lost packets stay as they are")
    }
  }

  /// Ends the connection of a central, or of all (nil).
  func disconnect(_ central: Central?, _ reason: HCIError) {
    transport?.connections.disconnect(central, reason)
  }

  /// Likewise, without a goodbye.
  func loseLink(of central: Central?) { transport?.connections.loseLink(of: central) }

  /// Restarts the device.
  func restart() { transport?.host?.receive(.restarted) }
}

// MARK: Occurrences

extension FaultStage {
  /// The device goes on the air.
  func start() {
    isOnAir = true
    for fault in faults { start(fault) }
  }

  /// The device is off the air.
  func stop() {
    isOnAir = false
    centrals = []
    for fault in faults { fault.end() }
  }

  func noteState(_ state: String) {
    self.state = state
    for fault in faults { fault.stateChanged() }
  }

  func connected(_ central: Central) {
    centrals.append(central)
    for fault in faults { fault.connected(central) }
  }

  func disconnected(_ central: Central) {
    centrals.removeAll { $0 == central }
    for fault in faults { fault.disconnected(central) }
  }

  func confirmed(_ characteristic: Int) {
    for fault in faults { fault.confirmed(characteristic) }
  }
}

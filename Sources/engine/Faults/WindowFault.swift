import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A fault that strikes the connections or the device as a whole: at moments, or for a while.
///
/// It waits for its time, amount or state, then opens, and closes after its duration. One of a moment closes at once.
@EventLoop
final class WindowFault: RunningFault {
  /// Whether it waits only for the state of the device.
  private var isArmed = false
  private var isOpen = false
  private var random: FaultRandom?
  private var opening: AnyObject?
  private var closing: AnyObject?
  /// Ends the links while the device is silent.
  private var linkEnd: AnyObject?
  /// The deadlines of connections that are to end.
  private var connections: [Central: AnyObject] = [:]

  private var isMoment: Bool { kind == .disconnect || kind == .loseLink }

  private var duration: Duration? {
    fault.duration ?? kind.usualDuration
  }

  override var isSpent: Bool { !isOpen && (gate.isSpent || (isArmed && !returns)) }

  /// Whether it may open again after it has closed.
  private var returns: Bool {
    if case .period = fault.rate { return true }
    return fault.state != nil || isStruckByTraffic || countsConnections
  }

  override func start() {
    gate.start(at: stage.now)
    if countsConnections {
      for central in stage.centrals { connected(central) }
    } else if !isStruckByTraffic {
      schedule(after: firstTime)
    }
  }

  override func end() {
    (opening, closing, linkEnd, connections) = (nil, nil, nil, [:])
    if isOpen { close() }
  }

  override func change(_ advertisement: Advertisement) -> Advertisement? {
    guard isOpen, var random else { return advertisement }
    return kind.change(advertisement, &random)
  }

  override func move(_ path: inout RadioPath) { if isOpen { kind.move(&path) } }

  override var refusesConnections: Bool { isOpen && kind.refusesConnections }

  override var isSilent: Bool { isOpen && kind.isSilent }

  override var isOffAir: Bool { isOpen && kind == .reboot }

  override func stateChanged() {
    guard let state = fault.state else { return }
    if state == stage.state {
      if isArmed, !isPeriodic { open() }
    } else if isOpen, kind != .reboot {
      close()
    }
  }

  override func connected(_ central: Central) {
    guard countsConnections else { return }
    let time = stage.now.advanced(by: firstTime)
    connections[central] = stage.scheduler.schedule(at: time) { [weak self] in self?.open(for: central) }
  }

  override func disconnected(_ central: Central) {
    connections[central] = nil
    if isMoment { gate.meter() }
  }

  override func concerns(_ stream: FaultStream) -> Bool { isStruckByTraffic && gate.concerns(stream) }

  /// A value passes before the strike that it triggers, but is counted before those that the device sends in response.
  override func take(_ value: PassingValue) {
    let random = isOpen ? nil : judge(candidate(value.bytes, in: value.stream))
    let struck = gate.struck
    passOn(value)
    guard let random, gate.struck == struck else { return }
    guard stage.isInsideDevice else { return open(random) }
    opening = stage.scheduler.schedule(at: stage.now) { [weak self] in self?.open(random) }
  }

  /// - Returns: the dice of the strike; nil: the fault does not strike.
  private func judge(_ candidate: FaultGate.Candidate) -> FaultRandom? {
    switch fault.after {
    case .bytes, .values, .frames: gate.reaches(candidate) && !gate.isSpent ? gate.roll() : nil
    case nil, .time: gate.judge(candidate)
    }
  }
}

// MARK: Times

extension WindowFault {
  /// When it first opens: after its own time, or after one period.
  private var firstTime: Duration {
    if case .time(let time) = fault.after { return time }
    if case .period(let period) = fault.rate { return period }
    return .zero
  }

  private func schedule(after time: Duration) {
    guard time > .zero else { return arm() }
    opening = stage.scheduler.schedule(at: stage.now.advanced(by: time)) { [weak self] in self?.arm() }
  }

  private func arm() {
    (opening, isArmed) = (nil, true)
    if fault.state == nil || fault.state == stage.state { open() }
    if case .period(let period) = fault.rate, !gate.isSpent { schedule(after: period) }
  }

  /// - Parameter central: the central whose connection has lasted so long; nil: all.
  private func open(for central: Central? = nil) {
    guard !isOpen, !gate.isSpent, let random = gate.roll() else { return }
    open(random, for: central)
  }

  private func open(_ random: FaultRandom, for central: Central? = nil) {
    self.random = random
    isOpen = !isMoment
    strike(by: central)
    kind.begin(on: stage, for: central)
    if isOpen { last() }
  }

  /// Stays open for its duration.
  private func last() {
    closing = duration.map { time in
      stage.scheduler.schedule(at: stage.now.advanced(by: time)) { [weak self] in self?.close() }
    }
    linkEnd = kind.linkLifetime.map { time in
      stage.scheduler.schedule(at: stage.now.advanced(by: time)) { [stage] in
        stage.disconnect(nil, .remotePowerOff)
      }
    }
    stage.presenceChanged()
  }

  private func close() {
    (isOpen, closing, linkEnd) = (false, nil, nil)
    stage.presenceChanged()
  }
}

// MARK: States and connections

extension WindowFault {
  private var isPeriodic: Bool { if case .period = fault.rate { true } else { false } }

  /// Whether it ends each connection after a time.
  private var countsConnections: Bool {
    isMoment && fault.state == nil && !isStruckByTraffic && !isPeriodic
  }
}

// MARK: Traffic

extension WindowFault {
  /// Whether values trigger it.
  private var isStruckByTraffic: Bool {
    switch (fault.after, fault.rate) {
    case (.bytes, _), (.values, _), (.frames, _), (_, .chance), (_, .every): true
    default: fault.place != nil || fault.direction != nil || fault.message != nil
    }
  }

}

import Bluetooth
import Framing
import HCIPackets
import SecurityManager

/// A host above one controller (Core Specification, Vol 1 Part A 2): packets and time in; packets and events out.
///
/// After each call, the caller sends ``packets`` to the controller and acts on ``events``, and calls ``advance(to:)`` at the
/// latest at ``deadline``.
package struct Host: Sendable {
  /// Indirect, because a host is copied for each packet.
  indirect enum Phase {
    /// Also after a reset, with advertising, scanning and initiating from before it.
    case starting(ControllerStart, before: RadioState?)
    case running(RadioState)
    case failed
  }

  /// For the controller, in order.
  package internal(set) var packets = PacketBatch()
  private var events: [HostEvent] = []
  private(set) var phase = Phase.starting(ControllerStart(), before: nil)
  /// Whether the controller is to be reset.
  private var wantsReset = false
  /// Where the controller is on a virtual radio.
  private var path = RadioPath()
  /// Whether the radio has had nothing to do since it was last changed.
  private var isRadioSettled = false
  /// Of the links, by handle.
  var securityManagers: [LinkHandle: SecurityManager] = [:] {
    didSet { securityDeadline = securityManagers.values.lazy.compactMap(\.deadline).min() }
  }
  /// When the first of them has something to do: kept because each packet asks for it.
  private var securityDeadline: Instant?
  var commands = CommandQueue()
  var links = LinkTable()
  var arrivals = LinkArrivals()
  /// The time of the latest call.
  var now = Instant()

  package init() {}

  /// Whether the controller has carried out all that is wanted, as far as it can.
  package var isSettled: Bool {
    if hasNoCommand { return true }
    return if case .failed = phase { true } else { false }
  }

  /// Asked for each packet.
  private var hasNoCommand: Bool { commands.isIdle && isRadioSettled && !wantsReset }

  /// What the controller can do; nil: it has not started, or has failed.
  package var abilities: ControllerAbilities? { radio?.abilities }

  /// Advertising, scanning and initiating; nil: the controller has not started, or has failed.
  package var radio: RadioState? {
    switch phase {
    case .starting(_, let radio): radio
    case .running(let radio): radio
    case .failed: nil
    }
  }

  /// Changes what is wanted of the radio, which takes effect with ``advance(to:)``. Does nothing unless the controller has started.
  @discardableResult
  package mutating func changeRadio<Result>(_ body: (inout RadioState) -> Result) -> Result? {
    switch phase {
    case .running(var radio):
      phase = .failed  // so that there is only one copy
      defer { phase = .running(radio) }
      isRadioSettled = false
      return body(&radio)
    case .starting(let start, before: var radio?):
      defer { phase = .starting(start, before: radio) }
      return body(&radio)
    case .starting, .failed: return nil
    }
  }

  /// Takes the events since the last call.
  package mutating func takeEvents() -> [HostEvent] {
    defer { events = [] }
    return events
  }

  /// Takes the events since the last call into an array that is empty, whose memory then serves the next events.
  package mutating func takeEvents(into taken: inout [HostEvent]) {
    if !events.isEmpty { swap(&events, &taken) }
  }

  /// The caller has sent ``packets``.
  package mutating func sentPackets() { packets.removeAll() }

  mutating func tell(_ event: HostEvent) { events.append(event) }
}

// MARK: Time

extension Host {
  /// When ``advance(to:)`` is due; nil: at no time.
  package var deadline: Instant? {
    guard
      let earliest = commands.deadline.earlier(arrivals.deadline).earlier(links.deadline)
        .earlier(securityDeadline)
    else { return nil }
    return if case .failed = phase { nil } else { earliest }
  }

  /// Does what is due, and gives the controller the next command.
  ///
  /// - Returns: ``deadline``, for which a caller with the host in a class would copy it.
  @discardableResult
  package mutating func advance(to time: Instant) -> Instant? {
    now = max(now, time)
    if let failure = commands.failure, let end = commands.deadline, end <= now {
      fail(failure)
    } else {
      if let deadline, deadline <= now { expire() }
      sendCommand()
    }
    return deadline
  }

  private mutating func expire() {
    for link in arrivals.takeOverdue(at: now) { begin(link, set: nil) }
    for link in links.all { expire(link) }
  }

  private mutating func expire(_ link: HostLink) {
    let now = now
    if let end = link.end, end <= now { return ended(link.handle, .unspecifiedError) }
    perform(links.change(link.handle) { $0.signalling.expire(at: now) } ?? [], on: link.handle)
    perform(links.change(link.handle) { $0.channels.expire(at: now) } ?? [], on: link.handle)
    if let deadline = securityManagers[link.handle]?.deadline, deadline <= now {
      changeSecurity(of: link.handle) { $0.timePassed(at: $1) }
    }
  }

  mutating func fail(_ failure: ControllerFailure) {
    if case .failed = phase { return }
    phase = .failed
    packets.removeAll()
    links = LinkTable()
    securityManagers = [:]
    tell(.failed(failure))
  }

  /// Ends all links without a goodbye: resets the controller, which says nothing to the peers. They notice after their supervision
  /// timeout. Advertising, scanning and initiating go on once the controller has started again.
  package mutating func loseLinks() {
    if case .running = phase { wantsReset = true }
  }

  /// Moves a controller of the virtual radio, also once it has been reset.
  ///
  /// - Returns: whether it is one that has started.
  package mutating func move(to path: RadioPath) -> Bool {
    guard let abilities, abilities.isOnVirtualRadio else { return false }
    self.path = path
    if case .running = phase { commands.request(.move(to: path)) }
    return true
  }

  private mutating func reset() {
    wantsReset = false
    guard case .running(let radio) = phase else { return }
    let lost = links.all
    (phase, isRadioSettled) = (.starting(ControllerStart(), before: radio), false)
    (links, arrivals, securityManagers) = (LinkTable(), LinkArrivals(), [:])
    for var link in lost {
      commands.forget(link.handle)
      perform(link.channels.end(), on: link.handle)
      tell(.disconnected(link.handle, .supervisionTimeout))
    }
  }
}

// MARK: Commands

extension Host {
  /// Sends the next command, if the controller takes one.
  private mutating func sendCommand() {
    guard commands.isReady, !hasNoCommand else { return }
    if wantsReset { reset() }
    switch phase {
    case .starting(var start, let before):
      guard let command = start.nextCommand() else { return becomeReady(start.abilities, before) }
      phase = .starting(start, before: before)
      send(command, for: .start)
    case .running: if let (command, purpose) = nextCommand() { send(command, for: purpose) }
    case .failed: break
    }
  }

  private mutating func becomeReady(_ abilities: ControllerAbilities, _ before: RadioState?) {
    var radio = before ?? RadioState(abilities)
    if before != nil { radio.reset() }
    phase = .running(radio)
    links = LinkTable(packetSize: abilities.packetSize, packetCount: abilities.packetCount)
    arrivals = LinkArrivals()
    if path != RadioPath() { commands.request(.move(to: path)) }
    tell(.started(abilities))
    sendCommand()
  }

  /// Links first: a peer waits for them.
  private mutating func nextCommand() -> (HCICommand, CommandQueue.Purpose)? {
    if let command = commands.takeRequest() { return (command, .request) }
    guard !isRadioSettled else { return nil }
    let command = changeRadio { $0.nextCommand() } ?? nil
    isRadioSettled = command == nil
    return command.map { ($0, .radio) }
  }

  private mutating func send(_ command: HCICommand, for purpose: CommandQueue.Purpose) {
    commands.sent(command, for: purpose, at: now)
    packets.append(command)
  }

  /// - Parameter answer: the return parameters after the status.
  mutating func completed(
    _ command: HCICommand, _ purpose: CommandQueue.Purpose, _ error: HCIError?, _ answer: [UInt8]
  ) {
    switch purpose {
    case .start: completedStart(error, answer)
    case .request: completedRequest(command, error, answer)
    case .radio: perform(changeRadio { $0.completed(command, error) } ?? [])
    }
  }

  private mutating func completedStart(_ error: HCIError?, _ answer: [UInt8]) {
    guard case .starting(var start, let before) = phase else { return }
    do throws(ControllerFailure) {
      try start.completed(error, answer)
      phase = .starting(start, before: before)
    } catch { fail(error) }
  }
}

extension Instant? {
  /// The earlier of two times, one of which may be none.
  func earlier(_ other: Instant?) -> Instant? {
    guard let self, let other else { return self ?? other }
    return min(self, other)
  }
}

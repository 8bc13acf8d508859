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
  private indirect enum Phase {
    /// Also after a reset, with advertising, scanning and initiating from before it.
    case starting(ControllerStart, before: RadioState?)
    case running(RadioState)
    case failed
  }

  /// For the controller, in order.
  package private(set) var packets = PacketBatch()
  private var events = HostEvents()
  private var phase = Phase.starting(ControllerStart(), before: nil)
  /// Whether the controller is to be reset.
  private var wantsReset = false
  /// Where the controller is on a virtual radio.
  private var path = RadioPath()
  /// Whether the radio has had nothing to do since it was last changed.
  private var isRadioSettled = false
  /// Of the links, by handle.
  private(set) var securityManagers: [LinkHandle: SecurityManager] = [:] {
    didSet { securityDeadline = securityManagers.values.lazy.compactMap(\.deadline).min() }
  }
  /// When the first of them has something to do: kept because each packet asks for it.
  private var securityDeadline: Instant?
  private var commands = CommandQueue()
  private(set) var links = LinkTable()
  private var arrivals = LinkArrivals()
  /// The time of the latest call.
  private(set) var now = Instant()

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
  package mutating func takeEvents() -> HostEvents { events.takeAll() }

  /// The caller has sent ``packets``.
  package mutating func sentPackets() { packets.removeAll() }

  mutating func tell(_ event: consuming HostEvent) { events.append(event) }

  /// Lets a command wait for its turn.
  mutating func enqueue(_ command: HCICommand) { commands.request(command) }
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
    let earliest = deadline
    let isDue = earliest.map { $0 <= now } ?? false
    if !isDue, hasNoCommand { return earliest }
    if let failure = commands.failure, let end = commands.deadline, end <= now {
      fail(failure)
    } else {
      if isDue { expire() }
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
    let isOverdue = links.change(link.handle) { $0.progress.isOverdue($0.buffersInUse, at: now) }
    if isOverdue == true { giveUp(link.handle, .acknowledgesNothing) }
    perform(links.change(link.handle) { $0.signalling.expire(at: now) } ?? [], on: link.handle)
    perform(links.change(link.handle) { $0.channels.expire(at: now) } ?? [], on: link.handle)
    if let deadline = securityManagers[link.handle]?.deadline, deadline <= now {
      changeSecurity(of: link.handle) { $0.timePassed(at: $1) }
    }
  }

  private mutating func fail(_ failure: ControllerFailure) {
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

  /// Resets a controller whose packets cannot be told apart any more: what it was asked gets no answer. All links are lost.
  ///
  /// - Returns: whether it is one that has started.
  package mutating func recover() -> Bool {
    guard case .running = phase else { return false }
    (commands, wantsReset) = (CommandQueue(), true)
    packets.removeAll()
    return true
  }

  /// Moves a controller of the virtual radio, also once it has been reset.
  ///
  /// - Returns: whether it is one that has started.
  package mutating func move(to path: RadioPath) -> Bool {
    guard let abilities, abilities.isOnVirtualRadio else { return false }
    self.path = path
    if case .running = phase { enqueue(.move(to: path)) }
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
    if path != RadioPath() { enqueue(.move(to: path)) }
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
  private mutating func completed(
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

// MARK: What comes from the controller

extension Host {
  /// Takes a packet of the controller, with its type (Vol 4 Part A 2). Then call ``advance(to:)``.
  package mutating func receive(_ packet: ArraySlice<UInt8>, at time: Instant) {
    now = max(now, time)
    if case .failed = phase { return }
    let bytes = packet.span
    guard bytes.count >= 3 else { return }
    switch (bytes[0], bytes[1]) {
    case (0x02, _): receiveData(bytes)
    case (0x04, 0x13): completedPackets(bytes)
    case (0x04, let code): receiveEvent(packet, code)
    default: break
    }
  }

  /// Handle and flags, length, a part of a frame (5.4.2).
  private mutating func receiveData(_ packet: Span<UInt8>) {
    guard packet.count >= 5 else { return }
    let head = UInt16(packet[1], packet[2])
    let length = Int(UInt16(packet[3], packet[4]))
    guard packet.count - 5 >= length else { return }
    let handle = head & 0x0FFF
    let part = packet.extracting(5..<5 + length)
    let frame = links.receive(part, isContinuation: head >> 12 & 3 == 1, on: handle)
    if let frame = frame ?? nil {
      receive(frame, on: handle)
    } else if frame == nil {
      arrivals.keep(packet, handle, at: now)
    }
  }

  /// Number of links; for each, its handle, and how many packets (7.7.19).
  private mutating func completedPackets(_ packet: Span<UInt8>) {
    var place = 4
    while place + 4 <= packet.count {
      let handle = UInt16(packet[place], packet[place + 1]) & 0x0FFF
      links.completed(Int(UInt16(packet[place + 2], packet[place + 3])), on: handle, at: now)
      place += 4
    }
    sendParts()
    tellDrained()
  }

  private mutating func receiveEvent(_ packet: ArraySlice<UInt8>, _ code: UInt8) {
    guard let event = HCIEvent(packet) else { return }
    switch event {
    case .completed(let opcode, let parameters):
      // A status is missing from no command that this host sends.
      let status = parameters.first ?? HCIError.unspecifiedError.rawValue
      answered(opcode, allowed: packet[packet.startIndex + 3], status, Array(parameters.dropFirst()))
    case .begun(let opcode, let error):
      answered(opcode, allowed: packet[packet.startIndex + 4], error?.rawValue ?? 0, [])
    case .hardwareFailed(let number): fail(.hardware(number))
    case .other(0x3E) where radio?.scanning.wanted != nil:
      for report in AdvertisingReport.reports(in: packet.dropFirst()) { tell(.heard(report)) }
    // A controller that has not been reset yet may have links of another host.
    default:
      guard case .running = phase else { return }
      take(event)
      perform(changeRadio { $0.take(event) } ?? [])
    }
  }

  private mutating func answered(_ opcode: HCIOpcode, allowed: UInt8, _ status: UInt8, _ answer: [UInt8]) {
    guard let (command, purpose) = commands.answered(opcode, allowed: allowed, at: now) else { return }
    completed(command, purpose, status == 0 ? nil : HCIError(rawValue: status), answer)
  }
}

// MARK: Links

extension Host {
  mutating func arrived(_ link: EstablishedLink) {
    // The controller has not reported the end of an earlier link with this handle.
    if links[link.handle] != nil { ended(link.handle, .unspecifiedError) }
    if link.isCentral {
      arrivals.dropUnclaimed(link.handle)
      return begin(link, set: nil)
    }
    if let set = arrivals.arrived(link, at: now) { begin(link, set: set) }
  }

  /// Takes what has become of advertising, scanning and initiating.
  private mutating func perform(_ events: [RadioEvent]) {
    for event in events {
      if case .advertisingConnected(let set, let handle) = event, let link = arrivals.ended(set, for: handle)
      {
        begin(link, set: set)
      }
      tell(.radio(event))
    }
  }

  /// - Parameter set: by which the peer has connected.
  private mutating func begin(_ link: EstablishedLink, set: UInt8?) {
    let address = link.isCentral ? radio?.initiating.ownAddress : set.flatMap { radio?.address(of: $0) }
    let local = address.map { LinkAddress($0, .random) } ?? abilities.map { LinkAddress($0.address) }
    let link = HostLink(link, local: local ?? link.peer, set: set)
    links.begin(link)
    tell(.connected(link))
    for packet in arrivals.takeData(of: link.handle, at: now) { receive(packet[...], at: now) }
  }

  mutating func ended(_ handle: LinkHandle, _ reason: HCIError) {
    arrivals.forget(handle)
    commands.forget(handle)
    securityManagers[handle] = nil
    guard var link = links.end(handle) else { return }
    perform(link.channels.end(), on: handle)
    tell(.disconnected(handle, link.fault == .acknowledgesNothing ? .supervisionTimeout : reason))
    sendParts()
    tellDrained()
  }

  /// Lets a link pair and be encrypted. Without this, pairing is refused. To be called at ``HostEvent/connected(_:)``.
  package mutating func secure(_ handle: LinkHandle, with manager: SecurityManager) {
    if links[handle] != nil { securityManagers[handle] = manager }
  }

  /// The Security Manager of a link; nil: it cannot pair.
  package func securityManager(of handle: LinkHandle) -> SecurityManager? { securityManagers[handle] }

  /// Lets the Security Manager of a link do something, such as ask for encryption, and take a person's answers.
  package mutating func changeSecurity(
    of handle: LinkHandle, _ body: (inout SecurityManager, Instant) -> [SecurityAction]
  ) {
    guard let actions = securityManagers[handle].map({ _ in body(&securityManagers[handle]!, now) }) else {
      return
    }
    for action in actions { perform(action, on: handle) }
  }

  /// Changes a link; nil: there is none with this handle.
  @discardableResult
  mutating func changeLink<Result>(_ handle: LinkHandle, _ body: (inout HostLink) -> Result) -> Result? {
    links.change(handle, body)
  }

  mutating func send(_ frame: L2CAPFrame, on handle: LinkHandle) {
    if links.send(frame, on: handle, at: now, to: &packets) { giveUp(handle, .takesNoAnswers) }
  }

  /// Sends what has waited, as far as the controller takes it.
  mutating func sendParts() { links.sendParts(at: now, to: &packets) }

  mutating func tellDrained() {
    for handle in links.takeDrained() { tell(.drained(handle)) }
    for (handle, channel) in links.takeDrainedChannels() { tell(.channel(handle, channel, .drained)) }
  }
}

import Bluetooth
import Framing
import HCIPackets

/// A host above one controller (Core Specification, Vol 1 Part A 2): packets and time in; packets and events out.
///
/// After each call, the caller sends ``packets`` to the controller and acts on ``events``, and calls ``advance(to:)`` at the
/// latest at ``deadline``.
package struct Host: Sendable {
  enum Phase: Hashable {
    case starting(ControllerStart)
    case running
    case failed
  }

  /// For the controller, in order.
  package internal(set) var packets = PacketBatch()
  private var events: [HostEvent] = []
  private(set) var phase = Phase.starting(ControllerStart())
  /// What the controller can do, once it has started.
  package private(set) var abilities = ControllerAbilities()
  var commands = CommandQueue()
  var links = LinkTable()
  var arrivals = LinkArrivals()
  /// The time of the latest call.
  var now = Instant()

  package init() {}

  /// Takes the events since the last call.
  package mutating func takeEvents() -> [HostEvent] {
    defer { events = [] }
    return events
  }

  /// The caller has sent ``packets``.
  package mutating func sentPackets() { packets.removeAll() }

  mutating func tell(_ event: HostEvent) { events.append(event) }
}

// MARK: Time

extension Host {
  /// When ``advance(to:)`` is due; nil: at no time.
  package var deadline: Instant? {
    if phase == .failed { return nil }
    let ends = links.all.lazy.compactMap(\.deadline)
    return [commands.deadline, arrivals.deadline, ends.min()].lazy.compactMap(\.self).min()
  }

  /// Does what is due, and gives the controller the next command.
  package mutating func advance(to time: Instant) {
    now = max(now, time)
    if let opcode = commands.unanswered, let end = commands.deadline, end <= now {
      return fail(.noAnswer(opcode))
    }
    for link in arrivals.takeOverdue(at: now) { begin(link, set: nil) }
    for link in links.all where link.deadline.map({ $0 <= now }) ?? false { expire(link.handle) }
    sendCommand()
  }

  private mutating func expire(_ handle: LinkHandle) {
    let now = now
    let actions = links.change(handle) { $0.signalling.expire(at: now) } ?? []
    perform(actions, on: handle)
  }

  mutating func fail(_ failure: ControllerFailure) {
    guard phase != .failed else { return }
    phase = .failed
    packets.removeAll()
    tell(.failed(failure))
  }
}

// MARK: Commands

extension Host {
  /// Sends the next command, if the controller takes one.
  private mutating func sendCommand() {
    guard commands.isReady else { return }
    switch phase {
    case .starting(var start):
      guard let command = start.nextCommand() else { return becomeReady(start.abilities) }
      phase = .starting(start)
      send(command, for: .start)
    case .running: if let (command, purpose) = nextCommand() { send(command, for: purpose) }
    case .failed: break
    }
  }

  private mutating func becomeReady(_ abilities: ControllerAbilities) {
    self.abilities = abilities
    phase = .running
    links = LinkTable(packetSize: abilities.packetSize, packetCount: abilities.packetCount)
    tell(.started(abilities))
    sendCommand()
  }

  /// Links first: a peer waits for them.
  private mutating func nextCommand() -> (HCICommand, CommandQueue.Purpose)? {
    if let command = commands.takeRequest() { return (command, .request) }
    return nil
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
    case .advertising, .scanning, .initiating: break
    }
  }

  private mutating func completedStart(_ error: HCIError?, _ answer: [UInt8]) {
    guard case .starting(var start) = phase else { return }
    do throws(ControllerFailure) {
      try start.completed(error, answer)
      phase = .starting(start)
    } catch { fail(error) }
  }
}

import Bluetooth
import Framing
import HCIPackets
import SecurityManager
import TestSupport

@testable import Host

/// A host whose controller may lie. Checks the host's guarantees after each step.
struct HostHarness {
  private(set) var host = Host()
  private var now = Instant()
  private let controller: HostController
  /// The command that the controller has not answered, and when the host gave it.
  private var command: (HCICommand, since: Instant)?
  /// Since when the controller takes no command; nil: it takes one.
  private var closedSince: Instant?
  /// How many data packets of each link the controller stores, as far as the host can know.
  private var stored: [LinkHandle: Int] = [:]
  /// What the controller has said that it stores.
  private var room = (count: 1, size: 27)
  private var links: Set<LinkHandle> = []
  private var hasStarted = false
  private var hasFailed = false

  /// - Parameter kind: 0 and 2 a controller of Bluetooth 5, 1 and 3 of Bluetooth 4; 0 and 1 have started.
  init(kind: Int) throws {
    controller = HostController(isExtended: kind % 2 == 0)
    try check()
    while kind < 2, !hasStarted { try answer(status: 0, allowed: 1) }
  }

  mutating func take(_ step: HostStep) throws {
    switch step {
    case .hears(let packet): hear(packet)
    case .answers(let status, let allowed): try answer(status: status, allowed: allowed)
    case .waits(let milliseconds): now = now.advanced(by: .milliseconds(milliseconds))
    case .sends(let count, let handle): host.send([UInt8](repeating: 0x1B, count: count), on: handle)
    case .disconnects(let handle): host.disconnect(handle, .remoteUserTerminated)
    case .asksForParameters(let handle):
      host.ask(
        for: PreferredConnectionParameters(interval: 80...80, latency: 2, supervisionTimeout: 300), on: handle
      )
    case .measures(let handle): host.measure(handle)
    case .pairs(let handle): pair(handle)
    case .wants(let bits): host.changeRadio { $0.want(bits) }
    }
    try check()
  }

  private mutating func pair(_ handle: LinkHandle) {
    guard let link = host.link(handle) else { return }
    let secured = SecuredLink(
      role: link.isCentral ? .central : .peripheral, ownAddress: link.local, peerAddress: link.peer,
      identity: .init(address: link.local))
    host.secure(
      handle, with: SecurityManager(secured, policy: PairingPolicy(), random: SplitMix64(seed: 1)))
    host.changeSecurity(of: handle) { $0.pair(at: $1) }
  }
}

// MARK: The controller

extension HostHarness {
  private mutating func hear(_ packet: [UInt8]) {
    note(packet)
    host.receive(packet[...], at: now)
  }

  private mutating func answer(status: UInt8, allowed: UInt8) throws {
    guard let (command, _) = command else { return }
    hear(controller.answer(to: command, status: status, allowed: allowed))
    try check()
  }

  /// Reads a packet as the host has to.
  private mutating func note(_ packet: [UInt8]) {
    if packet.starts(with: [0x04, 0x13]) { noteCompletion(packet.dropFirst(4)) }
    switch HCIEvent(packet) {
    case .completed(let opcode, _): note(opcode, allowed: packet[3])
    case .begun(let opcode, _): note(opcode, allowed: packet[4])
    default: break
    }
  }

  private mutating func note(_ opcode: HCIOpcode, allowed: UInt8) {
    if let command, command.0.opcode == opcode {
      self.command = nil
      closedSince = allowed > 0 ? nil : now
    } else if command == nil, allowed > 0 {
      closedSince = nil
    }
  }

  private mutating func noteCompletion(_ entries: ArraySlice<UInt8>) {
    var fields = ByteReader(entries)
    while let handle = fields.handle(), let count = fields.number() {
      stored[handle] = max(0, stored[handle, default: 0] - Int(count))
    }
  }
}

// MARK: What the host does

extension HostHarness {
  private mutating func check() throws {
    host.advance(to: now)
    let couldAct = !hasFailed
    for event in host.takeEvents() {
      try guarantee(!hasFailed && couldAct, "\(event) after the failure")
      try note(event)
    }
    for packet in host.packets.all { try noteSent(packet) }
    host.sentPackets()
    try checkTime()
    try guarantee(
      stored.values.reduce(0, +) <= room.count, "\(stored) packets, for \(room.count) of which there is room")
  }

  private func checkTime() throws {
    if let deadline = host.deadline { try guarantee(deadline > now, "\(deadline) is over at \(now)") }
    try guarantee(host.deadline == nil || !hasFailed, "a host that has failed waits")
    for since in [command?.since, closedSince].compactMap(\.self) {
      try guarantee(
        hasFailed || now < since.advanced(by: .seconds(10)), "a controller may do nothing forever")
    }
  }

  private mutating func note(_ event: HostEvent) throws {
    switch event {
    case .started(let abilities):
      try guarantee(!hasStarted, "a host starts twice")
      (hasStarted, room) = (true, (max(1, abilities.packetCount), max(1, abilities.packetSize)))
    case .failed: hasFailed = true
    case .connected(let link):
      try guarantee(hasStarted && links.insert(link.handle).inserted, "link \(link.handle) begins twice")
      stored[link.handle] = nil
    case .disconnected(let handle, _):
      try guarantee(links.remove(handle) != nil, "link \(handle), which there is not, ends")
      stored[handle] = nil
    case .received(let handle, _), .drained(let handle), .changed(let handle, _), .measured(let handle, _),
      .asked(let handle, _),
      .parametersRefused(let handle, _), .givenUp(let handle, _), .security(let handle, _):
      try guarantee(links.contains(handle), "\(event), but there is no such link")
    case .radio, .heard, .channel: break
    }
  }

  private mutating func noteSent(_ packet: [UInt8]) throws {
    try guarantee(!hasFailed, "a packet after the failure")
    switch HCIEvent(packet) {
    case .given(let given) where packet[0] == 0x01:
      try guarantee(command == nil && closedSince == nil, "\(given) without room for it")
      command = (given, now)
    default:
      let handle = UInt16(packet[1], packet[2]) & 0x0FFF
      try guarantee(packet[0] == 0x02 && links.contains(handle), "\(packet) is for no link")
      try guarantee((6...room.size + 5).contains(packet.count), "\(packet.count - 5) bytes of data")
      stored[handle, default: 0] += 1
    }
  }
}

// MARK: The end

extension HostHarness {
  /// From now on, the controller does what it should: then the host comes to rest, nothing waits, and a new link works.
  mutating func finish() throws {
    try comeToRest()
    guard !hasFailed else { return }
    let handle = try newLink()
    host.send([UInt8](repeating: 0x1B, count: 100), on: handle)
    try check()
    try guarantee(stored[handle, default: 0] > 0, "a new link sends nothing")
    try comeToRest()
  }

  private mutating func comeToRest() throws {
    for _ in 0..<5000 {
      if hasFailed { return }
      if let command {
        try answer(status: 0, allowed: 1)
        if command.0.opcode == .disconnect {
          try take(.hears([0x04, 0x05, 4, 0] + command.0.parameters.prefix(2) + [0x16]))
        }
      } else if closedSince != nil {
        try take(.hears([0x04, 0x0E, 3, 1, 0, 0]))
      } else if let (handle, count) = stored.first(where: { $0.value > 0 }) {
        try take(.hears([0x04, 0x13, 5, 1] + handle.littleEndianBytes + UInt16(count).littleEndianBytes))
      } else if let deadline = host.deadline {
        now = deadline
        try check()
      } else {
        return try checkRest()
      }
    }
    throw BrokenGuarantee(description: "the host does not come to rest")
  }

  private func checkRest() throws {
    try guarantee(host.isSettled, "something remains to be done, and nothing happens")
    for link in host.allLinks {
      try guarantee(link.outgoing.isEmpty && !link.isCongested, "link \(link.handle) waits for nothing")
    }
  }

  private mutating func newLink() throws -> LinkHandle {
    // success, handle 0x0050, central, public address, 30 ms, latency 0, 420 ms
    try take(.hears([0x04, 0x3E, 19, 0x01, 0, 0x50, 0, 0, 0, 9, 0, 0, 0, 0, 0, 24, 0, 0, 0, 42, 0, 0]))
    return 0x50
  }
}

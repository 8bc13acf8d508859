import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import SecurityManager
import TestSupport
import Testing

@testable import Host

@Suite struct RandomFaultTests {
  @Test(arguments: [nil, .version4(HostRoom.address(0))] as [ControllerTraits?])
  func `hosts of controllers that lie fail for a reason, or lose no track of their links`(
    traits: ControllerTraits?
  ) {
    for seed in 0..<UInt64(Sample.rounds(of: 200)) {
      var walk = FaultWalk(traits, seed: seed)
      for _ in 0..<40 { walk.step() }
      walk.end()
      for host in walk.room.hosts.indices {
        let problem = walk.problem(of: host)
        #expect(problem == nil, "host \(host), seed \(seed)")
      }
    }
  }
}

/// Two hosts with everything that their callers do, while packets meet with faults.
struct FaultWalk {
  private(set) var room: HostRoom
  private var random: SplitMix64

  init(_ traits: ControllerTraits?, seed: UInt64) {
    (room, random) = (.pair(traits), SplitMix64(seed: ~seed))
    room.onEvent = { _, event, host in
      switch event {
      case .connected(let link):
        host.secure(link.handle, with: Self.manager(link, seed))
        host.letCallerAnswer(on: link.handle)
      case .asked(let handle, let request):
        host.answer(request, on: handle, Self.answers[Int(seed) % Self.answers.count])
      default: break
      }
    }
    room.faults = RandomFaults(seed: seed, rarity: 4 + Int(seed % 40))
  }

  private static let answers: [PeerAnswer] = [
    .asUsual, .asUsual, .refusal, .silence,
    .fault(PairingFault(.failure(.unspecifiedReason, at: .pairingRandom), number: 1)),
  ]

  private static func manager(_ link: HostLink, _ seed: UInt64) -> SecurityManager {
    SecurityManager(
      SecuredLink(
        role: link.isCentral ? .central : .peripheral, ownAddress: link.local, peerAddress: link.peer,
        identity: SecuredLink.Identity(address: link.local)),
      policy: PairingPolicy(), random: SplitMix64(seed: seed))
  }

  private mutating func number(_ end: Int) -> Int { Int(random.next() % UInt64(end)) }

  mutating func step() {
    let (host, action, size) = (number(2), number(12), number(600))
    let target = ConnectionRequest(.device(LinkAddress(HostRoom.address(0))), parameters: HostRoom.parameters)
    room.change(host) { host in
      let handles = host.allLinks.map(\.handle)
      if action < 3, host.allLinks.isEmpty { host.changeRadio { $0.initiating.wanted = target } }
      for handle in handles { Self.perform(action, size, &host, handle) }
    }
    room.run(for: .milliseconds(Int64(number(90))))
  }

  private static func perform(_ action: Int, _ size: Int, _ host: inout Host, _ handle: LinkHandle) {
    switch action {
    case 0...3: for _ in 0..<4 { host.send([UInt8](repeating: 1, count: 1 + size), on: handle) }
    case 4: host.disconnect(handle, .remoteUserTerminated)
    case 5: host.ask(for: HostRoom.parameters, on: handle)
    case 6: host.measure(handle)
    case 7: host.changeSecurity(of: handle) { $0.pair(at: $1) }
    case 8 where size < 60: host.loseLinks()
    default: break
    }
  }

  /// No more faults; all devices are out of reach. What the hosts believe to have, they end.
  mutating func end() {
    room.faults?.isOver = true
    room.changeAir { [ids = room.controllers] air in for id in ids { air.setInRange(id, false) } }
    room.run(for: .seconds(2))
    for index in room.hosts.indices {
      room.change(index) { host in for link in host.allLinks { host.disconnect(link.handle, .localHost) } }
    }
    room.run(for: .seconds(100))
  }

  /// What is not as it has to be at the end.
  mutating func problem(of index: Int) -> String? {
    let (host, events) = (room.hosts[index], room.takeEvents(of: index))
    var links: Set<LinkHandle> = []
    for event in events {
      switch event {
      case .connected(let link) where !links.insert(link.handle).inserted: return "a link began twice"
      case .disconnected(let handle, _) where links.remove(handle) == nil: return "a link ended twice"
      case .failed: return event == events.last && host.deadline == nil ? nil : "not the end"
      default: break
      }
    }
    if !host.allLinks.isEmpty || !links.isEmpty { return "links \(links) stay" }
    if !host.isSettled { return "a command has no end" }
    return host.deadline.map { "something is due at \($0)" }
  }
}

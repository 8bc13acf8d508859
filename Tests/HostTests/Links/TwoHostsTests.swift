import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import SecurityManager
import TestSupport
import Testing

@testable import Host

@Suite struct TwoHostsTests {
  private static let controllers: [ControllerTraits?] = [nil, .version4(HostRoom.address(0))]

  /// The PDUs of ATT that a host has received.
  private static func pdus(_ events: [HostEvent]) -> [[UInt8]] {
    events.compactMap { if case .received(_, let pdu) = $0 { pdu } else { nil } }
  }

  private static func reasons(_ events: [HostEvent]) -> [HCIError] {
    events.compactMap { if case .disconnected(_, let reason) = $0 { reason } else { nil } }
  }

  @Test(arguments: controllers)
  func `a central connects by the set that it heard, and both exchange PDUs`(traits: ControllerTraits?) throws
  {
    var room = HostRoom.pair(traits)
    let (peripheral, central) = try room.connect()
    let link = try #require(room.hosts[0].link(peripheral))
    #expect(link.set == 0 && !link.isCentral && link.peer == LinkAddress(HostRoom.address(1)))
    #expect(link.local == LinkAddress(HostRoom.address(0)))
    #expect(room.hosts[1].link(central)?.peer == LinkAddress(HostRoom.address(0)))
    room.change(1) { $0.send([0x02, 0x17, 0x00], on: central) }
    room.change(0) { $0.send([0x03, 0x17, 0x00], on: peripheral) }
    room.run(for: .seconds(1))
    #expect(Self.pdus(room.takeEvents(of: 0)) == [[0x02, 0x17, 0x00]])
    #expect(Self.pdus(room.takeEvents(of: 1)) == [[0x03, 0x17, 0x00]])
    #expect(room.mistakes == [])
  }

  @Test(arguments: [27, 30, 251])
  func `long PDUs and many of them arrive whole, in order, both ways`(size: Int) throws {
    var traits = ControllerTraits(HostRoom.address(0))
    (traits.dataPacketSize, traits.dataPacketCount) = (size, 3)
    var room = HostRoom.pair(traits)
    let (peripheral, central) = try room.connect()
    let sent = (0..<60).map { number in (0..<(number * 9 + 1)).map { UInt8(truncatingIfNeeded: number + $0) }
    }
    for pdu in sent {
      room.change(0) { $0.send(pdu, on: peripheral) }
      room.change(1) { $0.send(pdu, on: central) }
    }
    #expect(room.hosts[0].isCongested(peripheral))
    room.run(for: .seconds(60))
    #expect(!room.hosts[0].isCongested(peripheral))
    let events = room.takeEvents(of: 0)
    #expect(Self.pdus(events) == sent)
    #expect(Self.pdus(room.takeEvents(of: 1)) == sent)
    #expect(events.filter { $0 == .drained(peripheral) }.count == 1)
    #expect(room.mistakes == [])
  }

  @Test(arguments: [
    (HCIError.remoteLowResources, HCIError.remoteLowResources), (.micFailure, .remoteUserTerminated),
  ])
  func `each side gets its reason for the end of a link`(given: HCIError, told: HCIError) throws {
    var room = HostRoom.pair()
    let (peripheral, _) = try room.connect()
    room.change(0) { $0.disconnect(peripheral, given) }
    room.run(for: .seconds(1))
    #expect(Self.reasons(room.takeEvents(of: 0)) == [.localHost])
    #expect(Self.reasons(room.takeEvents(of: 1)) == [told])
    try room.connect()  // it advertises again
  }

  @Test func `a link that is lost ends on both sides`() throws {
    var room = HostRoom.pair()
    try room.connect()
    room.changeAir { [id = room.controller(1)] in $0.setInRange(id, false) }
    room.run(for: .seconds(2))
    #expect(Self.reasons(room.takeEvents(of: 0)) == [.supervisionTimeout])
    #expect(Self.reasons(room.takeEvents(of: 1)) == [.supervisionTimeout])
  }

  @Test(arguments: controllers)
  func `a peripheral gets the parameters that it asks for`(traits: ControllerTraits?) throws {
    var room = HostRoom.pair(traits)
    let (peripheral, central) = try room.connect()
    let wanted = PreferredConnectionParameters(interval: 80...80, latency: 2, supervisionTimeout: 300)
    room.change(0) { $0.ask(for: wanted, on: peripheral) }
    room.run(for: .seconds(2))
    let changed = ConnectionParameters(interval: 80, latency: 2, supervisionTimeout: 300)
    #expect(room.hosts[0].link(peripheral)?.parameters == changed)
    #expect(room.hosts[1].link(central)?.parameters == changed)
    #expect(room.takeEvents(of: 0).contains(.changed(peripheral, LinkChange(parameters: changed))))
  }

  @Test func `a central refuses impossible parameters`() throws {
    var room = HostRoom.pair()
    let (peripheral, _) = try room.connect()
    let wanted = PreferredConnectionParameters(interval: 80...80, latency: 2, supervisionTimeout: 10)
    room.change(0) { $0.ask(for: wanted, on: peripheral) }
    room.run(for: .seconds(2))
    #expect(room.takeEvents(of: 0).contains(.parametersRefused(peripheral, .rejected)))
  }

  @Test func `a link is measured`() throws {
    var room = HostRoom.pair()
    let (peripheral, _) = try room.connect()
    room.change(0) { $0.measure(peripheral) }
    room.run(for: .seconds(1))
    let change = LinkChange(phys: Directions(sent: .le1M, received: .le1M), rssi: -60)
    #expect(room.takeEvents(of: 0).contains(.measured(peripheral, change)))
  }

  @Test(arguments: [false, true])
  func `a link belongs to the set by which it began`(terminatesFirst: Bool) throws {
    var traits = ControllerTraits(HostRoom.address(0))
    traits.quirks.terminatesSetsFirst = terminatesFirst
    var room = HostRoom.pair(traits)
    let own = DeviceAddress([0xC0, 1, 2, 3, 4, 5])!
    room.advertise(3, address: own)
    let (handle, _) = try room.connect(to: LinkAddress(own, .random))
    #expect(room.hosts[0].link(handle)?.set == 3)
    #expect(room.hosts[0].link(handle)?.local == LinkAddress(own, .random))
  }

  @Test(arguments: controllers)
  func `a central knows the random address with which it has begun the link`(traits: ControllerTraits?) throws
  {
    let own = DeviceAddress([0xC0, 1, 2, 3, 4, 5])!
    var room = HostRoom.pair(nil, traits)
    var request = ConnectionRequest(
      .device(LinkAddress(HostRoom.address(0))), parameters: HostRoom.parameters)
    request.address = own
    room.change(1) { host in host.changeRadio { $0.initiating.wanted = request } }
    room.run(for: .milliseconds(500))
    #expect(room.hosts[1].allLinks.map(\.local) == [LinkAddress(own, .random)])
    #expect(room.hosts[0].allLinks.map(\.peer) == [LinkAddress(own, .random)])
  }

  @Test(arguments: controllers)
  func `a link keeps the address of its beginning, although another one is wanted`(traits: ControllerTraits?)
  {
    let (first, second) = (DeviceAddress([0x40, 1, 2, 3, 4, 5])!, DeviceAddress([0x41, 1, 2, 3, 4, 5])!)
    var room = HostRoom.pair(traits)
    room.advertise(address: first)
    let request = ConnectionRequest(.device(LinkAddress(first, .random)), parameters: HostRoom.parameters)
    room.change(1) { host in host.changeRadio { $0.initiating.wanted = request } }
    var before = room
    for _ in 0..<500 where room.hosts[0].allLinks.isEmpty {
      before = room
      room.run(for: .milliseconds(1))
    }
    // The command that begins the change crosses the event of the link.
    before.hosts[0].changeRadio { $0.advertising.wanted[0].address = second }
    before.run(for: .milliseconds(1))
    #expect(before.hosts[0].allLinks.map(\.local) == [LinkAddress(first, .random)])
  }

  @Test func `a link whose set the controller does not name begins without it`() throws {
    var traits = ControllerTraits(HostRoom.address(0))
    traits.quirks.eventFaults = [EventFault(0x123E, 0, .lost)]
    var room = HostRoom.pair(traits)
    _ = try? room.connect()
    room.run(for: .seconds(1))
    #expect(room.hosts[0].allLinks.map(\.set) == [nil])
  }

  @Test func `without a Security Manager, pairing is refused and a key is not there`() throws {
    var room = HostRoom.pair()
    let (_, central) = try room.connect()
    // Pairing Request: no input, no output; no bond; key of 16 bytes
    room.change(1) { $0.send(L2CAPFrame(channel: 6, payload: [1, 3, 0, 0, 16, 0, 0]), on: central) }
    room.change(1) {
      $0.enqueue(
        .encrypt(
          central, key: Array(repeating: 1, count: 16), rand: Array(repeating: 0, count: 8), diversifier: 0))
    }
    room.run(for: .seconds(1))
    #expect(room.mistakes == [] && !room.hosts[1].allLinks.isEmpty)
  }

  @Test func `a controller that does not answer has failed`() {
    var traits = ControllerTraits(HostRoom.address(0))
    traits.quirks.eventFaults = [EventFault(0x0E, 3, .lost)]
    var room = HostRoom()
    room.add(traits)
    room.run(for: .seconds(11))
    #expect(room.takeEvents(of: 0) == [.failed(.noAnswer(.readSupportedFeatures))])
    #expect(room.hosts[0].deadline == nil)
  }

  /// LE Connection Complete: success, handle, role of the central, address, parameters
  @Test func `a link that begins with the handle of another ends that one`() throws {
    var room = HostRoom.pair()
    let (_, central) = try room.connect()
    _ = room.takeEvents(of: 1)
    let handle = central.littleEndianBytes
    let event = bytes("04 3E 13 01 00") + handle + bytes("00 00 9E 11 0A 75 32 4C 18 00 00 00 48 00 00")
    room.changeAir { [id = room.controller(1)] in $0.inject(event, from: id) }
    let events = room.takeEvents(of: 1)
    #expect(events.first == .disconnected(central, .unspecifiedError))
    #expect(room.hosts[1].allLinks.map(\.peer) == [LinkAddress(DeviceAddress("4C:32:75:0A:11:9E")!)])
  }

  /// The peripheral of the first waits for its advertising set.
  @Test func `a link that begins with the handle of one that waits ends that one`() {
    var room = HostRoom.pair()
    for role in ["01", "00"] {
      let event = bytes("04 3E 13 01 00 40 00 \(role) 00 9E 11 0A 75 32 4C 18 00 00 00 48 00 00")
      room.changeAir { [id = room.controller(0)] in $0.inject(event, from: id) }
    }
    room.run(for: .seconds(1))
    let links = room.takeEvents(of: 0).compactMap { event -> HostLink? in
      if case .connected(let link) = event { link } else { nil }
    }
    #expect(links.map(\.isCentral) == [true])
  }

  @Test func `a hardware error ends everything`() throws {
    var room = HostRoom.pair()
    try room.connect()
    room.changeAir { [id = room.controller(0)] in $0.inject([0x04, 0x10, 0x01, 0x2A], from: id) }
    #expect(room.takeEvents(of: 0).last == .failed(.hardware(0x2A)))
    #expect(room.hosts[0].allLinks.isEmpty)
  }
}

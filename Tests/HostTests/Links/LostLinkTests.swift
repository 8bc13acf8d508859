import Bluetooth
import ControllerModel
import HCIPackets
import Testing

@testable import Host

/// Links that end without a goodbye because their host resets the controller.
@Suite struct LostLinkTests {
  @Test(arguments: [nil, .version4(HostRoom.address(0))] as [ControllerTraits?])
  func `each side notices the loss, and another link can begin`(traits: ControllerTraits?) throws {
    var room = HostRoom.pair(traits)
    let (peripheral, central) = try room.connect()
    room.change(0) { $0.send([0x03, 0x17, 0x00], on: peripheral) }
    room.change(0) { $0.loseLinks() }
    #expect(room.takeEvents(of: 0).contains(.disconnected(peripheral, .supervisionTimeout)))
    #expect(room.hosts[0].allLinks == [] && room.hosts[1].link(central) != nil)
    room.run(for: .seconds(2))
    #expect(room.takeEvents(of: 1).contains(.disconnected(central, .supervisionTimeout)))
    let (_, new) = try room.connect()
    room.change(1) { $0.send([0x02, 0x17, 0x00], on: new) }
    room.run(for: .seconds(1))
    #expect(room.takeEvents(of: 0).contains { if case .received = $0 { true } else { false } })
    #expect(room.hosts[0].isSettled && room.mistakes == [])
  }

  @Test func `what is wanted during the reset takes effect after it`() throws {
    var room = HostRoom.pair()
    try room.connect()
    var isChanged = false
    room.onEvent = { index, event, host in
      guard index == 0, case .disconnected = event, !isChanged else { return }
      isChanged = host.radio != nil
      host.changeRadio { radio in
        var set = radio.advertising.wanted[0]
        set.handle = 3
        radio.advertising.wanted = [set]
      }
    }
    room.change(0) { $0.loseLinks() }
    room.run(for: .seconds(2))
    #expect(isChanged)
    #expect(room.hosts[0].radio?.advertising.wanted.map(\.handle) == [3])
    try room.connect()
    #expect(room.hosts[0].allLinks.map(\.set) == [3])
  }

  @Test func `a controller that is not understood any more starts anew, whatever it was asked`() throws {
    var room = HostRoom.pair()
    let (peripheral, _) = try room.connect()
    room.change(0) { host in
      host.disconnect(peripheral, .remoteUserTerminated)
      _ = host.advance(to: host.now)
      let recovers = host.recover()
      #expect(recovers && host.packets.isEmpty)
    }
    #expect(room.takeEvents(of: 0).contains(.disconnected(peripheral, .supervisionTimeout)))
    room.run(for: .seconds(2))
    #expect(room.hosts[0].isSettled && room.hosts[0].allLinks == [])
    try room.connect()
    #expect(room.mistakes == [])
  }

  @Test func `a host that has not started, or has failed, loses nothing`() {
    var host = Host()
    host.loseLinks()
    let recovers = host.recover()
    #expect(host.takeEvents() == [] && !recovers)
  }
}

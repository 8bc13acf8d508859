import Bluetooth
import ControllerModel
import HCIPackets
import SecurityManager
import Testing

@testable import Host

/// Devices to which only some centrals may connect.
@Suite struct AcceptedPeerTests {
  private static let key = [UInt8](1...16)
  private static let identity = LinkAddress(DeviceAddress("C4:7C:8D:6A:21:0B")!, .random)

  /// A private address that was made with a key: hash, prand.
  private static func privateAddress(_ key: [UInt8], _ number: UInt8) -> DeviceAddress {
    let prand: [UInt8] = [number, 0x22, 0x41]
    return DeviceAddress(Array((SecurityToolbox.ah(key, prand) + prand).reversed()))!
  }

  private static func room(_ traits: ControllerTraits? = nil, accepting peers: [AcceptedPeer]) -> HostRoom {
    var room = HostRoom.pair(traits)
    accept(peers, in: &room)
    return room
  }

  private static func accept(_ peers: [AcceptedPeer], in room: inout HostRoom) {
    room.change(0) { host in
      host.changeRadio { radio in
        radio.advertising.wanted[0].parameters.isFiltered = true
        radio.acceptList.wanted = peers.map(\.address)
        radio.resolvingList.wanted = peers.filter { $0.key != nil }
      }
    }
  }

  /// Whether a central with this address gets a link.
  private static func connects(_ address: DeviceAddress?, in room: inout HostRoom) -> Bool {
    var request = ConnectionRequest(
      .device(LinkAddress(HostRoom.address(0))), parameters: HostRoom.parameters)
    request.address = address
    room.change(1) { host in host.changeRadio { $0.initiating.wanted = request } }
    room.run(for: .seconds(1))
    let isConnected = !room.hosts[0].allLinks.isEmpty
    room.change(1) { host in
      host.changeRadio { $0.initiating.wanted = nil }
      for link in host.allLinks { host.disconnect(link.handle, .remoteUserTerminated) }
    }
    room.run(for: .seconds(1))
    return isConnected
  }

  @Test(arguments: [nil, .version4(HostRoom.address(0))] as [ControllerTraits?])
  func `a central that is not accepted gets no answer`(traits: ControllerTraits?) {
    let own = DeviceAddress("C0:00:00:00:00:07")!
    var room = Self.room(traits, accepting: [AcceptedPeer(LinkAddress(own, .random))])
    #expect(!Self.connects(DeviceAddress("C0:00:00:00:00:08")!, in: &room))
    #expect(Self.connects(own, in: &room))
    Self.accept([], in: &room)
    #expect(!Self.connects(own, in: &room))
    #expect(room.mistakes == [])
  }

  @Test func `an accepted central is recognized by its private addresses, and by its identity address`()
    throws
  {
    var room = Self.room(accepting: [AcceptedPeer(Self.identity, key: Self.key)])
    #expect(!Self.connects(Self.privateAddress([UInt8](2...17), 1), in: &room))
    for number in 1...3 as ClosedRange<UInt8> {
      _ = room.takeEvents(of: 0)
      let address = Self.privateAddress(Self.key, number)
      #expect(Self.connects(address, in: &room))
      let link = try #require(
        room.takeEvents(of: 0).compactMap { if case .connected(let link) = $0 { link } else { nil } }.first)
      // Pairing is computed with the addresses that were used.
      #expect(link.peer == LinkAddress(address, .random))
    }
    #expect(Self.connects(Self.identity.address, in: &room))
    Self.accept([], in: &room)
    #expect(!Self.connects(Self.privateAddress(Self.key, 1), in: &room))
    #expect(room.mistakes == [])
  }

  @Test func `a controller without a resolving list, or with too short a list, lets every central connect`() {
    for traits in [ControllerTraits.version4(HostRoom.address(0)), nil] {
      var traits = traits ?? ControllerTraits(HostRoom.address(0))
      traits.acceptListSize = 2
      let key = traits.features.contains(.privacy) ? nil : Self.key
      let others = (1...2).map { AcceptedPeer(LinkAddress(HostRoom.address(40 + $0))) }
      var room = Self.room(
        traits, accepting: [AcceptedPeer(Self.identity, key: key)] + (key == nil ? others : []))
      #expect(Self.connects(DeviceAddress("C0:00:00:00:00:08")!, in: &room))
      Self.accept([AcceptedPeer(Self.identity)], in: &room)
      #expect(!Self.connects(DeviceAddress("C0:00:00:00:00:08")!, in: &room))
      #expect(room.mistakes == [])
    }
  }
}

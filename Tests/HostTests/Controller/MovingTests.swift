import Bluetooth
import ControllerModel
import Testing

@testable import Host

/// A controller that its host moves.
@Suite struct MovingTests {
  private func room() -> HostRoom {
    var traits = ControllerTraits(HostRoom.address(0))
    traits.isMovable = true
    return HostRoom.pair(traits)
  }

  private func path(_ change: (inout RadioPath) -> Void) -> RadioPath {
    var path = RadioPath()
    change(&path)
    return path
  }

  private func move(_ room: inout HostRoom, to path: RadioPath) -> Bool {
    var isMoved = false
    room.change(0) { isMoved = $0.move(to: path) }
    return isMoved
  }

  @Test func `out of range, both sides lose the link, and back in range another begins`() throws {
    var room = room()
    let (peripheral, central) = try room.connect()
    #expect(move(&room, to: path { $0.isInRange = false }))
    room.run(for: .seconds(40))
    #expect(room.takeEvents(of: 0).contains(.disconnected(peripheral, .supervisionTimeout)))
    #expect(room.takeEvents(of: 1).contains(.disconnected(central, .supervisionTimeout)))
    #expect(move(&room, to: RadioPath()))
    try room.connect()
    #expect(room.mistakes == [])
  }

  @Test func `it is heard as strongly as its host says, also after a reset`() throws {
    var room = room()
    try room.connect()
    #expect(move(&room, to: path { $0.rssi = -90 }))
    room.change(0) { $0.loseLinks() }
    room.run(for: .seconds(40))
    let (_, central) = try room.connect()
    room.change(1) { $0.measure(central) }
    let measured = LinkChange(phys: Directions(sent: .le1M, received: .le1M), rssi: -90)
    #expect(room.takeEvents(of: 1).contains(.measured(central, measured)))
  }

  @Test func `a controller of no virtual radio stays where it is`() {
    var room = HostRoom.pair()
    #expect(!move(&room, to: path { $0.isInRange = false }))
    #expect(room.hosts[0].isSettled && room.mistakes == [])
  }
}

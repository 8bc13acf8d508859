import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import TestSupport
import Testing

@testable import Host

/// Links that a host ends by itself. The controller of the host is cut off, so that it neither gets rid of packets nor answers.
@Suite struct PeerFaultTests {
  /// A host with a link, and the time.
  private static func host() throws -> (Host, LinkHandle, Instant) {
    var room = HostRoom.pair()
    let (handle, _) = try room.connect()
    _ = room.takeEvents(of: 0)
    return (room.hosts[0], handle, room.now)
  }

  /// HCI Disconnect with Remote Device Terminated due to Low Resources.
  private static func goodbye(_ handle: LinkHandle) -> [UInt8] {
    [0x01, 0x06, 0x04, 0x03] + handle.littleEndianBytes + [0x14]
  }

  private static func disconnection(_ handle: LinkHandle) -> [UInt8] {
    [0x04, 0x05, 0x04, 0x00] + handle.littleEndianBytes + [0x16]
  }

  /// Number Of Completed Packets: one.
  private static func completed(_ handle: LinkHandle) -> [UInt8] {
    [0x04, 0x13, 0x05, 0x01] + handle.littleEndianBytes + [0x01, 0x00]
  }

  @Test func `a peer that acknowledges nothing for 45 s loses its link`() throws {
    var (host, handle, now) = try Self.host()
    host.send([0x0B, 0x41], on: handle)
    host.send([0x0B, 0x42], on: handle)
    now = now.advanced(by: .seconds(40))
    host.receive(Self.completed(handle)[...], at: now)
    host.advance(to: now.advanced(by: .milliseconds(44_999)))
    #expect(host.takeEvents() == [] && !host.packets.all.contains(Self.goodbye(handle)))
    now = now.advanced(by: .seconds(45))
    let due = try #require(host.deadline)
    #expect(due <= now)
    host.advance(to: now)
    #expect(host.takeEvents() == [.givenUp(handle, .acknowledgesNothing)])
    #expect(host.packets.all.last == Self.goodbye(handle))
    host.receive(Self.disconnection(handle)[...], at: now)
    #expect(host.takeEvents() == [.disconnected(handle, .supervisionTimeout)])
  }

  @Test func `a link that sends nothing goes on`() throws {
    var (host, handle, now) = try Self.host()
    host.send([0x0B, 0x41], on: handle)
    host.receive(Self.completed(handle)[...], at: now)
    for _ in 0..<3 {
      now = now.advanced(by: .seconds(60))
      host.advance(to: now)
    }
    #expect(host.takeEvents() == [] && host.deadline == nil)
    host.send([0x0B, 0x41], on: handle)
    host.advance(to: now.advanced(by: .seconds(44)))
    #expect(host.takeEvents() == [])
  }

  /// Channel, then a request that the host answers by itself: an unknown command of the signalling channel, Pairing Request
  @Test(arguments: ["05 00 08 01 00 00", "06 00 01 03 00 01 10 00 00"])
  func `a peer that takes no answers loses its link`(request: String) throws {
    var (host, handle, now) = try Self.host()
    let frame = bytes(request)
    let packet =
      [0x02] + (handle | 0x2000).littleEndianBytes + UInt16(frame.count + 2).littleEndianBytes
      + UInt16(frame.count - 2).littleEndianBytes + frame
    for _ in 0..<6000 { host.receive(packet[...], at: now) }
    #expect(host.takeEvents() == [.givenUp(handle, .takesNoAnswers)])
    host.advance(to: now)
    #expect(host.packets.all.last == Self.goodbye(handle))
    now = now.advanced(by: .seconds(1))
    host.receive(Self.disconnection(handle)[...], at: now)
    #expect(host.takeEvents() == [.disconnected(handle, .localHost)])
  }

  @Test func `a device may have any number of notifications wait, but not of answers`() throws {
    var (host, handle, _) = try Self.host()
    for _ in 0..<20_000 { host.send([0x1B, 0x17, 0x00, 0x41], on: handle) }
    for _ in 0..<PeerFault.mostAnswers { host.send([0x0B, 0x41], on: handle) }
    #expect(host.takeEvents() == [])
    host.send([0x0B, 0x41], on: handle)
    #expect(host.takeEvents() == [.givenUp(handle, .takesNoAnswers)])
  }
}

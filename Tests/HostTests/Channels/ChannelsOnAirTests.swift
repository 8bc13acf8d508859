import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import TestSupport
import Testing

@testable import Host

/// Channels between two hosts.
@Suite struct ChannelsOnAirTests {
  private struct NotOpen: Error {}

  /// A channel between a peripheral, which offers it, and a central.
  private struct Channel {
    var room: HostRoom
    let peripheral, central: LinkHandle
    let own, peer: ChannelIdentifier

    init(traits: ControllerTraits? = nil, _ offered: ChannelTerms, _ asked: ChannelTerms) throws {
      room = HostRoom.pair(traits)
      (peripheral, central) = try room.connect()
      room.change(0) { [peripheral] in $0.offer([ChannelOffer(spsm: 0x80, offered)], on: peripheral) }
      room.change(1) { [central] in _ = $0.openChannel(0x80, asked, on: central) }
      room.run(for: .seconds(1))
      guard case .channel(_, let own, .opened)? = room.takeEvents(of: 0).last,
        case .channel(_, let peer, .opened)? = room.takeEvents(of: 1).last
      else { throw NotOpen() }
      (self.own, self.peer) = (own, peer)
    }
  }

  private static func events(_ events: [HostEvent]) -> [ChannelEvent] {
    events.compactMap { if case .channel(_, _, let event) = $0 { event } else { nil } }
  }

  private static func sdus(_ events: [HostEvent]) -> [[UInt8]] {
    Self.events(events).compactMap { if case .received(let sdu) = $0 { sdu } else { nil } }
  }

  /// Long SDUs need more K-frames than there are credits.
  @Test(arguments: [1, 2, 10], [27, 251])
  func `SDUs arrive whole and in order, both ways, next to ATT`(credits: UInt16, size: Int) throws {
    var traits = ControllerTraits(HostRoom.address(0))
    (traits.dataPacketSize, traits.dataPacketCount) = (size, 3)
    let terms = ChannelTerms(mtu: 500, mps: 64, credits: credits)
    var channel = try Channel(traits: traits, terms, terms)
    let sent = (0..<40).map { number in (0..<(number * 12)).map { UInt8(truncatingIfNeeded: number + $0) } }
    for sdu in sent {
      channel.room.change(0) { $0.send(sdu, in: channel.own, on: channel.peripheral) }
      channel.room.change(1) { $0.send(sdu, in: channel.peer, on: channel.central) }
    }
    #expect(channel.room.hosts[0].isCongested(channel.own, on: channel.peripheral))
    channel.room.change(0) { $0.send([0x1B, 1, 0, 7], on: channel.peripheral) }
    channel.room.run(for: .seconds(1))
    let early = channel.room.takeEvents(of: 1)
    #expect(early.contains(.received(channel.central, [0x1B, 1, 0, 7])))  // does not wait for the channel
    channel.room.run(for: .seconds(100))
    let events = channel.room.takeEvents(of: 0)
    #expect(Self.sdus(events) == sent)
    #expect(Self.sdus(early + channel.room.takeEvents(of: 1)) == sent)
    #expect(Self.events(events).filter { $0 == .drained }.count == 1)
    #expect(!channel.room.hosts[0].isCongested(channel.own, on: channel.peripheral))
    #expect(channel.room.mistakes == [])
  }

  @Test(arguments: [0, 1]) func `either side closes the channel`(side: Int) throws {
    let terms = ChannelTerms(mtu: 100, mps: 100, credits: 1)
    var channel = try Channel(terms, terms)
    channel.room.change(0) {
      for _ in 0..<3 { $0.send([UInt8](repeating: 1, count: 60), in: channel.own, on: channel.peripheral) }
      if side == 0 { $0.closeChannel(channel.own, on: channel.peripheral) }
    }
    if side == 1 { channel.room.change(1) { $0.closeChannel(channel.peer, on: channel.central) } }
    channel.room.run(for: .seconds(1))
    let ends = [channel.room.takeEvents(of: 0), channel.room.takeEvents(of: 1)].map {
      Self.events($0).compactMap { event -> (ChannelEnd, Int)? in
        if case .closed(let end, let unsent) = event { (end, unsent) } else { nil }
      }
    }
    #expect(ends.map(\.count) == [1, 1])
    #expect(ends[side].first?.0 == .byThisSide && ends[1 - side].first?.0 == .byPeer)
    #expect(ends[0].first?.1 == 120)
    #expect(channel.room.hosts[0].maximumSDU(in: channel.own, on: channel.peripheral) == nil)
  }

  @Test func `a channel ends with its link, which says what has not gone`() throws {
    let terms = ChannelTerms(mtu: 100, mps: 100, credits: 1)
    var channel = try Channel(terms, terms)
    channel.room.change(0) {
      for _ in 0..<2 { $0.send([1, 2, 3], in: channel.own, on: channel.peripheral) }
      $0.disconnect(channel.peripheral, .remoteUserTerminated)
    }
    channel.room.run(for: .seconds(1))
    let events = channel.room.takeEvents(of: 0)
    #expect(
      events.suffix(2) == [
        .channel(channel.peripheral, channel.own, .closed(.link, unsent: 3)),
        .disconnected(channel.peripheral, .localHost),
      ])
  }

  /// Otherwise a peer that does not answer would never be given up.
  @Test func `a host is called again while a channel waits for an answer`() throws {
    var room = HostRoom.pair()
    let (_, central) = try room.connect()
    room.run(for: .seconds(1))
    #expect(room.hosts[1].deadline == nil)
    room.change(1) { _ = $0.openChannel(0x80, ChannelTerms(mtu: 100, mps: 100, credits: 1), on: central) }
    let patience = Duration.seconds(30)
    #expect(try #require(room.hosts[1].deadline) <= room.now.advanced(by: patience))
    room.run(for: .seconds(1))
    // Only whether the packets have left the controller is looked at later.
    #expect(try #require(room.hosts[1].deadline) > room.now.advanced(by: patience))
  }

  @Test func `a central asks for a channel that a device does not offer`() throws {
    var room = HostRoom.pair()
    let (_, central) = try room.connect()
    let terms = ChannelTerms(mtu: 100, mps: 100, credits: 1)
    room.change(1) { _ = $0.openChannel(0x80, terms, on: central) }
    room.run(for: .seconds(1))
    #expect(Self.events(room.takeEvents(of: 1)) == [.refused(.refused(.unsupportedSPSM))])
    #expect(Self.events(room.takeEvents(of: 0)) == [])
  }
}

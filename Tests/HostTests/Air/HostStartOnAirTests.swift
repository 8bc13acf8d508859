import Bluetooth
import ControllerModel
import Framing
import Testing

@testable import Host

@Suite struct HostStartOnAirTests {
  private static let address = DeviceAddress("00:1A:7D:DA:71:13")!

  /// Starts a host on a controller of the model.
  private func start(
    _ traits: ControllerTraits, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [HostEvent] {
    var (host, air) = (Host(), Air())
    let controller = air.add(traits)
    host.advance(to: air.now)
    while !host.packets.isEmpty {
      var start = 0
      for end in host.packets.ends {
        air.send(Array(host.packets.bytes[start..<end]), to: controller)
        start = end
      }
      host.sentPackets()
      for packet in air.take(from: controller) { host.receive(packet[...], at: air.now) }
      host.advance(to: air.now)
    }
    #expect(air.mistakes(by: controller).isEmpty, sourceLocation: sourceLocation)
    return host.takeEvents()
  }

  private func started(_ traits: ControllerTraits) -> ControllerAbilities? {
    guard case .started(let abilities) = start(traits).first else { return nil }
    return abilities
  }

  @Test func `a controller with everything`() throws {
    let abilities = try #require(started(ControllerTraits(Self.address)))
    #expect(abilities.address == Self.address && abilities.version == 11)
    #expect(abilities.packetSize == 251 && abilities.packetCount == 8)
    #expect(abilities.longestBytes == 251 && abilities.longestTime == 2120)
    #expect(abilities.hasExtendedAdvertising && abilities.hasLE2M && abilities.hasLECoded)
    #expect(abilities.advertisingSetCount == 4 && abilities.mostAdvertisingData == 1650)
    #expect(abilities.acceptListSize == 8 && abilities.resolvingListSize == 8)
  }

  @Test func `a controller of Bluetooth 4`() throws {
    let abilities = try #require(started(.version4(Self.address)))
    #expect(abilities.packetSize == 27 && abilities.version == 6)
    #expect(!abilities.hasExtendedAdvertising && !abilities.hasLE2M && abilities.resolvingListSize == 0)
  }

  @Test func `a controller whose buffers are shared with BR EDR`() throws {
    var traits = ControllerTraits(Self.address)
    traits.sharesDataPackets = true
    (traits.dataPacketSize, traits.dataPacketCount) = (200, 3)
    let abilities = try #require(started(traits))
    #expect(abilities.packetSize == 200 && abilities.packetCount == 3)
  }

  @Test func `a controller that grants credits later`() throws {
    var traits = ControllerTraits(Self.address)
    traits.quirks.grantsCreditsLater = true
    let abilities = try #require(started(traits))
    #expect(abilities.resolvingListSize == 8)
  }

  @Test(arguments: [true, false])
  func `a controller that does not know a command that a host needs`(completes: Bool) {
    var traits = ControllerTraits(Self.address)
    traits.missingCommands = [0x2001]
    traits.quirks.completesUnknownCommands = completes
    #expect(start(traits) == [.failed(.refused(.setLowEnergyEventMask, .unknownCommand))])
  }
}

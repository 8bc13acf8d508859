import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

/// The random address that legacy advertising, scanning and initiating have together.
@Suite struct SharedAddressTests {
  private static func scan(_ address: DeviceAddress?) -> Scan {
    var scan = Scan(isActive: true)
    scan.address = address
    return scan
  }

  private static func radio(_ abilities: ControllerAbilities, _ address: DeviceAddress?) -> RadioState {
    var radio = RadioState(abilities)
    radio.advertising.wanted = [.sample { $0.address = .random(1) }]
    radio.scanning.wanted = scan(address)
    radio.initiating.wanted = .sample()
    _ = radio.settle()
    return radio
  }

  private static let cancelled = HCIEvent.connectionFailed(.unknownConnectionIdentifier)

  @Test func `all of them pause for a new address, and advertising for the shortest time`() {
    var radio = Self.radio(.legacy, nil)
    radio.advertising.wanted[0].address = .random(2)
    #expect(radio.settle() == ["cancel", "stop scan"])
    _ = radio.take(Self.cancelled)
    #expect(radio.settle() == ["disable", "random address 2", "enable", "create", "scan"])
  }

  @Test func `advertising sets have addresses of their own`() {
    var radio = Self.radio(.extended, .random(3))
    radio.advertising.wanted[0].address = .random(2)
    #expect(radio.settle() == ["disable 1", "address 1", "enable 1"])
    radio.scanning.wanted?.address = .random(4)
    #expect(radio.settle() == ["cancel", "stop scan"])
    _ = radio.take(Self.cancelled)
    #expect(radio.settle() == ["random address 4", "create", "scan"])
  }

  @Test func `a scan waits while legacy advertising has another address`() {
    var radio = Self.radio(.legacy, .random(1))
    radio.scanning.wanted?.address = .random(2)
    #expect(radio.settle() == ["stop scan"])
    radio.advertising.wanted = []
    #expect(radio.settle() == ["cancel", "disable"])
    _ = radio.take(Self.cancelled)
    #expect(radio.settle() == ["random address 2", "create", "scan"])
  }

  @Test func `nothing begins with an address that the controller refuses`() {
    var radio = RadioState(.legacy)
    radio.advertising.wanted = [.sample { $0.address = .random(1) }]
    radio.scanning.wanted = Self.scan(nil)
    let words = radio.settle(refusing: ["random address 1": .invalidParameters])
    #expect(words == ["random address 1", "refused", "scan parameters", "scan"])
    radio.advertising.wanted[0].address = .random(2)
    #expect(
      radio.settle() == [
        "stop scan", "random address 2", "parameters type 0", "data", "enable", "scan",
      ])
  }

  @Test func `the address stays while something that has it cannot stop`() {
    var radio = Self.radio(.legacy, nil)
    radio.initiating.wanted = nil
    _ = radio.settle()
    _ = radio.take(Self.cancelled)
    radio.advertising.wanted[0].address = .random(2)
    let words = radio.settle(refusing: ["disable": .commandDisallowed])
    #expect(words == ["stop scan", "disable", "refused"])
    _ = radio.take(.disconnected(0x40, .remoteUserTerminated))
    #expect(radio.settle() == ["disable", "random address 2", "enable", "scan"])
  }
}

import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct AcceptListTests {
  private static func devices(_ numbers: [UInt8]) -> [LinkAddress] {
    numbers.map { LinkAddress(.random($0), .random) }
  }

  @Test(
    arguments: [
      ([], [1, 2], ["list 1", "list 2"]), ([1, 2], [1, 2], []), ([1, 2], [2, 1], []),
      ([1, 2], [2, 3], ["unlist 1", "list 3"]), ([1, 2, 3], [3, 1], ["unlist 2"]), ([1], [], ["unlist 1"]),
      ([1, 2], [], ["clear list"]), ([1, 2, 3, 4], [4, 5], ["clear list", "list 4", "list 5"]),
      ([], [1, 1], ["list 1"]),
    ] as [([UInt8], [UInt8], [String])])
  func `the list takes no more commands than it needs`(from: [UInt8], to: [UInt8], expected: [String]) {
    var radio = RadioState(.legacy)
    radio.acceptList.wanted = Self.devices(from)
    _ = radio.settle()
    radio.acceptList.wanted = Self.devices(to)
    #expect(radio.settle() == expected)
  }

  @Test func `a list with more devices than the controller has room for stays as it is`() {
    var radio = RadioState(.legacy)
    radio.acceptList.wanted = Self.devices([1, 2, 3, 4, 5])
    #expect(radio.acceptList.problem(.legacy) == .tooManyDevices(5, most: 4))
    #expect(radio.settle() == [])
  }

  @Test func `a refused device is not asked for again`() {
    var radio = RadioState(.legacy)
    radio.acceptList.wanted = Self.devices([1, 2])
    let words = radio.settle(refusing: ["list 2": .memoryCapacityExceeded])
    #expect(words == ["list 1", "list 2", "refused"])
    #expect(radio.settle() == [])
    _ = radio.take(.disconnected(0x40, .remoteUserTerminated))
    #expect(radio.settle() == ["list 2"])
  }

  @Test func `what uses the list pauses while it changes`() {
    var radio = RadioState(.legacy)
    radio.acceptList.wanted = Self.devices([1])
    var scan = Scan(isActive: false)
    scan.isAcceptListOnly = true
    radio.scanning.wanted = scan
    radio.initiating.wanted = .sample(.acceptList)
    #expect(radio.settle() == ["list 1", "create", "scan parameters", "scan"])
    radio.acceptList.wanted = Self.devices([1, 2])
    #expect(radio.settle() == ["cancel", "stop scan"])
    #expect(radio.take(.connectionFailed(.unknownConnectionIdentifier)) == [])
    #expect(radio.settle() == ["list 2", "create", "scan"])
  }

  @Test func `what does not use the list goes on while it changes`() {
    var radio = RadioState(.legacy)
    radio.scanning.wanted = Scan(isActive: false)
    radio.initiating.wanted = .sample()
    radio.advertising.wanted = [.sample()]
    _ = radio.settle()
    radio.acceptList.wanted = Self.devices([1])
    #expect(radio.settle() == ["list 1"])
  }
}

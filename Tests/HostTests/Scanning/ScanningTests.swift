import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct ScanningTests {
  private static func changed(_ change: (inout Scan?) -> Void) -> Scan? {
    var scan: Scan? = Scan(isActive: true)
    change(&scan)
    return scan
  }

  private static func scan(_ change: (inout Scan) -> Void) -> Scan {
    var scan = Scan(isActive: true)
    change(&scan)
    return scan
  }

  @Test(
    arguments: [
      (changed { _ in }, []), (changed { $0 = nil }, ["stop scan"]),
      // Only the filter changes during a scan.
      (changed { $0?.filtersDuplicates = true }, ["scan"]),
      (changed { $0?.isActive = false }, ["stop scan", "scan parameters", "scan"]),
      (changed { $0?.window = 0x30 }, ["stop scan", "scan parameters", "scan"]),
      (changed { $0?.isAcceptListOnly = true }, ["stop scan", "scan parameters", "scan"]),
      (changed { $0?.address = .random(1) }, ["stop scan", "random address 1", "scan parameters", "scan"]),
    ] as [(Scan?, [String])], [ControllerAbilities.legacy, .extended])
  func `a change takes no more commands than it needs`(
    change: (Scan?, [String]), abilities: ControllerAbilities
  ) {
    var radio = RadioState(abilities)
    radio.scanning.wanted = Scan(isActive: true)
    #expect(radio.settle() == ["scan parameters", "scan"])
    radio.scanning.wanted = change.0
    #expect(radio.settle() == change.1)
  }

  @Test func `a scan that is wanted again has kept its parameters`() {
    var radio = RadioState(.legacy)
    radio.scanning.wanted = Scan(isActive: true)
    #expect(radio.settledEvents() == [.scanningBegan])
    radio.scanning.wanted = nil
    #expect(radio.settledEvents() == [.scanningStopped])
    radio.scanning.wanted = Scan(isActive: true)
    #expect(radio.settle() == ["scan"])
  }

  @Test(arguments: ["scan parameters", "scan"])
  func `a refused scan waits until something changes`(refused: String) {
    var radio = RadioState(.legacy)
    radio.scanning.wanted = Scan(isActive: true)
    #expect(radio.settle(refusing: [refused: .invalidParameters]).suffix(2) == [refused, "refused"])
    _ = radio.take(.disconnected(0x40, .remoteUserTerminated))
    #expect(radio.settle() == [])
    radio.scanning.wanted?.window = 0x30
    #expect(radio.settle() == ["scan parameters", "scan"])
    radio.scanning.wanted?.filtersDuplicates = true
    #expect(radio.settle(refusing: ["scan": .commandDisallowed]) == ["scan", "refused"])
    _ = radio.take(.connectionFailed(.unknownConnectionIdentifier))
    #expect(radio.settle() == ["scan"])
  }

  @Test(
    arguments: [
      (
        scan {
          $0.interval = 3; $0.window = 3
        }, .extended, [.interval(3, 4...0xFFFF), .window(3)]
      ),
      (scan { $0.interval = 0x4001 }, .legacy, [.interval(0x4001, 4...0x4000)]),
      (scan { $0.interval = 0x4001 }, .extended, []),
      (scan { $0.window = 0x61 }, .legacy, [.window(0x61)]),
      (scan { $0.phys = [.le1M, .leCoded] }, .extended, []),
      (scan { $0.phys = [.le1M, .leCoded] }, .legacy, [.phys(.leCoded)]),
      (scan { $0.phys = .le2M }, .extended, [.phys(.le2M)]),
      (scan { $0.phys = [] }, .legacy, [.phys([])]),
      (scan { _ in }, .legacy.with { $0.address = DeviceAddress([0, 0, 0, 0, 0, 0])! }, [.noPublicAddress]),
    ] as [(Scan, ControllerAbilities, [ScanProblem])])
  func `a problem is found before anything is sent`(
    scan: Scan, abilities: ControllerAbilities, problems: [ScanProblem]
  ) {
    #expect(scan.problems(abilities) == problems)
    var radio = RadioState(abilities)
    radio.scanning.wanted = scan
    #expect(radio.settle().isEmpty == !problems.isEmpty)
  }
}

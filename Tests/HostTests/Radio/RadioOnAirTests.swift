import Bluetooth
import ControllerModel
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct RadioOnAirTests {
  private static let first = DeviceAddress("00:1A:7D:DA:71:01")!
  private static let second = DeviceAddress("00:1A:7D:DA:71:02")!

  /// 0 advertises; 1 scans on all channels.
  private static func radios(_ traits: (DeviceAddress) -> ControllerTraits) throws -> RadiosOnAir {
    var radios = RadiosOnAir()
    try radios.add(traits(first))
    try radios.add(traits(second))
    var scan = Scan(isActive: true)
    if radios[1].abilities.hasLECoded { scan.phys = [.le1M, .leCoded] }
    radios[1].scanning.wanted = scan
    return radios
  }

  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  private static let legacy: [AdvertisingSet] = [
    .sample { $0.scanResponse = bytes(31) }, .sample(1, .legacy) { $0.address = .random(1) },
    .sample(1, [.legacy, .scannable]) { $0.scanResponse = [2, 10, 0] },
    .sample(1, [.legacy, .connectable, .directed]) {
      ($0.data, $0.parameters.target) = ([], LinkAddress(second))
    },
  ]

  private static let extended: [AdvertisingSet] = [
    .sample(1, []) { $0.data = bytes(1200) }, .sample(1, .connectable) { $0.data = bytes(200) },
    .sample(1, .scannable) { ($0.data, $0.scanResponse, $0.address) = ([], bytes(500), .random(2)) },
    .sample(1, []) { ($0.parameters.phy, $0.data) = (.coded, bytes(300)) },
    .sample(1, .connectable) { $0.parameters.phy = .le2M },
  ]

  @Test(arguments: legacy.map { ($0, false) } + (legacy + extended).map { ($0, true) })
  func `a set is heard as it is wanted`(set: AdvertisingSet, isExtended: Bool) throws {
    var radios = try Self.radios { isExtended ? ControllerTraits($0) : .version4($0) }
    radios[0].advertising.wanted = [set]
    radios.run(2000)
    let reports = radios.takeReports(1)
    let address = set.address.map { LinkAddress($0, .random) } ?? LinkAddress(Self.first)
    #expect(!reports.isEmpty && reports.allSatisfy { $0.address == address })
    let isResponse = { (report: AdvertisingReport) in report.properties.contains(.scanResponse) }
    #expect(Self.data(of: reports.filter { !isResponse($0) }) == set.data)
    if !set.scanResponse.isEmpty { #expect(Self.data(of: reports.filter(isResponse)) == set.scanResponse) }
    #expect(radios.takeEvents(0) == [.advertisingBegan(1)] && radios.mistakes.isEmpty)
  }

  /// The data of the first whole advertisement.
  private static func data(of reports: [AdvertisingReport]) -> [UInt8] {
    var data: [UInt8] = []
    for report in reports {
      data += report.data
      if !report.properties.contains(.incomplete) { break }
    }
    return data
  }

  @Test(arguments: [true, false])
  func `a set begins again after a link through it`(isExtended: Bool) throws {
    var radios = try Self.radios { isExtended ? ControllerTraits($0) : .version4($0) }
    radios[0].advertising.wanted = [.sample(2) { $0.address = .random(2) }]
    radios.run(500)
    radios[1].initiating.wanted = .sample(.device(LinkAddress(.random(2), .random)))
    radios.run(1000)
    #expect(radios[1].initiating.wanted == nil)
    #expect(
      radios.takeEvents(0) == [
        .advertisingBegan(2), .advertisingConnected(2, 0x40), .advertisingBegan(2),
      ])
    _ = radios.takeReports(1)
    radios.run(500)
    #expect(!radios.takeReports(1).isEmpty)
    radios[0].advertising.wanted[0].address = .random(3)
    radios.run(500)
    #expect(radios.takeReports(1).last?.address == LinkAddress(.random(3), .random))
    #expect(radios.mistakes.isEmpty)
  }

  @Test(arguments: [true, false])
  func `directed advertising goes on with a low duty cycle`(isExtended: Bool) throws {
    var radios = try Self.radios { isExtended ? ControllerTraits($0) : .version4($0) }
    radios[1].scanning.wanted = nil
    radios[0].advertising.wanted = [
      .sample(1, [.legacy, .connectable, .directed, .highDutyCycle]) {
        ($0.data, $0.parameters.target) = ([], LinkAddress(Self.second))
      }
    ]
    radios.run(3000)
    #expect(
      radios.takeEvents(0) == [.advertisingBegan(1), .advertisingTimedOut(1), .advertisingBegan(1)])
    radios[1].initiating.wanted = .sample(.device(LinkAddress(Self.first)))
    radios.run(1000)
    #expect(radios.takeEvents(0).contains(.advertisingConnected(1, 0x40)))
    #expect(radios.mistakes.isEmpty)
  }

  @Test(arguments: [true, false])
  func `only devices of the accept list are heard and connected`(isExtended: Bool) throws {
    var radios = try Self.radios { isExtended ? ControllerTraits($0) : .version4($0) }
    radios[0].advertising.wanted = [.sample()]
    radios[1].scanning.wanted?.isAcceptListOnly = true
    radios[1].initiating.wanted = .sample(.acceptList)
    radios[1].acceptList.wanted = [LinkAddress(.random(9), .random)]
    radios.run(1000)
    #expect(radios.takeReports(1).isEmpty && radios[1].initiating.wanted != nil)
    radios[1].acceptList.wanted = [LinkAddress(Self.first)]
    radios.run(1000)
    #expect(!radios.takeReports(1).isEmpty && radios[1].initiating.wanted == nil)
    #expect(radios.mistakes.isEmpty)
  }

  @Test(arguments: [true, false])
  func `controllers refuse nothing of random wishes`(isExtended: Bool) throws {
    for seed in 0..<UInt64(Sample.rounds(of: 10)) {
      var radios = try Self.radios { isExtended ? ControllerTraits($0) : .version4($0) }
      var walk = RadioWalk(radios[0].abilities, seed: seed)
      for _ in 0..<100 {
        let index = walk.number(2)
        switch walk.number(5) {
        case 0: radios[index].advertising.wanted = walk.sets()
        case 1: radios[index].scanning.wanted = walk.scan()
        case 2: radios[index].initiating.wanted = walk.request()
        case 3: radios[index].acceptList.wanted = (0..<walk.number(5)).map { _ in walk.device() }
        default: radios.disconnect(index)
        }
        radios.run(Int64(walk.number(400)))
      }
      #expect(radios.mistakes.isEmpty, "seed \(seed)")
      for event in radios.takeEvents(0) + radios.takeEvents(1) {
        if case .refused(let part, let command, let error) = event {
          Issue.record("seed \(seed): \(part), \(command.words), \(error)")
        }
      }
    }
  }
}

import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct AdvertisingProblemTests {
  private static func problems(_ sets: [AdvertisingSet], _ abilities: ControllerAbilities)
    -> [AdvertisingProblem]
  {
    var state = AdvertisingState()
    state.wanted = sets
    return state.problems(abilities)
  }

  private static let target = LinkAddress(.random(9), .random)

  @Test(
    arguments: [
      (.sample(0xF0), .extended, .handle),
      (.sample(1, .connectable), .legacy, .noExtendedAdvertising),
      (
        .sample(1, [.connectable, .scannable]) { ($0.data, $0.scanResponse) = ([], [2, 10, 0]) }, .extended,
        .properties([.connectable, .scannable])
      ),
      (.sample(1, [.legacy, .anonymous]), .extended, .properties([.legacy, .anonymous])),
      (.sample(1, [.legacy, .connectable]), .legacy, .properties([.legacy, .connectable])),
      (.sample(1, .highDutyCycle), .extended, .properties(.highDutyCycle)),
      (.sample { $0.parameters.channels = [] }, .legacy, .noChannel),
      (.sample(1, [.connectable, .directed]), .extended, .noTarget),
      (
        .sample(1, []) { $0.parameters.phy = .le2M }, .extended.with { $0.lowEnergyFeatures.remove(.le2M) },
        .phy(.le2M)
      ),
      (
        .sample(1, []) { $0.parameters.phy = .coded },
        .extended.with { $0.lowEnergyFeatures.remove(.leCoded) },
        .phy(.coded)
      ),
      (
        .sample(), .legacy.with { $0.address = DeviceAddress([0, 0, 0, 0, 0, 0])! }, .noPublicAddress
      ),
      (.sample { $0.data = [UInt8](repeating: 1, count: 32) }, .legacy, .data(32, most: 31)),
      (.sample { $0.data = [UInt8](repeating: 1, count: 32) }, .extended, .data(32, most: 31)),
      (
        .sample(1, .connectable) { $0.data = [UInt8](repeating: 1, count: 246) }, .extended,
        .data(246, most: 245)
      ),
      (
        .sample(1, [.connectable, .directed]) {
          $0.data = [UInt8](repeating: 1, count: 240)
          $0.parameters.target = target
        }, .extended, .data(240, most: 239)
      ),
      (
        .sample(1, []) { $0.data = [UInt8](repeating: 1, count: 1651) }, .extended, .data(1651, most: 1650)
      ),
      (
        .sample(1, [.legacy, .connectable, .directed]) { $0.parameters.target = target }, .legacy,
        .data(3, most: 0)
      ),
      (.sample(1, .legacy) { $0.scanResponse = [2, 10, 0] }, .legacy, .scanResponse(3, most: 0)),
      (.sample(1, .scannable) { $0.data = [] }, .extended, .noScanResponse),
    ] as [(AdvertisingSet, ControllerAbilities, AdvertisingProblem.Fact)])
  func `a problem is found before anything is sent`(
    set: AdvertisingSet, abilities: ControllerAbilities, fact: AdvertisingProblem.Fact
  ) {
    #expect(Self.problems([set], abilities) == [AdvertisingProblem(set: set.handle, fact: fact)])
    var radio = RadioState(abilities)
    radio.advertising.wanted = [set]
    #expect(radio.settle() == [])
  }

  @Test(arguments: [(0x1F, 0x40, false), (0x20, 0x4000, true), (0x20, 0x4001, false)])
  func `intervals have a range`(shortest: UInt32, longest: UInt32, isPossible: Bool) {
    let interval = AdvertisingInterval(units: shortest)...AdvertisingInterval(units: longest)
    let set = AdvertisingSet.sample { $0.parameters.interval = interval }
    let fact = AdvertisingProblem.Fact.interval(interval, possible: AdvertisingInterval.legacy)
    #expect(Self.problems([set], .legacy).map(\.fact) == (isPossible ? [] : [fact]))
    #expect(Self.problems([set], .extended).isEmpty == (shortest >= 0x20))
  }

  @Test func `a controller advertises as many sets as it has, each handle once`() {
    let sets = [1, 2, 2, 3, 4].map { AdvertisingSet.sample($0) }
    #expect(
      Self.problems(sets, .extended) == [
        AdvertisingProblem(set: 2, fact: .sameHandle),
        AdvertisingProblem(set: 4, fact: .tooManySets(most: 3)),
      ])
    #expect(
      Self.problems(Array(sets.prefix(2)), .legacy) == [
        AdvertisingProblem(set: 2, fact: .tooManySets(most: 1))
      ])
    var radio = RadioState(.extended)
    radio.advertising.wanted = sets
    #expect(radio.settle().filter { $0.hasPrefix("enable") } == ["enable 1", "enable 2", "enable 3"])
  }
}

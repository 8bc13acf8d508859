import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct LegacyAdvertisingTests {
  private static func advertising(_ set: AdvertisingSet = .sample()) -> RadioState {
    var radio = RadioState(.legacy)
    radio.advertising.wanted = [set]
    _ = radio.settle()
    return radio
  }

  @Test func `the set gets its address, its parameters and its data`() {
    var radio = RadioState(.legacy)
    radio.advertising.wanted = [.sample { ($0.address, $0.scanResponse) = (.random(1), [2, 10, 0]) }]
    #expect(radio.settle() == ["random address 1", "parameters type 0", "data", "response", "enable"])
    #expect(radio.settle() == [])
  }

  private static func changed(_ change: (inout [AdvertisingSet]) -> Void) -> [AdvertisingSet] {
    var sets: [AdvertisingSet] = [.sample { $0.address = .random(1) }]
    change(&sets)
    return sets
  }

  @Test(
    arguments: [
      (changed { $0[0].data = [] }, ["data"]), (changed { $0[0].scanResponse = [2, 10, 0] }, ["response"]),
      (changed { $0[0].address = .random(8) }, ["disable", "random address 8", "enable"]),
      (
        changed { ($0[0].address, $0[0].data) = (.random(8), []) },
        ["disable", "random address 8", "data", "enable"]
      ),
      (changed { $0[0].address = nil }, ["disable", "parameters type 0", "enable"]),
      (changed { $0[0].parameters.properties = .legacy }, ["disable", "parameters type 3", "enable"]),
      // The number of a set is of no interest to the controller, and neither is its PHY.
      (
        changed {
          $0[0].parameters.identifier = 2; $0[0].parameters.phy = .le2M
        }, []
      ),
      (changed { $0 = [] }, ["disable"]),
      (changed { $0 = [.sample(2) { $0.address = .random(1) }] }, ["disable", "enable"]),
      (changed { $0.append(.sample(2)) }, []),
    ] as [([AdvertisingSet], [String])])
  func `a change takes no more commands than it needs`(sets: [AdvertisingSet], expected: [String]) {
    var radio = Self.advertising(.sample { $0.address = .random(1) })
    radio.advertising.wanted = sets
    #expect(radio.settle() == expected)
  }

  @Test func `the set begins again after a link, if it is still wanted`() {
    var radio = Self.advertising(.sample(5))
    #expect(radio.take(.connected(.sample(isCentral: false))) == [.advertisingConnected(5, 0x40)])
    #expect(radio.settledEvents() == [.advertisingBegan(5)])
    _ = radio.take(.connected(.sample(isCentral: false)))
    radio.advertising.wanted = []
    #expect(radio.settle() == [])
  }

  @Test func `a link of the central does not stop it`() {
    var radio = Self.advertising()
    #expect(radio.take(.connected(.sample(isCentral: true))) == [])
    #expect(radio.settle() == [])
  }

  @Test func `a link from before a change is not taken for one from after it`() throws {
    var radio = Self.advertising()
    radio.advertising.wanted[0].parameters.channels = .channel(37)
    for _ in 0..<2 { _ = radio.completed(try radio.next(), nil) }
    let enable = try radio.next()
    _ = radio.take(.connected(.sample(isCentral: false)))
    _ = radio.completed(enable, nil)
    #expect(radio.settle() == ["enable"])
  }

  @Test func `directed advertising goes on with a low duty cycle`() {
    var radio = Self.advertising(
      .sample(1, [.legacy, .connectable, .directed, .highDutyCycle]) {
        ($0.data, $0.parameters.target) = ([], LinkAddress(.random(9), .random))
      })
    #expect(radio.take(.connectionFailed(.advertisingTimeout)) == [.advertisingTimedOut(1)])
    #expect(radio.settle() == ["parameters type 4", "enable"])
  }
}

import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct AdvertisingTests {
  /// A controller with some sets, all of them advertising.
  private static func advertising(
    _ sets: [AdvertisingSet] = [.sample()], on abilities: ControllerAbilities = .extended
  ) -> RadioState {
    var radio = RadioState(abilities)
    radio.advertising.wanted = sets
    _ = radio.settle()
    return radio
  }

  private static let long = [UInt8](repeating: 0xAA, count: 300)

  @Test(
    arguments: [
      ([.sample()], ["parameters 1", "data 1", "enable 1"]),
      (
        [.sample(2) { ($0.address, $0.scanResponse) = (.random(1), [2, 10, 0]) }],
        ["parameters 2", "address 2", "data 2", "response 2", "enable 2"]
      ),
      ([.sample { $0.data = [] }], ["parameters 1", "enable 1"]),
      ([.sample(1, []) { $0.data = long }], ["parameters 1", "data 1", "data 1", "enable 1"]),
      (
        [.sample(1), .sample(2)],
        ["parameters 1", "data 1", "enable 1", "parameters 2", "data 2", "enable 2"]
      ),
    ] as [([AdvertisingSet], [String])])
  func `a new set gets its parameters, its address and its data`(
    sets: [AdvertisingSet], expected: [String]
  ) {
    var radio = RadioState(.extended)
    radio.advertising.wanted = sets
    #expect(radio.settle() == expected)
    #expect(radio.settle() == [])
  }

  /// 1 is connectable and 2 is not; both have a random address.
  private static let two: [AdvertisingSet] = [
    .sample { $0.address = .random(1) }, .sample(2, []) { $0.address = .random(2) },
  ]

  private static func changed(_ change: (inout [AdvertisingSet]) -> Void) -> [AdvertisingSet] {
    var sets = two
    change(&sets)
    return sets
  }

  @Test(
    arguments: [
      (changed { _ in }, []),
      (changed { $0[0].data = [2, 1, 4] }, ["data 1"]),
      (changed { $0[0].scanResponse = [2, 10, 0] }, ["response 1"]),
      (changed { $0[0].address = .random(8) }, ["disable 1", "address 1", "enable 1"]),
      (changed { $0[1].address = .random(8) }, ["disable 2", "address 2", "enable 2"]),
      (
        changed { ($0[1].address, $0[1].data) = (.random(8), []) },
        ["disable 2", "address 2", "data 2", "enable 2"]
      ),
      (changed { $0[1].address = nil }, ["disable 2", "parameters 2", "enable 2"]),
      (changed { $0[1].data = long }, ["disable 2", "data 2", "data 2", "enable 2"]),
      (changed { $0[0].parameters.channels = .channel(37) }, ["disable 1", "parameters 1", "enable 1"]),
      (
        changed {
          $0[0].parameters.channels = .channel(37); $0[0].data = []
        },
        ["disable 1", "parameters 1", "data 1", "enable 1"]
      ),
      // The data of the set is not possible any more.
      (
        changed {
          $0[1].parameters.properties = .scannable
          ($0[1].data, $0[1].scanResponse) = ([], [2, 10, 0])
        }, ["disable 2", "remove 2", "parameters 2", "address 2", "response 2", "enable 2"]
      ),
      (changed { $0.removeFirst() }, ["disable 1"]),
      (changed { $0 = [] }, ["disable 1", "disable 2"]),
      (changed { $0.append(.sample(3)) }, ["parameters 3", "data 3", "enable 3"]),
      (changed { $0.swapAt(0, 1) }, []),
    ] as [([AdvertisingSet], [String])])
  func `a change takes no more commands than it needs`(sets: [AdvertisingSet], expected: [String]) {
    var radio = Self.advertising(Self.two)
    radio.advertising.wanted = sets
    #expect(radio.settle() == expected)
  }

  @Test func `a set that is wanted again has kept all it had`() {
    var radio = Self.advertising()
    radio.advertising.wanted = []
    _ = radio.settle()
    radio.advertising.wanted = [.sample()]
    #expect(radio.settle() == ["enable 1"])
  }

  @Test func `a set that is not wanted makes room for another`() {
    var radio = Self.advertising([.sample(1), .sample(2), .sample(3)])
    radio.advertising.wanted = [.sample(1), .sample(3), .sample(4)]
    #expect(radio.settle() == ["disable 2", "remove 2", "parameters 4", "data 4", "enable 4"])
  }

  @Test func `a controller with less room than it says gets a set after it has removed another`() {
    var radio = Self.advertising([.sample(1), .sample(2)])
    radio.advertising.wanted = [.sample(1), .sample(3)]
    let words = radio.settle(refusing: ["parameters 3": .memoryCapacityExceeded])
    #expect(
      words == ["disable 2", "parameters 3", "remove 2", "parameters 3", "data 3", "enable 3"])
  }

  @Test func `fragments begin again when the data changes meanwhile`() throws {
    var radio = RadioState(.extended)
    radio.advertising.wanted = [.sample(1, []) { $0.data = Self.long }]
    for _ in 0..<2 { _ = radio.completed(try radio.next(), nil) }
    radio.advertising.wanted[0].data[0] = 0xBB
    let first = try radio.next()
    #expect(Array(first.parameters.prefix(5)) == [1, 1, 1, 251, 0xBB])
    _ = radio.completed(first, nil)
    let last = try radio.next()
    #expect(last.parameters == [1, 2, 1, 49] + [UInt8](repeating: 0xAA, count: 49))
  }

  @Test func `a set begins again after a link, if it is still wanted`() {
    var radio = Self.advertising([.sample(1), .sample(2)])
    #expect(radio.take(.connected(.sample(isCentral: false))) == [])
    #expect(
      radio.take(.advertisingSetEnded(handle: 2, .link(0x40))) == [.advertisingConnected(2, 0x40)])
    #expect(radio.settledEvents() == [.advertisingBegan(2)])
    _ = radio.take(.advertisingSetEnded(handle: 1, .link(0x41)))
    radio.advertising.wanted = [.sample(2)]
    #expect(radio.settle() == [])
    #expect(radio.take(.advertisingSetEnded(handle: 9, .link(0x42))) == [], "no such set")
  }

  @Test func `a set that may have connected before it was disabled is disabled again`() {
    var radio = Self.advertising()
    radio.advertising.wanted[0].parameters.channels = .channel(37)
    _ = radio.settle()
    _ = radio.take(.advertisingSetEnded(handle: 1, .link(0x40)))
    radio.advertising.wanted = []
    #expect(radio.settle() == ["disable 1"])
  }

  @Test(
    arguments: [
      (AdvertisingSetParameters.AfterHighDutyCycle.lowDutyCycle, ["parameters 1", "enable 1"]),
      (.highDutyCycle, ["enable 1"]),
    ])
  func `directed advertising goes on after its 1.28 s`(
    after: AdvertisingSetParameters.AfterHighDutyCycle, expected: [String]
  ) {
    var radio = Self.advertising([
      .sample(1, [.legacy, .connectable, .directed, .highDutyCycle]) {
        ($0.data, $0.parameters.target) = ([], LinkAddress(.random(9), .random))
        $0.parameters.afterHighDutyCycle = after
      }
    ])
    let timeout = HCIEvent.Ending.error(.advertisingTimeout)
    #expect(radio.take(.advertisingSetEnded(handle: 1, timeout)) == [.advertisingTimedOut(1)])
    #expect(radio.settle() == expected)
    // After a link, it begins with a high duty cycle.
    _ = radio.take(.advertisingSetEnded(handle: 1, .link(0x40)))
    #expect(radio.settle() == expected)
  }

  @Test func `events say when a set begins and when it has left the air`() {
    var radio = RadioState(.extended)
    radio.advertising.wanted = [.sample()]
    #expect(radio.settledEvents() == [.advertisingBegan(1)])
    radio.advertising.wanted[0].data = []
    #expect(radio.settledEvents() == [])
    radio.advertising.wanted = []
    #expect(radio.settledEvents() == [.advertisingStopped(1)])
  }

  @Test func `a reset controller gets everything again`() {
    var radio = Self.advertising()
    radio.advertising.wanted[0].data = []
    let late = radio.nextCommand()
    radio.reset()
    #expect(radio.nextCommand()?.words == "parameters 1")
    #expect(radio.completed(late!, nil) == [])
  }
}

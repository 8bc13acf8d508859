import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct InitiatingTests {
  private static let request = ConnectionRequest.sample()

  private static func initiating(_ request: ConnectionRequest = request) -> RadioState {
    var radio = RadioState(.legacy)
    radio.initiating.wanted = request
    _ = radio.settle()
    return radio
  }

  private static let cancelled = HCIEvent.connectionFailed(.unknownConnectionIdentifier)

  @Test func `a link that has begun is wanted no more`() {
    var radio = RadioState(.legacy)
    radio.initiating.wanted = Self.request
    #expect(radio.settle() == ["create"])
    let events = radio.take(.connected(.sample(isCentral: true)))
    #expect(events == [.initiated(Self.request, 0x40)])
    #expect(radio.initiating.wanted == nil)
    #expect(radio.settle() == [])
  }

  @Test func `a link that has failed is wanted no more`() {
    var radio = Self.initiating()
    let error = HCIError(rawValue: 0x3E)
    #expect(radio.take(.connectionFailed(error)) == [.initiatingFailed(Self.request, error)])
    #expect(radio.settle() == [])
  }

  @Test func `a link to another device is not the one that is wanted`() {
    var radio = Self.initiating()
    #expect(radio.take(.connected(.sample(isCentral: true, peer: LinkAddress(.random(8), .random)))) == [])
    #expect(radio.initiating.wanted == Self.request)
  }

  @Test func `a link that is no longer wanted is cancelled`() {
    var radio = Self.initiating()
    radio.initiating.wanted = nil
    #expect(radio.settle() == ["cancel"])
    #expect(radio.take(Self.cancelled) == [.initiatingCancelled(Self.request)])
    #expect(radio.settle() == [])
  }

  @Test func `another link waits until the first is cancelled`() {
    var radio = Self.initiating()
    radio.initiating.wanted?.parameters.latency = 1
    #expect(radio.settle() == ["cancel"])
    _ = radio.take(Self.cancelled)
    #expect(radio.settle() == ["create"])
  }

  @Test func `a link may begin before it is cancelled`() throws {
    var radio = Self.initiating()
    radio.initiating.wanted = nil
    let cancel = try radio.next()
    #expect(radio.take(.connected(.sample(isCentral: true))) == [.initiated(Self.request, 0x40)])
    #expect(radio.completed(cancel, .commandDisallowed) == [])
    radio.initiating.wanted = Self.request
    #expect(radio.settle() == ["create"])
  }

  @Test func `where there is nothing to cancel, the link is cancelled`() {
    var radio = Self.initiating()
    radio.initiating.wanted = nil
    let cancel = radio.nextCommand()!
    #expect(radio.completed(cancel, .commandDisallowed) == [.initiatingCancelled(Self.request)])
    #expect(radio.settle() == [])
  }

  @Test(arguments: [HCIError.connectionLimitExceeded, .limitedResources, .commandDisallowed])
  func `a request without a free link waits for the end of another link`(error: HCIError) {
    var radio = RadioState(.extended)
    radio.initiating.wanted = Self.request
    #expect(radio.settle(refusing: ["create": error]) == ["create", "refused"])
    #expect(radio.settle() == [])
    _ = radio.take(.disconnected(0x41, .remoteUserTerminated))
    #expect(radio.settle() == ["create"])
  }

  @Test(
    arguments: [
      (changed { $0.parameters.interval = 5...6 }, .legacy, [.parameters(wrong { $0.interval = 5...6 })]),
      (changed { $0.parameters.latency = 500 }, .legacy, [.parameters(wrong { $0.latency = 500 })]),
      // 2 × 50 ms are the longest time between two packets.
      (
        changed { $0.parameters.supervisionTimeout = 10 }, .legacy,
        [.parameters(wrong { $0.supervisionTimeout = 10 })]
      ),
      (changed { $0.scanWindow = 0x61 }, .legacy, [.scan(interval: 0x60, window: 0x61)]),
      (changed { $0.phys = [.le1M, .le2M] }, .extended, []),
      (changed { $0.phys = .le2M }, .extended, [.phys(.le2M)]),
      (changed { $0.phys = .leCoded }, .legacy, [.phys(.leCoded)]),
      (changed { $0.phys = [] }, .legacy, [.phys([])]),
      (changed { $0.peer = .device(LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 0])!)) }, .legacy, [.noPeer]),
    ] as [(ConnectionRequest, ControllerAbilities, [ConnectionProblem])])
  func `a problem is found before anything is sent`(
    request: ConnectionRequest, abilities: ControllerAbilities,
    problems: [ConnectionProblem]
  ) {
    #expect(request.problems(abilities) == problems)
    var radio = RadioState(abilities)
    radio.initiating.wanted = request
    #expect(radio.settle().isEmpty == !problems.isEmpty)
  }

  private static func changed(_ change: (inout ConnectionRequest) -> Void) -> ConnectionRequest {
    var request = request
    change(&request)
    return request
  }

  private static func wrong(_ change: (inout PreferredConnectionParameters) -> Void)
    -> PreferredConnectionParameters
  {
    var parameters = request.parameters
    change(&parameters)
    return parameters
  }
}

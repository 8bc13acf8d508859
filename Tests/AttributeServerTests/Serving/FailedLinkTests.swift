import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Peripheral
import TestSupport
import Testing

/// What the log says of links that cannot go on, and of pairings that the device refuses.
@EventLoop @Suite struct FailedLinkTests {
  private final class Clock: Scheduler {
    var now = Instant()
    func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject { self }
  }

  /// A device that answers when the test wants.
  private final class SlowHost: BaseHost {
    var responders: [Responder] = []
    var warnings: [String] = []

    func receive(_ event: Event, respond: Responder?) {
      if let respond { responders.append(respond) }
    }

    func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
    func fellOffAir(_ reason: String) {}
    func cameBackOnAir() {}
    func warn(_ message: String) { warnings.append(message) }
  }

  private static let peer = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!)
  private let clock = Clock()
  private let host = SlowHost()
  private let channel = TestChannel()
  private let server: GATTServer

  /// FFE1's value has the handle 0x000C.
  init() throws {
    server = GATTServer(scheduler: clock)
    server.host = host
  }

  private func connect(pairing: PairingPolicy? = nil) throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      services: [{ uuid: FFE0, characteristics: [{ id: level, uuid: FFE1, properties: [read] }] }]
      """)
    server.start(
      DeviceOnAir(
        definition: definition, table: try definition.attributes(in: definition.initialContext),
        advertisement: Advertisement(), deviceName: "Device", pairing: pairing))
    server.connected(Self.peer, on: channel)
  }

  private func end(after seconds: Int) {
    clock.now = clock.now.advanced(by: .seconds(seconds))
    server.links.forEach { server.ended($0, .remoteUserTerminated) }
  }

  @Test func `a request without a response for 30 s is named when the link ends`() throws {
    try connect()
    channel.onReceive?(bytes("0A 0C 00"))
    end(after: 30)
    #expect(
      host.warnings == [
        "the device did not answer a request of 00:00:00:00:00:02 for level within 30 s; the central will end the link"
      ])
  }

  @Test func `a request that the device has answered, or may still answer, is not`() throws {
    try connect()
    channel.onReceive?(bytes("0A 0C 00"))
    host.responders.removeFirst()(.value([1]))
    end(after: 60)
    server.connected(Self.peer, on: channel)
    channel.onReceive?(bytes("0A 0C 00"))
    end(after: 29)
    #expect(host.warnings == [])
  }

  private nonisolated static let refusals: [(PairingPolicy, PairingFailure, String?)] = {
    var refusing = PairingPolicy()
    refusing.isAllowed = false
    var secure = PairingPolicy()
    (secure.secureConnections, secure.minimumKeySize) = (.required, 16)
    return [
      (refusing, .pairingNotSupported, "pairing: false"),
      (secure, .authenticationRequirements, "secure-connections: required"),
      (secure, .encryptionKeySize, "key-size: 16"),
      (secure, .confirmValueFailed, nil), (PairingPolicy(), .authenticationRequirements, nil),
      (PairingPolicy(), .pairingNotSupported, nil),
    ]
  }()

  @Test(arguments: refusals)
  func `a refusal names the part of the definition that it comes from`(
    policy: PairingPolicy, failure: PairingFailure, cause: String?
  ) throws {
    try connect(pairing: policy)
    server.pairingFailed(Self.peer.address, failure)
    let expected = cause.map {
      "the device refused to pair with 00:00:00:00:00:02, because its security says '\($0)'"
    }
    #expect(host.warnings == (expected.map { [$0] } ?? []))
  }

  @Test(arguments: [
    (true, "this machine no longer has it"), (false, "the device keeps none ('bonding: false')"),
  ])
  func `a central with a key that the device does not have is told why, and what to do`(
    bonds: Bool, reason: String
  ) throws {
    var policy = PairingPolicy()
    policy.bonds = bonds
    try connect(pairing: policy)
    server.keyMissing(of: Self.peer.address)
    #expect(
      host.warnings == [
        "00:00:00:00:00:02 encrypts the link with a key of an earlier pairing, and \(reason); forget this device at the central, then pair again"
      ])
  }
}

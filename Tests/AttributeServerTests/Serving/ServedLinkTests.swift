import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Kernel
import Peripheral
import TestSupport
import Testing

@testable import AttributeServer

/// A device that writes down what it is told, and answers at once or when the test wants.
@EventLoop
final class ScriptedOwner: LinkOwner {
  var events: [Event] = []
  var congestion: [Bool] = []
  var faults: [ServerAction.Fault] = []
  var answersAtOnce = true
  var responders: [Responder] = []
  /// The value of each read.
  var value: [UInt8] = [1, 2, 3]

  func receive(_ event: Event, respond: Responder?) {
    events.append(event)
    guard let respond else { return }
    guard answersAtOnce else { return responders.append(respond) }
    if case .readRequested = event { respond(.value(value)) } else { respond(.accepted) }
  }

  func screen(_ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder) {
    respond(.accepted)
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) { congestion.append(isCongested) }
  func failed(_ link: ServedLink, _ fault: ServerAction.Fault) { faults.append(fault) }
  func encrypted(_ link: ServedLink) {}
  func bondChanged(_ link: ServedLink) {}
  func receiveAsClient(_ packet: [UInt8], on link: ServedLink) {}
}

extension L2CAPChannel: PacketChannel {
  package var security: LinkSecurity { .none }
}

/// The channel of one central, whose other end is the test's.
@Suite(.timeLimit(.minutes(10))) struct ServedLinkTests {
  @EventLoop private let owner = ScriptedOwner()
  @EventLoop private let held = HeldResponses()
  @EventLoop private let link: ServedLink
  @EventLoop private let central: L2CAPChannel
  @EventLoop private let arrivals = Arrivals<String>()

  /// Handles: plain services from 1 on, FFE0 0x000A, FFE1 0x000B, its value 0x000C, its CCCD 0x000D.
  @EventLoop init() throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read, write, notify, indicate] }] }
      """)
    let table = try definition.attributes(in: definition.initialContext)
    let database = AttributeDatabase(definition, table, name: "Device")
    let (ours, theirs) = pairOfSockets()
    let peer = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!)
    link = ServedLink(
      L2CAPChannel(adopting: ours, capacity: 10_000), to: peer, database, mtu: 64, held, EventLoopScheduler(),
      owner: owner)
    central = L2CAPChannel(adopting: theirs)
    let arrivals = arrivals
    central.onReceive = { arrivals.add(hexadecimal($0)) }
    link.start()
  }

  @EventLoop @Test func `a request is answered by the device`() async throws {
    central.send(bytes("0A 0C 00"))
    #expect(try await arrivals.wait(for: 1) == ["0B 01 02 03"])
  }

  @EventLoop @Test func `a held response waits for its release, and reads do not`() async throws {
    held.isHolding = true
    central.send(bytes("12 0C 00 41"))
    central.send(bytes("52 0C 00 42"))
    try await settle { owner.events.count == 2 }
    #expect(arrivals.values == [])
    held.isHolding = false
    #expect(try await arrivals.wait(for: 1) == ["13"])
    held.isHolding = true
    central.send(bytes("0A 0C 00"))
    #expect(try await arrivals.wait(for: 2) == ["13", "0B 01 02 03"])
  }

  @EventLoop @Test func `values go as the CCCD asks, and end with the link`() async throws {
    #expect(link.delivery(of: 0) == nil)
    central.send(bytes("12 0D 00 01 00"))
    #expect(try await arrivals.wait(for: 1) == ["13"])
    link.send([0x41, 0x42], from: 0, by: .notification)
    #expect(try await arrivals.wait(for: 2).last == "1B 0C 00 41 42")
    link.close()
    link.endSubscriptions()
    #expect(owner.events.last == .unsubscribed(link.central, characteristic: 0))
  }

  @EventLoop @Test func `indications wait for confirmations, and the device hears of both`() async throws {
    central.send(bytes("12 0D 00 02 00"))
    _ = try await arrivals.wait(for: 1)
    for value: UInt8 in 1...3 { link.send([value], from: 0, by: .indication) }
    #expect(try await arrivals.wait(for: 2).last == "1D 0C 00 01")
    #expect(owner.congestion == [true])
    for _ in 0..<3 { central.send(bytes("1E")) }
    #expect(try await arrivals.wait(for: 4).suffix(2) == ["1D 0C 00 02", "1D 0C 00 03"])
    try await settle { owner.events.count { $0 == .confirmed(link.central, characteristic: 0) } == 3 }
    #expect(owner.congestion == [true, false])
  }

  @EventLoop @Test func `a central that does not read is a congestion, and loses nothing`() async throws {
    central.send(bytes("12 0D 00 01 00"))
    _ = try await arrivals.wait(for: 1)
    let count = 5000
    for number in 0..<count {
      link.send([UInt8(number & 0xFF), UInt8(number >> 8)], from: 0, by: .notification)
    }
    #expect(owner.congestion == [true])
    let values = try await arrivals.wait(for: 1 + count).dropFirst()
    #expect(
      values.enumerated().allSatisfy { number, text in
        text == hexadecimal([0x1B, 0x0C, 0x00, UInt8(number & 0xFF), UInt8(number >> 8)])
      })
    try await settle { owner.congestion == [true, false] }
  }

  @EventLoop @Test func `the log says why a link cannot go on`() {
    let (server, host) = (GATTServer(), RecordingHost())
    server.host = host
    server.failed(link, .tooManyWaiting)
    server.failed(link, .indicationNotConfirmed)
    #expect(
      host.warnings == [
        "00:00:00:00:00:02 has sent more than 4096 requests and commands before the response to a request; disconnecting it",
        "00:00:00:00:00:02 has not confirmed an indication within 30 s; disconnecting it",
      ])
  }

  /// Waits until something is so; the time limit of the suite ends a wait in vain.
  @EventLoop private func settle(_ isSo: () -> Bool) async throws {
    while !isSo() { await EventLoop.pause(.milliseconds(1)) }
  }
}

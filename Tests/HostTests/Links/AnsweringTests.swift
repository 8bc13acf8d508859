import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import SecurityManager
import TestSupport
import Testing

@testable import Host

/// What a central asks below ATT, and a peripheral whose caller answers.
@Suite struct AnsweringTests {
  private static let wanted = PreferredConnectionParameters(
    interval: 80...80, latency: 2, supervisionTimeout: 300)

  /// A room whose peripheral answers each request in this way.
  private static func room(_ answer: PeerAnswer?) throws -> (HostRoom, LinkHandle, LinkHandle) {
    var asking = ControllerTraits(HostRoom.address(1))
    asking.asksPeripherals = true
    var room = HostRoom.pair(nil, asking)
    let (peripheral, central) = try room.connect()
    room.change(0) { $0.letCallerAnswer(on: peripheral) }
    room.onEvent = { index, event, host in
      if index == 0, case .asked(let handle, let request) = event, let answer {
        host.answer(request, on: handle, answer)
      }
    }
    return (room, peripheral, central)
  }

  private static func update(_ answer: PeerAnswer?) throws -> [HostEvent] {
    var (room, _, central) = try room(answer)
    _ = room.takeEvents(of: 1)
    room.change(1) { $0.ask(for: wanted, on: central) }
    room.run(for: .seconds(50))
    return room.takeEvents(of: 1)
  }

  @Test func `parameters as usual`() throws {
    let events = try Self.update(.asUsual)
    #expect(
      events.contains {
        if case .changed(_, let change) = $0 { change.parameters?.interval == 80 } else { false }
      })
  }

  @Test func `parameters are refused`() throws {
    let events = try Self.update(.refusal)
    #expect(
      events.contains {
        if case .parametersRefused(_, .controller(.unacceptableConnectionParameters)) = $0 {
          true
        } else {
          false
        }
      })
  }

  @Test(arguments: [PeerAnswer.silence, nil])
  func `without an answer, the central ends the link after 40 s`(answer: PeerAnswer?) throws {
    let events = try Self.update(answer)
    #expect(events.contains { if case .disconnected(_, .responseTimeout) = $0 { true } else { false } })
  }

  /// What each side tells of pairing, and of a link that is then encrypted again.
  private static func pair(_ answer: PeerAnswer) throws -> (
    peripheral: [SecurityAction], central: [SecurityAction]
  ) {
    var (room, peripheral, central) = try room(answer)
    for (index, handle, role) in [(0, peripheral, SecuredLink.Role.peripheral), (1, central, .central)] {
      let link = try #require(room.hosts[index].link(handle))
      let manager = SecurityManager(
        SecuredLink(
          role: role, ownAddress: link.local, peerAddress: link.peer,
          identity: SecuredLink.Identity(address: link.local)),
        policy: PairingPolicy(), random: SplitMix64(seed: UInt64(index)))
      room.change(index) { $0.secure(handle, with: manager) }
    }
    room.change(1) { $0.changeSecurity(of: central) { $0.pair(at: $1) } }
    room.run(for: .seconds(5))
    let actions = (0...1).map { index in
      room.takeEvents(of: index).compactMap { if case .security(_, let action) = $0 { action } else { nil } }
    }
    return (actions[0], actions[1])
  }

  @Test(arguments: PairingFault.Step.allCases.dropLast())
  func `a pairing fails at a step`(step: PairingFault.Step) throws {
    let fault = PairingFault(.failure(.numericComparisonFailed, at: step), number: 7)
    let (peripheral, central) = try Self.pair(.fault(fault))
    #expect(central.contains(.failed(.numericComparisonFailed, by: .peer)))
    #expect(peripheral.contains(.metFault(fault)))
    #expect(peripheral.contains(.failed(.numericComparisonFailed, by: .own)))
  }

  @Test func `a wrong confirm value is noticed`() throws {
    let fault = PairingFault(.wrongConfirm, number: 7)
    let (peripheral, central) = try Self.pair(.fault(fault))
    #expect(central.contains(.failed(.confirmValueFailed, by: .own)))
    #expect(
      peripheral.contains(.metFault(fault)) && peripheral.contains(.failed(.confirmValueFailed, by: .peer)))
  }

  @Test func `a pairing without such a step succeeds`() throws {
    // LE Secure Connections of a device whose address is not private distribute no keys.
    let (peripheral, central) = try Self.pair(
      .fault(PairingFault(.failure(.unspecifiedReason, at: .keys), number: 7)))
    #expect(central.contains { if case .paired = $0 { true } else { false } })
    #expect(!peripheral.contains { if case .metFault = $0 { true } else { false } })
  }

  @Test func `the key of a pairing is refused`() throws {
    let (peripheral, central) = try Self.pair(.refusal)
    #expect(central.contains { if case .failed = $0 { true } else { false } })
    #expect(peripheral.contains { if case .failed(.unknown, by: .own) = $0 { true } else { false } })
  }
}

import Bluetooth
import Framing
import TestSupport
import Testing

@testable import Host

@Suite struct SignallingTests {
  /// 30 to 50 ms, latency 0, timeout 420 ms
  private static let wanted = PreferredConnectionParameters(
    interval: 24...40, latency: 0, supervisionTimeout: 42)
  private static let request = "12 07 08 00 18 00 28 00 00 00 2A 00"

  @Test func `a central gives a peripheral the parameters that it asks for`() {
    var channel = SignallingChannel()
    #expect(
      channel.receive(bytes(Self.request), isCentral: true) == [
        .send(bytes("13 07 02 00 00 00")), .update(Self.wanted),
      ])
  }

  /// Interval of 5 ms; latency 500; timeout 90 ms; a timeout that is shorter than two intervals with latency
  @Test(arguments: [
    "04 00 28 00 00 00 2A 00", "18 00 28 00 F4 01 80 0C", "06 00 06 00 00 00 09 00",
    "18 00 28 00 0A 00 2A 00",
  ])
  func `a central refuses impossible parameters`(parameters: String) {
    var channel = SignallingChannel()
    let actions = channel.receive(bytes("12 07 08 00 " + parameters), isCentral: true)
    #expect(actions == [.send(bytes("13 07 02 00 01 00"))])
  }

  @Test(arguments: [
    (request, "01 07 02 00 00 00"),  // a central may not ask
    ("12 07 08 00 28 00 18 00 00 00 2A 00", "01 07 02 00 00 00"),  // the shortest interval is the longer one
    ("12 07 02 00 18 00", "01 07 02 00 00 00"), ("FF 07 00 00", "01 07 02 00 00 00"),
    ("0A 07 02 00 02 00", "01 07 02 00 00 00"),  // Information Request, of BR/EDR only
    // Credit Based Connection Request, of several channels, and its Reconfigure Request
    ("17 07 0C 00 80 00 40 00 40 00 01 00 40 00 41 00", "01 07 02 00 00 00"),
    ("19 07 06 00 40 00 40 00 41 00", "01 07 02 00 00 00"),
    ("14 07 02 00 80 00", "01 07 02 00 00 00"),  // a Connection Request of another length
    ("12 07 14 00" + String(repeating: " 00", count: 20), "01 07 04 00 01 00 17 00"),  // 24 bytes
  ])
  func `a peripheral refuses everything`(command: String, answer: String) {
    var channel = SignallingChannel()
    #expect(channel.receive(bytes(command), isCentral: false) == [.send(bytes(answer))])
  }

  @Test(arguments: [
    "", "12", "12 07 08 00 18 00", "12 00 08 00 18 00 28 00 00 00 2A 00", "13 07 02 00 00 00",
    "16 07 02 00 40 00", "18 07 02 00 00 00",
  ])
  func `a response to nothing, and what is no command, gets no answer`(command: String) {
    var channel = SignallingChannel()
    #expect(channel.receive(bytes(command), isCentral: false) == [])
  }

  @Test(arguments: [
    (
      "14 07 0A 00 80 00 40 00 17 00 18 00 01 00",
      SignallingPacket.channelRequest(spsm: 0x80, source: 0x40, ChannelTerms(mtu: 23, mps: 24, credits: 1))
    ),
    ("16 07 04 00 40 00 01 00", .credit(channel: 0x40, 1)),
    ("06 07 04 00 40 00 41 00", .disconnectionRequest(destination: 0x40, source: 0x41)),
    ("07 07 04 00 40 00 41 00", .disconnectionResponse(destination: 0x40, source: 0x41)),
    (
      "15 07 0A 00 41 00 17 00 18 00 01 00 04 00",
      .channelResponse(
        ChannelAnswer(destination: 0x41, ChannelTerms(mtu: 23, mps: 24, credits: 1), .noResources))
    ),
    ("01 07 02 00 00 00", .reject(.notUnderstood)),
  ])
  func `commands of channels are for the channels`(command: String, packet: SignallingPacket) {
    var channel = SignallingChannel()
    #expect(
      channel.receive(bytes(command), isCentral: false) == [.channel(packet, identifier: 7)])
    #expect(packet.bytes(7) == bytes(command))
  }

  @Test(arguments: [
    ("13 01 02 00 00 00", nil), ("13 01 02 00 01 00", ParameterRefusal.rejected),
    ("01 01 02 00 00 00", .notUnderstood), ("01 01 04 00 01 00 17 00", .notUnderstood),
  ])
  func `a peripheral asks, and learns what the central does`(response: String, refusal: ParameterRefusal?) {
    var channel = SignallingChannel()
    #expect(channel.ask(for: Self.wanted, at: Instant()) == bytes("12 01 08 00 18 00 28 00 00 00 2A 00"))
    #expect(channel.receive(bytes("13 02 02 00 01 00"), isCentral: false) == [])  // of another request
    #expect(channel.receive(bytes(response), isCentral: false) == (refusal.map { [.refused($0)] } ?? []))
    #expect(channel.deadline == nil)
    let again = channel.receive(bytes(response), isCentral: false)
    #expect(again.allSatisfy { if case .channel(.reject, 1) = $0 { true } else { false } })
  }

  @Test func `a central that does not answer has refused`() {
    var channel = SignallingChannel()
    _ = channel.ask(for: Self.wanted, at: .milliseconds(5))
    #expect(channel.deadline == .milliseconds(30_005))
    #expect(channel.expire(at: .milliseconds(30_004)) == [])
    #expect(channel.expire(at: .milliseconds(30_005)) == [.refused(.noAnswer)])
    #expect(channel.deadline == nil)
  }

  @Test func `identifiers go from 1 to 255`() {
    var channel = SignallingChannel()
    let identifiers = (0..<256).map { _ in channel.ask(for: Self.wanted, at: Instant())[1] }
    #expect(identifiers == Array(1...255) + [1])
  }
}

import Captures
import Framing
import Learning
import Testing

struct LearntLinkTests {
  @Test func `values that no definition can send are counted`() {
    // The first attribute is the declaration of a service.
    var device = CapturedDevice(address: nil)
    device.connections = [connection("< 1B 01 00 41\n< 1B 01 00 42")]
    let learner = Learner(device)
    let lesson = learner.learn(.recording, name: "lamp", origin: [], from: learner.conversations)
    #expect(
      lesson.definition.origin.suffix(1) == [
        "2 values came from 0x0001, which is no value of a known characteristic: a definition cannot send them."
      ])
  }

  static func link(_ events: [CapturedEvent.Kind], start: Instant? = Instant()) throws -> String {
    var connection = CapturedConnection(central: nil, start: start)
    for (index, event) in events.enumerated() {
      connection.events.append(CapturedEvent(event, at: .milliseconds(Int64(index + 1) * 503)))
    }
    var learnt = learn(CapturedDevice(address: nil))
    learnt.addLink([connection])
    _ = try loaded(learnt)
    return [section("link", of: learnt), section("security", of: learnt)].filter { !$0.isEmpty }.joined(
      separator: "\n")
  }

  @Test func `the MTU is that of the device`() throws {
    #expect(
      try Self.link([
        .attribute([0x02, 0xBC, 0], from: .central), .attribute([0x03, 0xF7, 0], from: .peripheral),
      ]) == "link: { mtu: 247 }")
    #expect(try Self.link([.attribute([0x02, 0xBC, 0], from: .central)]) == "")
    // The device asks.
    #expect(try Self.link([.attribute([0x02, 0x73, 0], from: .peripheral)]) == "link: { mtu: 115 }")
  }

  @Test func `connection parameters are those that the device asks for`() throws {
    // Connection Parameter Update Request: 16 · 1.25 ms, 32 · 1.25 ms, 4, 400 · 10 ms
    let request = bytes("12 01 08 00 10 00 20 00 04 00 90 01")
    #expect(
      try Self.link([.signalling(request, from: .central), .signalling(request, from: .peripheral)]) == """
        link: { parameters: { interval: { min: 20ms, max: 40ms }, latency: 4, timeout: 4s, ask-after: 1010ms } }
        """)
    // A timeout that no link can have.
    #expect(
      try Self.link([.signalling(bytes("12 01 08 00 10 00 20 00 04 00 05 00"), from: .peripheral)]) == "")
  }

  @Test func `pairing is as the device answers it`() throws {
    // Security Request with bonding; Pairing Response: DisplayOnly, no OOB, no bonding but MITM, 16 bytes, no keys
    #expect(
      try Self.link([
        .security([0x0B, 0x01], from: .peripheral),
        .security([0x02, 0, 0, 0x04, 16, 0, 0], from: .peripheral),
      ])
        == "security: { io-capability: display-only, secure-connections: never, bonding: false, request: true }"
    )
    #expect(try Self.link([.security([0x05, 0x05], from: .peripheral)]) == "security: { pairing: false }")
    #expect(try Self.link([.security([0x02, 0], from: .peripheral)]) == "")
  }
}

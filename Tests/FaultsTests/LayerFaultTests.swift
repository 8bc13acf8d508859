import DeviceModel
import EventLoop
import TestSupport
import Testing

/// What each kind of fault does to the messages of a layer. A central writes three of them, 100 ms apart, in two fragments each, and the
/// device sends each back in two fragments.
@Suite struct LayerFaultTests {
  private static let fragments = """
    services:
      - uuid: FFE0
        characteristics: [{ id: up, uuid: FFE1, properties: [write, write-without-response] }, { id: down, uuid: FFE2, properties: [notify] }]
    layers: [message, other]
    messages: { part: "00 {data: bytes}", last: "01 {data: bytes}", total: "A5 {number: u8} {xor8}" }
    variables: { parts: { type: bytes, max: 64, default: "", per: central }, count: { type: integer, default: 0 } }

    """
  private static let rules = """
    rules:
      - { on: { receive: part, from: up }, do: { set: { parts: parts + data } } }
      - { on: { receive: last, from: up }, do: [{ receive: parts + data, from: message }, { set: { parts: "bytes('')" } }] }
      - { on: { receive: any, from: message }, do: [{ set: { count: count + 1 } }, { send: { bytes: "{frame}" } }, { set: { count: count + 1 } }] }
      - { on: { send: any, from: message }, do: { send: { bytes: "{frame} {count: u8}" }, to: down } }
      - { on: connect, do: { send: { bytes: "" }, to: other } }
      - { on: { send: any, from: other }, do: { log: "nothing" } }

    """

  private static let device = definition(fragments + rules)

  /// After a value, how many times its rule has counted.
  @EventLoop
  @Test(arguments: [
    ("drop out on other", ["0  01 02 01", "100  03 04 03", "200  05 06 05"], 1),
    ("drop out on down every 2nd", ["0  01 02 01", "200  05 06 05"], 1),
    ("drop out on message", [], 3),
    ("drop in on message", [], 3),
    ("drop out on message every 2nd", ["0  01 02 01", "200  05 06 05"], 1),
    ("drop in on message every 2nd", ["0  01 02 01", "200  05 06 03"], 1),
    ("drop on message both ways after 3 bytes once", ["0  01 02 01", "200  05 06 03"], 1),
    ("drop out on message after 2 values", ["0  01 02 01", "100  03 04 03"], 1),
    ("drop out on message after 2 frames", ["0  01 02 01", "100  03 04 03"], 1),
    ("drop message total on message", ["0  01 02 01", "100  03 04 03", "200  05 06 05"], 0),
    (
      "duplicate out on message once", ["0  01 02 01", "0  01 02 01", "100  03 04 03", "200  05 06 05"], 1
    ),
    // Twice the rules take it, so they count it twice.
    ("duplicate in on message once", ["0  01 02 01", "0  01 02 03", "100  03 04 05", "200  05 06 07"], 1),
    ("delay 250ms out on message", ["250  01 02 06", "350  03 04 06", "450  05 06 06"], 3),
    ("delay 250ms in on message", ["250  01 02 01", "350  03 04 03", "450  05 06 05"], 3),
    ("reorder out on message once", ["100  03 04 03", "100  01 02 03", "200  05 06 05"], 1),
    ("reorder in on message once", ["100  03 04 01", "100  01 02 03", "200  05 06 05"], 1),
    ("truncate to 1 byte out on message", ["0  01 01", "100  03 03", "200  05 05"], 3),
    (
      "split into 9 pieces in on message once",
      ["0  01 01", "0  02 03", "100  03 04 05", "200  05 06 07"], 1
    ),
    ("merge 3 values out on message", ["200  01 02 03 04 05 06 05"], 1),
    ("stall 150ms out on message once", ["150  01 02 04", "150  03 04 04", "200  05 06 05"], 1),
    ("throttle to 10 bytes/s out on message", ["200  01 02 04", "400  03 04 06", "600  05 06 06"], 3),
    ("throttle to 10 bytes/s, 3 bytes out on message", ["200  01 02 04", "300  03 06", "500  05 06 06"], 3),
    ("spoil checksum on message", ["0  01 02 01", "100  03 04 03", "200  05 06 05"], 0),
  ])
  func `a fault does to the messages of a layer what it says`(fault: String, received: [String], strikes: Int)
    async throws
  {
    let bench = try await FaultBench([fault], definition: Self.device)
    try bench.connect()
    for byte in [1, 3, 5] {
      bench.write(["00 0\(byte)"], every: .zero)
      bench.write(["01 0\(byte + 1)"])
    }
    bench.scheduler.advance(by: .seconds(20))
    #expect(bench.received == received)
    #expect(bench.strikes.count == strikes)
    #expect(bench.strikes.allSatisfy { $0.place == bench.strikes.first?.place })
  }

  @EventLoop @Test func `a fault finds the messages of a layer, and spoils their checksums`() async throws {
    let bench = try await FaultBench(["spoil checksum out on message message total"], definition: Self.device)
    try bench.connect()
    bench.write(["01 A5 07 A2", "01 A5 08 00"])
    #expect(bench.received.count == 2 && bench.strikes.count == 1)
    #expect(bench.received[0].hasPrefix("0  A5 07 ") && bench.received[0] != "0  A5 07 A2 01")
    #expect(bench.received[1] == "100  A5 08 00 03")
    #expect(bench.strikes.map(\.place) == ["message"] && bench.strikes.map(\.direction) == [.out])
    #expect(bench.strikes.map(\.value) == [[0xA5, 0x07, 0xA2]])
  }

  /// The two directions and the fragments have faults of their own.
  @EventLoop @Test func `messages pass through the faults of their layer and their direction only`()
    async throws
  {
    let bench = try await FaultBench(
      [
        "corrupt 3 bits in on message", "truncate to 2 bytes out on message", "duplicate out on down",
        "drop out on other",
      ],
      definition: Self.device)
    try bench.connect()
    bench.write(["01 10 20 30"])
    #expect(bench.received.count == 2 && bench.received[0] == bench.received[1])
    #expect(bench.received[0].hasSuffix(" 01") && bench.received[0].count == "0  10 20 01".count)
    #expect(bench.strikes.map(\.place) == ["other", "message", "message", "down"])
  }

  @EventLoop @Test func `a message that waits is lost with its central`() async throws {
    for fault in ["delay 1s out on message", "delay 1s in on message", "stall out on message"] {
      let bench = try await FaultBench([fault], definition: Self.device)
      try bench.connect()
      bench.write(["01 02"])
      bench.central?.disconnect()
      try bench.connect()
      bench.stage.removeAll()
      bench.scheduler.advance(by: .seconds(5))
      #expect(bench.received.isEmpty, "\(fault)")
    }
  }

  @EventLoop @Test func `removing a fault releases the messages that wait`() async throws {
    let bench = try await FaultBench(["stall out on message"], definition: Self.device)
    try bench.connect()
    bench.write(["01 02", "01 03"])
    #expect(bench.received.isEmpty && bench.strikes.count == 1)
    bench.stage.removeAll()
    #expect(bench.received == ["200  02 04", "200  03 04"])
  }

  @EventLoop @Test(arguments: ["disconnect", "lose link", "reboot"])
  func `messages of a layer count towards what happens to the device`(kind: String) async throws {
    let bench = try await FaultBench(["\(kind) out on message after 2 values once"], definition: Self.device)
    try bench.connect()
    bench.write(["01 02"])
    #expect(bench.isConnected && bench.strikes.isEmpty)
    bench.write(["01 03"])
    #expect(!bench.isConnected && bench.strikes.count == 1)
    #expect(bench.received == ["0  02 01", "100  03 03"])
  }

  /// The rule compares the plain message, and gets what the fault makes of the encoded one.
  @EventLoop @Test func `faults strike what is outside of the cipher of a layer`() async throws {
    let coded = definition(
      Self.fragments
        + "framing: { message: { decode: \"xor(value, bytes('5A'))\", encode: \"xor(value, bytes('5A'))\" } }\n"
        + Self.rules)
    let bench = try await FaultBench(["truncate to 2 bytes on message"], definition: coded)
    try bench.connect()
    bench.write(["01 5A 5B 5C"])
    // 5A 5B arrive, which are 00 01.
    #expect(bench.received == ["0  5A 5B 01"])
    #expect(bench.strikes.map(\.value) == [[0x5A, 0x5B, 0x5C]])
  }

  @EventLoop @Test func `pieces of a layer's frames are struck as they arrive`() async throws {
    let framed = definition(Self.fragments + "framing: { message: { delimiter: \"0A\" } }\n" + Self.rules)
    let bench = try await FaultBench(["drop in on message message total"], definition: framed)
    try bench.connect()
    bench.write(["01 01 0A A5", "01 07", "01 A2 0A 02 0A", "01 03 0A"])
    #expect(bench.strikes.map(\.value) == [[0xA2, 0x0A, 0x02, 0x0A]])
    #expect(bench.received == ["0  01 01", "300  A5 07 03 03"])
  }

  /// While a rule that sends a message on waits, later ones wait, and keep their order.
  @EventLoop @Test func `a message that comes late waits for the one before it`() async throws {
    let slow = definition(
      Self.fragments + """
        rules:
          - { on: { receive: last, from: up }, do: { send: { bytes: "{data}" }, to: message } }
          - on: { send: any, from: message }
            do: [{ send: { bytes: "AA {frame}" }, to: down }, { wait: 300ms }, { send: { bytes: "BB {frame}" }, to: down }]
        """)
    let bench = try await FaultBench(["delay 100ms out on message once"], definition: slow)
    try bench.connect()
    bench.write(["01 01", "01 02"], every: .milliseconds(100))
    bench.scheduler.advance(by: .seconds(2))
    #expect(bench.received == ["100  AA 01", "400  BB 01", "400  AA 02", "700  BB 02"])
  }
}

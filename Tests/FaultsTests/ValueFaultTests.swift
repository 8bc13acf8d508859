import EventLoop
import TestSupport
import Testing

/// What each kind of fault does to values. A central writes three of them, 100 ms apart, and the device sends each back.
@Suite struct ValueFaultTests {
  private static let values = ["01 02 03 04", "05 06 07 08", "09 0A 0B 0C"]

  @EventLoop
  @Test(arguments: [
    ("drop out", [], 3),
    ("drop in", [], 3),
    ("drop out on down every 2nd", ["0  01 02 03 04", "200  09 0A 0B 0C"], 1),
    ("drop out once", ["100  05 06 07 08", "200  09 0A 0B 0C"], 1),
    ("drop out after 1 value", ["0  01 02 03 04"], 2),
    ("drop out after 5 bytes", ["0  01 02 03 04", "100  05 06 07 08"], 1),
    ("drop out after 150ms", ["0  01 02 03 04", "100  05 06 07 08"], 1),
    ("drop out for 150ms", ["200  09 0A 0B 0C"], 2),
    ("drop on alarm", ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C"], 0),
    ("drop message total", ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C"], 0),
    ("drop while streaming", ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C"], 0),
    (
      "duplicate out on down every 3rd",
      ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C", "200  09 0A 0B 0C"], 1
    ),
    ("delay 250ms out", ["250  01 02 03 04", "350  05 06 07 08", "450  09 0A 0B 0C"], 3),
    (
      "delay 250ms out once", ["250  01 02 03 04", "250  05 06 07 08", "250  09 0A 0B 0C"], 1
    ),
    ("reorder out once", ["100  05 06 07 08", "100  01 02 03 04", "200  09 0A 0B 0C"], 1),
    ("reorder out", ["100  05 06 07 08", "100  01 02 03 04", "10200  09 0A 0B 0C"], 1),
    ("truncate to 1 byte out every 2nd", ["0  01 02 03 04", "100  05", "200  09 0A 0B 0C"], 1),
    ("truncate to 9 bytes", ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C"], 0),
    (
      "split into 9 pieces out once",
      ["0  01", "0  02", "0  03", "0  04", "100  05 06 07 08", "200  09 0A 0B 0C"], 1
    ),
    ("merge 2 values out", ["100  01 02 03 04 05 06 07 08", "10200  09 0A 0B 0C"], 1),
    ("merge 3 values in", ["200  01 02 03 04 05 06 07 08 09 0A 0B 0C"], 1),
    ("stall 150ms out once", ["150  01 02 03 04", "150  05 06 07 08", "200  09 0A 0B 0C"], 1),
    ("stall 150ms out", ["150  01 02 03 04", "150  05 06 07 08", "350  09 0A 0B 0C"], 2),
    ("stall out after 1 value", ["0  01 02 03 04"], 1),
    ("throttle to 20 bytes/s out", ["200  01 02 03 04", "400  05 06 07 08", "600  09 0A 0B 0C"], 3),
    ("throttle to 20 bytes/s, 7 bytes out", ["200  01 02 03 04", "350  05 06 07", "550  09 0A 0B 0C"], 3),
    ("throttle to 20 bytes/s, 4 bytes out", ["200  01 02 03 04", "400  09 0A 0B 0C"], 3),
    ("spoil checksum", ["0  01 02 03 04", "100  05 06 07 08", "200  09 0A 0B 0C"], 0),
  ])
  func `a fault does to values what it says`(fault: String, received: [String], strikes: Int) async throws {
    let bench = try await FaultBench([fault])
    try bench.connect()
    bench.write(Self.values)
    bench.scheduler.advance(by: .seconds(20))
    #expect(bench.received == received)
    #expect(bench.strikes.count == strikes)
    #expect(bench.stage.list.map(\.struck) == [strikes])
  }

  /// Which bits and bytes are wrong is random, so each value is counted.
  @EventLoop @Test func `corrupted values have as many wrong bits or bytes as the fault says`() async throws {
    for (fault, isRight) in [
      ("corrupt 1 bit out", { (bits, _) in bits == 1 }), ("corrupt 5 bits out", { (bits, _) in bits == 5 }),
      ("corrupt 2 bytes out", { (_, bytes) in bytes == 2 }),
      ("corrupt 9 bytes out", { (_, bytes) in bytes == 4 }),
    ] as [(String, (Int, Int) -> Bool)] {
      let bench = try await FaultBench([fault])
      try bench.connect()
      bench.write(Self.values)
      #expect(bench.strikes.count == 3)
      for strike in bench.strikes {
        let pairs = zip(try #require(strike.value), try #require(strike.replacement?.first))
        let bits = pairs.reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        #expect(isRight(bits, pairs.count { $0 != $1 }), "\(strike)")
      }
    }
  }

  @EventLoop @Test func `jitter spreads the delays, and values keep their order`() async throws {
    let bench = try await FaultBench(["delay 100ms jitter 1s out"])
    try bench.connect()
    bench.write(Self.values)
    bench.scheduler.advance(by: .seconds(5))
    let times = bench.received.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(bench.received.map { $0.suffix(11) } == Self.values.map { $0.suffix(11) })
    #expect(times == times.sorted() && times.allSatisfy { (100...1300).contains($0) })
    #expect(Set(times).count > 1)
  }

  @EventLoop @Test func `a spoilt checksum is the only wrong part of a message`() async throws {
    let bench = try await FaultBench(["spoil checksum message total"])
    try bench.connect()
    bench.write(["A5 07 A2", "A5 08 00"])
    #expect(bench.received.count == 2 && bench.strikes.count == 1)
    #expect(bench.received[0].hasPrefix("0  A5 07 ") && bench.received[0] != "0  A5 07 A2")
    #expect(bench.received[1] == "100  A5 08 00")
  }

  @EventLoop @Test func `a message is found in the value that completes it`() async throws {
    let bench = try await FaultBench(["drop in on lines message stream"])
    try bench.connect()
    for text in ["35", "37 0A 57 0A", "57", "0A"] {
      bench.central?.write(hex(text), to: .characteristic(3), .command) { _ in }
    }
    // The second value completes a frame that is the message; the third is it, and the fourth completes it.
    #expect(bench.strikes.map(\.value) == [[0x37, 0x0A, 0x57, 0x0A], [0x57], [0x0A]])
  }

  @EventLoop @Test func `bytes of the wire side pass through its faults only`() async throws {
    let bench = try await FaultBench([
      "truncate to 1 byte on wire in", "duplicate on wire out once", "drop out",
    ])
    bench.wire.put([1, 2])
    bench.wire.put([3, 4])
    #expect(bench.wire.written == [1, 1, 3])
    #expect(bench.strikes.map(\.place) == ["wire", "wire", "wire"])
  }

  @EventLoop @Test func `values pass through faults in the order of their numbers`() async throws {
    let bench = try await FaultBench(["truncate to 2 bytes out", "duplicate out", "merge 2 values out"])
    try bench.connect()
    bench.write(["01 02 03"])
    #expect(bench.received == ["0  01 02 01 02"])
    #expect(bench.strikes.map(\.number) == [1, 2, 3])
  }

  @EventLoop @Test func `a wire side waits while its bytes wait for a fault`() async throws {
    let bridge = definition(
      """
      services: [{ uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify] }] }]
      wire: { bridge: serial }
      """)
    let bench = try await FaultBench(["throttle to 10 bytes/s out"], definition: bridge)
    try bench.connect()
    for _ in 0..<30 { bench.wire.put([1]) }
    #expect(bench.wire.hasWaiting && !bench.wire.isReading)
    bench.scheduler.advance(by: .seconds(4))
    #expect(!bench.wire.hasWaiting && bench.received.count == 30)
    #expect(bench.received.last == "3000  01")
  }

  @EventLoop @Test func `values that wait are lost with their central`() async throws {
    let bench = try await FaultBench(["delay 1s out"])
    try bench.connect()
    bench.write(["01"])
    bench.central?.disconnect()
    try bench.connect()
    bench.scheduler.advance(by: .seconds(5))
    #expect(bench.received.isEmpty)
  }

  @EventLoop @Test func `a fault is added and removed while the device runs`() async throws {
    let bench = try await FaultBench([])
    try bench.connect()
    bench.write(["01"])
    let number = bench.stage.add(try reader.read("stall out"))
    bench.write(["02", "03"])
    #expect(bench.received == ["0  01"])
    #expect(bench.stage.remove(number) && !bench.stage.remove(number))
    #expect(bench.received == ["0  01", "300  02", "300  03"])
    bench.write(["04"])
    #expect(bench.received.last == "300  04" && bench.stage.list.isEmpty)
  }

  /// What the two sides have of the values 01 02 and 03 04, written 100 ms apart, which the device sends back, and of 5 s more.
  @Test(arguments: [
    ("drop out on alarm", ["both > 01 02", "both < 01 02", "both > 03 04", "both < 03 04"]),
    ("drop out", ["both > 01 02", "sent 01 02", "fault", "both > 03 04", "sent 03 04", "fault"]),
    ("drop out every 2nd", ["both > 01 02", "both < 01 02", "both > 03 04", "sent 03 04", "fault"]),
    (
      "duplicate out once",
      ["both > 01 02", "sent 01 02", "fault", "< 01 02", "< 01 02", "both > 03 04", "both < 03 04"]
    ),
    (
      "truncate to 1 byte out once",
      ["both > 01 02", "sent 01 02", "fault", "< 01", "both > 03 04", "both < 03 04"]
    ),
    (
      "split into 2 pieces out once",
      ["both > 01 02", "sent 01 02", "fault", "< 01", "< 02", "both > 03 04", "both < 03 04"]
    ),
    (
      "delay 1s out once",
      ["both > 01 02", "sent 01 02", "fault", "both > 03 04", "sent 03 04", "< 01 02", "< 03 04"]
    ),
    (
      "stall 1s out once",
      ["both > 01 02", "sent 01 02", "fault", "both > 03 04", "sent 03 04", "< 01 02", "< 03 04"]
    ),
    (
      "throttle to 10 bytes/s out once",
      ["both > 01 02", "sent 01 02", "fault", "both > 03 04", "sent 03 04", "< 01 02", "< 03 04"]
    ),
    (
      "reorder out once",
      ["both > 01 02", "sent 01 02", "both > 03 04", "sent 03 04", "fault", "< 03 04", "< 01 02"]
    ),
    (
      "merge 2 values out once",
      ["both > 01 02", "sent 01 02", "both > 03 04", "sent 03 04", "fault", "< 01 02 03 04"]
    ),
    ("stall out", ["both > 01 02", "sent 01 02", "fault", "both > 03 04", "sent 03 04"]),
    ("drop in once", ["> 01 02", "fault", "both > 03 04", "both < 03 04"]),
    (
      "truncate to 1 byte in once",
      ["> 01 02", "fault", "received 01", "both < 01", "both > 03 04", "both < 03 04"]
    ),
    (
      "duplicate in once",
      [
        "> 01 02", "fault", "received 01 02", "both < 01 02", "received 01 02", "both < 01 02",
        "both > 03 04",
        "both < 03 04",
      ]
    ),
    (
      "delay 1s in once",
      ["> 01 02", "fault", "> 03 04", "received 01 02", "both < 01 02", "received 03 04", "both < 03 04"]
    ),
    (
      "merge 2 values in once", ["> 01 02", "> 03 04", "fault", "received 01 02 03 04", "both < 01 02 03 04"]
    ),
  ])
  @EventLoop func `each side has its own value where a fault strikes, and both the same where none does`(
    fault: String, sides: [String]
  ) async throws {
    let bench = try await FaultBench([fault])
    try bench.connect()
    bench.write(["01 02", "03 04"])
    bench.scheduler.advance(by: .seconds(5))
    #expect(bench.traffic.sides == sides)
    #expect(bench.received.count == sides.count { $0.hasPrefix("<") || $0.hasPrefix("both <") })
  }

  @EventLoop @Test func `each end of the wire side has its own bytes where a fault strikes`() async throws {
    let bench = try await FaultBench(["truncate to 1 byte on wire in once", "drop on wire out once"])
    bench.wire.put([1, 2])
    bench.wire.put([3, 4])
    #expect(
      bench.traffic.sides == [
        "> 01 02", "fault", "received 01", "sent 01", "fault", "both > 03 04", "both < 03 04",
      ])
  }

  @EventLoop @Test
  func `a device that vanishes sends what nobody gets, and its central writes what it does not get`()
    async throws
  {
    let bench = try await FaultBench(["vanish after 1s"])
    try bench.connect()
    bench.scheduler.advance(by: .milliseconds(1500))
    bench.write(["01"])
    #expect(bench.traffic.sides == ["fault", "> 01"])
  }

  @EventLoop @Test func `what a fault refuses is the central's side only`() async throws {
    let bench = try await FaultBench(["refuse write-not-permitted on up once"])
    try bench.connect()
    #expect(bench.request("01") == "0  write-not-permitted")
    #expect(bench.traffic.sides == ["fault", "> 01"])
  }
}

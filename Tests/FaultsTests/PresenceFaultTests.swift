import Bluetooth
import EventLoop
import Peripheral
import Testing

@testable import Faults

/// What faults do to connections and to the device as a whole.
@Suite struct PresenceFaultTests {
  /// When the connection of a central ends that writes a byte every second, in seconds; nil: it does not within 20 s.
  @EventLoop private func end(of bench: FaultBench) throws -> Int? {
    try bench.connect()
    for second in 0..<20 {
      bench.write(["01"], every: .seconds(1))
      if !bench.isConnected { return second }
    }
    return nil
  }

  @EventLoop
  @Test(arguments: [
    ("disconnect after 5 values in", 4),
    ("disconnect after 3 bytes", 1),  // of those in and those out
    ("disconnect after 3 frames out", 2),
    ("disconnect on down every 4th", 3),
    ("disconnect after 2500ms", 2),
    ("disconnect every 7s", 6),
    ("disconnect on alarm", nil),
    ("disconnect while streaming", nil),
    ("reboot after 4s", 3),
    ("reboot on up message rest", nil),
    ("leave range after 3s", 2),
    ("lose link after 3s", 2),
    ("vanish after 3s", 4),  // the links last for 2 s more
  ])
  func `a fault ends the connection when it says`(fault: String, second: Int?) async throws {
    #expect(try end(of: try await FaultBench([fault])) == second)
  }

  @EventLoop @Test func `each connection ends after so much`() async throws {
    let bench = try await FaultBench(["disconnect after 2 values in"])
    #expect(try end(of: bench) == 1)
    #expect(try end(of: bench) == 1)
    #expect(bench.stage.list[0].struck == 2)
  }

  @EventLoop @Test func `no value of a connection counts for the next one`() async throws {
    // Each second, one byte comes in and one goes out.
    let bench = try await FaultBench(["disconnect after 5 bytes"])
    #expect(try end(of: bench) == 2)
    #expect(try end(of: bench) == 2)
    let early = try await FaultBench(["disconnect after 1 byte"])
    #expect(try end(of: early) == 0)
    #expect(early.stage.list[0].struck == 1)
  }

  @EventLoop @Test func `a state of the device ends the connection`() async throws {
    let bench = try await FaultBench(["disconnect while streaming"])
    try bench.connect()
    bench.write(["01"])
    #expect(bench.isConnected)
    bench.write(["57"])
    #expect(!bench.isConnected)
  }

  @EventLoop
  @Test(arguments: [
    ("stop advertising", ["-", "-", "-", "-"]),
    ("stop advertising after 1s for 2s", ["Bench", "-", "-", "Bench"]),
    ("stop advertising for 500ms every 2s", ["Bench", "Bench", "-", "Bench"]),
    ("stop advertising while streaming", ["Bench", "Bench", "Bench", "Bench"]),
    ("advertise as \"Other\" for 2s", ["Other", "Other", "Bench", "Bench"]),
    ("refuse connections after 2s", ["Bench", "Bench", "Bench (closed)", "Bench (closed)"]),
    ("vanish after 1s for 1s", ["Bench", "-", "Bench", "Bench"]),
    ("leave range after 1s for 1s", ["Bench", "-", "Bench", "Bench"]),
    ("reboot after 1s for 1s", ["Bench", "-", "Bench", "Bench"]),
    ("reboot after 1s", ["Bench", "-", "Bench", "Bench"]),
  ])
  func `the device advertises as the fault says`(fault: String, seconds: [String]) async throws {
    let bench = try await FaultBench([fault])
    let found = seconds.map { _ in
      defer { bench.scheduler.advance(by: .seconds(1)) }
      guard let advertisement = bench.transport.advertisement else { return "-" }
      return (advertisement.localName ?? "") + (advertisement.isConnectable ? "" : " (closed)")
    }
    #expect(found == seconds)
  }

  @EventLoop @Test func `a garbled advertisement has one wrong bit`() async throws {
    let bench = try await FaultBench(["garble advertisement"])
    let bytes = try #require(bench.transport.advertisement?.manufacturerData.first?.bytes)
    #expect(zip(bytes, [1, 2, 3]).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } == 1)
    bench.stage.removeAll()
    #expect(bench.transport.advertisement?.manufacturerData.first?.bytes == [1, 2, 3])
  }

  @EventLoop @Test func `a central that connects nonetheless is disconnected`() async throws {
    let bench = try await FaultBench(["refuse connections for 1s"])
    try bench.connect()
    #expect(bench.central?.isConnected == false)
    bench.scheduler.advance(by: .seconds(1))
    try bench.connect()
    #expect(bench.central?.isConnected == true)
  }

  @EventLoop @Test func `a device that has vanished takes, sends and answers nothing`() async throws {
    let bench = try await FaultBench([])
    try bench.connect()
    bench.stage.add(try reader.read("vanish for 1500ms"))
    bench.write(["01", "02"])
    #expect(bench.received.isEmpty && bench.isConnected)
    bench.scheduler.advance(by: .milliseconds(1300))
    bench.write(["03"])
    #expect(bench.received == ["1500  03"])
  }

  @EventLoop @Test func `a reboot restores the state of the device`() async throws {
    let bench = try await FaultBench([])
    try bench.connect()
    bench.write(["57"])
    #expect(bench.stage.state == "streaming")
    bench.stage.add(try reader.read("reboot"))
    #expect(bench.stage.state == "idle" && !bench.isConnected)
  }
}

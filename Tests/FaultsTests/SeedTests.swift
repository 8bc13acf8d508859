import Definitions
import DeviceModel
import EventLoop
import Framing
import TestSupport
import Testing

@testable import Faults

let reader = FaultReader(FaultBench.device)

/// What is random about faults.
@Suite struct SeedTests {
  private static let faults = [
    "drop 10% out", "corrupt 1 bit 20%", "split into 3 pieces in 30%", "delay 50ms jitter 500ms out 10%",
  ]

  @EventLoop private func strikes(seed: UInt64, pause: Duration) async throws -> [String] {
    let bench = try await FaultBench(Self.faults, seed: seed)
    try bench.connect()
    bench.write((0..<200).map { HexText.format([UInt8($0), 1, 2, 3]) }, every: pause)
    bench.scheduler.advance(by: .seconds(10))
    return bench.strikes.map { "\($0.number) \($0.ordinal) \($0.value ?? []) \($0.replacement ?? [])" }
  }

  @EventLoop @Test func `the same seed gives the same strikes, at any speed`() async throws {
    let first = try await strikes(seed: 7, pause: .seconds(1))
    #expect(first.count > 50)
    #expect(try await strikes(seed: 7, pause: .milliseconds(700)) == first)
    #expect(try await strikes(seed: 8, pause: .seconds(1)) != first)
  }

  @EventLoop @Test func `faults with the same text differ by their number`() async throws {
    let bench = try await FaultBench(["corrupt 1 bit out", "corrupt 1 bit out"])
    try bench.connect()
    bench.write((0..<20).map { _ in "00 00 00 00" })
    #expect(bench.received.contains { !$0.hasSuffix("00 00 00 00") })
  }

  /// The central counts what it sees, and the stage what it has done.
  @EventLoop @Test func `what was injected is what is seen, over many values`() async throws {
    let bench = try await FaultBench(["drop 1% out", "duplicate 2% out", "corrupt 1 bit out 3%"])
    try bench.connect()
    let total = Sample.rounds(of: 100_000)
    var counts = [Int](repeating: 0, count: total)
    var wrong = 0
    bench.central?.onValue = { _, value in
      let number = value.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let copy = value.dropFirst(4).reduce(0) { $0 << 8 | Int($1) }
      if number != copy { wrong += 1 }
      let index = counts.indices.contains(number) ? number : copy
      counts[counts.indices.contains(copy) && number != copy ? copy : index] += 1
    }
    for number in 0..<total {
      let bytes = UInt32(number).bigEndianBytes
      bench.central?.write(bytes + bytes, to: .characteristic(0), .command) { _ in }
    }
    let list = bench.stage.list
    let values = counts.reduce(0, +)
    #expect(values == total - list[0].struck + list[1].struck)
    #expect(wrong == list[2].struck)
    #expect(list[0].seen == total && list[1].seen == total - list[0].struck && list[2].seen == values)
    #expect(isLikely(list[0].struck, total / 100) && isLikely(list[1].struck, total / 50))
    #expect(bench.strikes.count == list.reduce(0) { $0 + $1.struck })
  }

  /// Whether a count is within three standard deviations.
  private func isLikely(_ count: Int, _ expected: Int) -> Bool {
    abs(count - expected) * abs(count - expected) <= 9 * expected
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }
}

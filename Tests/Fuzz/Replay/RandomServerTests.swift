import TestSupport
import Testing

@Suite struct RandomServerTests {
  @Test func `random packets, answers and values break no guarantee of the ATT server`() async throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<Sample.rounds(of: 1000) { try await FuzzTarget.server.run(random.bytes(600)) }
  }
}

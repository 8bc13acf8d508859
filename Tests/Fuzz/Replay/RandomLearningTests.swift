import TestSupport
import Testing

@Suite struct RandomLearningTests {
  @Test func `a changed recording gives a valid definition all the same`() async throws {
    var random = SplitMix64(seed: 11)
    let seeds = KeptInput.all.filter { $0.target.name == "learning" }.map(\.bytes)
    for _ in 0..<Sample.rounds(of: 500) {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try await FuzzTarget.learning.run(bytes)
    }
  }
}

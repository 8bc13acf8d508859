import Behavior
import Captures
import Testing

@testable import Learning

/// Devices that answer each value with its size.
struct ReceiptTests {
  private static let discovery = LearntServicesTests.discovery("18", descriptors: "< 05 01 13 00 02 29")

  private func lesson(_ lines: String) -> Learner.Lesson {
    var device = CapturedDevice(address: nil)
    device.connections = [connection(Self.discovery + lines)]
    let learner = Learner(device)
    return learner.learn(.model, name: "port", origin: [], from: learner.conversations)
  }

  /// The central writes twice before the first answer.
  @Test func `a device answers values of any size with their sizes`() throws {
    let lesson = lesson(
      """
      > 12 13 00 01 00
      < 13
      > 52 12 00 11 12 13
      > 52 12 00 21
      < 1B 12 00 03 00
      < 1B 12 00 01 00
      > 52 12 00 11 12
      < 1B 12 00 02 00
      > 52 12 00 31 32 33
      < 1B 12 00 03 00
      > 52 12 00 41 42 43 44
      < 1B 12 00 04 00
      """)
    #expect(
      lesson.definition.evidence.contains(
        Evidence("each value is answered with its size (u16le)", at: "FFE1 ->", agreeing: 5, of: 5)))
    var memory = try MemoryDevice(lesson.definition)
    #expect(memory.write("51 52 53 54 55 56") == ["06 00"])
  }

  @Test func `answers to values of one size prove nothing`() {
    let lesson = lesson(
      "> 12 13 00 01 00\n< 13\n"
        + String(repeating: "> 52 12 00 11 12\n< 1B 12 00 02 00\n", count: 6))
    #expect(!lesson.definition.evidence.contains { $0.claim.contains("its size") })
  }
}

import DeviceModel
import TestSupport
import Testing

@testable import Behavior

/// `random(a, b)`
@Suite struct RandomTests {
  /// What a device with two dice logs, throw by throw.
  static func thrown(_ count: Int, log: String, seed: UInt64 = 0) throws -> [String] {
    var conversation = try Conversation(
      definition(
        """
        rules:
          - { on: { write: in }, do: { log: "\(log)" } }
        services:
          - { uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
        """), options: EngineOptions(seed: seed))
    return (0..<count).map { _ in
      String(conversation.play("> in 01").split(separator: "\n")[1].dropFirst(2))
    }
  }

  @Test func `every number is thrown about as often`() throws {
    let thrown = try Self.thrown(6000, log: "{random(1, 6)}")
    let counts = Dictionary(grouping: thrown) { $0 }.mapValues(\.count)
    #expect(counts.keys.sorted() == ["1", "2", "3", "4", "5", "6"])
    #expect(counts.values.allSatisfy { (850...1150).contains($0) })
  }

  @Test(arguments: ["{random(1, 6)} {random(1, 6)}", "{text(random(1, 6)) + ' ' + text(random(1, 6))}"])
  func `two in one text are two throws`(log: String) throws {
    let thrown = try Self.thrown(3600, log: log)
    let counts = Dictionary(grouping: thrown) { $0 }.mapValues(\.count)
    #expect(counts.count == 36)
    #expect(counts.values.allSatisfy { (55...155).contains($0) })
  }

  @Test func `the same seed throws the same, another does not`() throws {
    let log = "{random(-1000000, 1000000)}"
    #expect(try Self.thrown(20, log: log, seed: 7) == Self.thrown(20, log: log, seed: 7))
    #expect(try Self.thrown(20, log: log, seed: 7) != Self.thrown(20, log: log, seed: 8))
  }

  @Test func `the ends of 64 bits are a range`() throws {
    let thrown = try Self.thrown(100, log: "{random(-9223372036854775807 - 1, 9223372036854775807)}")
    #expect(Set(thrown).count == 100)
    #expect(thrown.contains { $0.hasPrefix("-") } && thrown.contains { !$0.hasPrefix("-") })
    #expect(try Self.thrown(3, log: "{random(5, 5)}") == ["5", "5", "5"])
  }
}

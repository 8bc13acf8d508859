import DeviceModel
import EventLoop
import Bluetooth
import Peripheral
import TestSupport
import Testing

@testable import Faults

/// Faults below ATT: which requests of a central they strike.
@Suite struct LinkFaultTests {
  private static let central = DeviceAddress([0, 0, 0, 0, 0, 2])!

  @EventLoop
  @Test(arguments: [
    ("refuse parameters", LinkRequest.parameters, "RRRR"), ("ignore parameters", .parameters, "SSSS"),
    ("refuse encryption twice", .encryption, "RR--"), ("refuse encryption", .parameters, "----"),
    ("refuse parameters every 2nd", .parameters, "-R-R"), ("refuse parameters after 2s", .parameters, "--RR"),
    ("ignore parameters for 2s", .parameters, "SS--"), ("spoil confirm-value", .encryption, "----"),
    ("person refuses once", .comparison, "A---"), ("person refuses", .pairing, "----"),
    ("person types 111111", .comparison, "----"), ("person types 111111 every 2nd", .passkey, "-A-A"),
  ])
  func `a fault strikes as its text says`(fault: String, request: LinkRequest, fates: String) async throws {
    let bench = try await FaultBench([fault])
    try bench.connect()
    let found = (1...4).map { _ in
      defer { bench.scheduler.advance(by: .seconds(1)) }
      switch bench.stage.fault(in: request, of: Self.central) {
      case .refusal: return "R"
      case .silence: return "S"
      case .pairing: return "P"
      case .person: return "A"
      case nil: return "-"
      }
    }
    #expect(found.joined() == fates)
    #expect(bench.strikes.count == fates.filter { $0 != "-" }.count)
  }

  @EventLoop @Test func `what somebody at the device does adds up`() async throws {
    let bench = try await FaultBench([
      "person answers 2s late", "person answers 3s late once", "person types 111111 every 2nd",
    ])
    for (answer, seconds) in [(PersonAnswer.asUsual, 5), (.passkey(111_111), 2)] {
      #expect(answered(bench, after: .seconds(seconds), .passkey) == [nil, answer])
    }
  }

  @EventLoop @Test(arguments: ["person answers never", "person answers 30s late"])
  func `a pairing waits for 30 s`(fault: String) async throws {
    let bench = try await FaultBench([fault, "person refuses"])
    #expect(answered(bench, after: .seconds(30), .comparison) == [nil, .nothing])
  }

  @EventLoop @Test func `nobody answers for a central that has left`() async throws {
    let bench = try await FaultBench(["person answers 2s late"])
    let answers = Arrivals<PersonAnswer>()
    _ = bench.stage.ask(.comparison, about: Self.central) { answers.add($0) }
    bench.scheduler.advance(by: .seconds(5))
    #expect(answers.values == [])
  }

  /// The answers a moment before this time, and at it.
  @EventLoop private func answered(
    _ bench: FaultBench, after time: Duration, _ question: LinkRequest
  ) -> [PersonAnswer?] {
    let answers = Arrivals<PersonAnswer>()
    let awaited = bench.stage.ask(question, about: Self.central) { answers.add($0) }
    defer { withExtendedLifetime(awaited) {} }
    return [time - .milliseconds(1), .milliseconds(1)].map {
      bench.scheduler.advance(by: $0)
      return answers.values.last
    }
  }

  @EventLoop @Test func `a fault of a pairing strikes once the pairing meets it`() async throws {
    let bench = try await FaultBench(["fail pairing unspecified-reason at keys once"])
    try bench.connect()
    for _ in 1...2 { #expect(bench.stage.fault(in: .pairing, of: Self.central) != nil) }
    #expect(bench.strikes.isEmpty && !bench.stage.list[0].isSpent)
    bench.stage.metFault(1, in: Self.central)
    #expect(bench.strikes.map(\.fault) == ["fail pairing unspecified-reason at keys once"])
    #expect(bench.stage.fault(in: .pairing, of: Self.central) == nil)
  }
}

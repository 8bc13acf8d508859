import DeviceModel
import EventLoop
import Bluetooth
import Peripheral
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
      case nil: return "-"
      }
    }
    #expect(found.joined() == fates)
    #expect(bench.strikes.count == fates.filter { $0 != "-" }.count)
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

import Bluetooth
import Testing

@testable import SecurityManager

/// A peripheral that deliberately does something wrong in a pairing.
@Suite struct FaultTests {
  private static func paired(_ bench: PairingBench) -> Bool {
    PairingBench.Device.allCases.allSatisfy { device in
      bench.reports[device]!.contains { if case .paired = $0 { true } else { false } }
    }
  }

  @Test(arguments: FailureTests.scenes, PairingFault.Step.allCases)
  func `a pairing fails at a step, or at the next one`(scene: FailureTests.Scene, step: PairingFault.Step) {
    var bench = scene.bench
    let fault = PairingFault(.failure(.unspecifiedReason, at: step), number: 3)
    bench[.peripheral].fault = fault
    bench.pair()
    guard bench.reports[.peripheral]!.contains(.metFault(fault)) else {
      // Keys are distributed only by LE legacy pairing here.
      #expect(step == .keys && Self.paired(bench))
      return
    }
    #expect(!Self.paired(bench))
    #expect(bench.reports[.peripheral]!.contains(.failed(.unspecifiedReason, by: .own)))
    #expect(bench.reports[.central]!.contains(.failed(.unspecifiedReason, by: .peer)))
    #expect(bench[.peripheral].keys == [] && bench[.peripheral].fault == nil)
    bench.pair()
    #expect(bench.reports[.central]!.contains { if case .paired = $0 { true } else { false } })
  }

  @Test(arguments: FailureTests.scenes)
  func `a wrong confirm value is noticed, and a device does not wait for its own fault`(
    scene: FailureTests.Scene
  ) {
    var bench = scene.bench
    for _ in 1...5 {
      bench[.central].attempts = RepeatedAttempts()  // it counts the failures
      bench[.peripheral].fault = PairingFault(.wrongConfirm, number: 3)
      bench.pair()
      #expect(bench[.peripheral].fault == nil && !Self.paired(bench))
      #expect(!bench[.peripheral].attempts.isWaiting(at: bench.now))
    }
    #expect(bench.reports[.central]!.contains(.failed(.confirmValueFailed, by: .own)))
    #expect(bench.reports[.peripheral]!.contains(.failed(.confirmValueFailed, by: .peer)))
    bench[.central].attempts = RepeatedAttempts()
    bench.pair()
    #expect(Self.paired(bench))
  }
}

import Bluetooth
import Testing

@testable import SecurityManager

/// Two devices pair in every way (Core Specification, Vol 3 Part H 2.3.5).
@Suite struct ModelTests {
  private static let kinds: [PairingPolicy.SecureConnections] = [.allowed, .never]

  @Test(arguments: IOCapability.allCases, kinds)
  func `any two devices pair as their capabilities say`(
    central: IOCapability, kind: PairingPolicy.SecureConnections
  ) throws {
    for peripheral in IOCapability.allCases {
      var bench = PairingBench(central: .with(central, kind), peripheral: .with(peripheral))
      bench.pair()
      let model = AssociationModel(
        central: central, peripheral: peripheral, comparesNumbers: kind == .allowed)
      let security: LinkSecurity =
        model == .justWorks ? .encrypted : kind == .allowed ? .secureConnections : .authenticated
      for device in PairingBench.Device.allCases {
        let result = try #require(bench.result(of: device), "\(peripheral): \(bench.reports)")
        #expect(result.model == model)
        #expect(result.security == security)
        #expect(bench[device].security == security)
        #expect(bench[device].deadline == nil)
        #expect(bench.failures(of: device).isEmpty)
      }
    }
  }

  @Test func `a device shows the passkey of its policy`() {
    var bench = PairingBench(peripheral: .with(.displayOnly) { $0.passkey = 12_345 })
    bench.pair()
    #expect(bench.shown == 12_345)
    #expect(bench.result(of: .peripheral)?.model == .passkeyShownByPeripheral)
  }

  @Test(arguments: kinds)
  func `the passkey of a policy is entered without a question`(kind: PairingPolicy.SecureConnections) {
    var bench = PairingBench(
      central: .with(.displayOnly, kind) { $0.passkey = 999_999 },
      peripheral: .with(.keyboardOnly) { $0.passkey = 999_999 })
    bench.pair()
    #expect(bench.result(of: .central)?.model == .passkeyShownByCentral)
    #expect(!bench.reports[.peripheral]!.contains(.askPasskey))
  }

  @Test func `both devices compare the same number`() {
    var bench = PairingBench(central: .with(.displayYesNo), peripheral: .with(.keyboardDisplay))
    bench.pair()
    let numbers = PairingBench.Device.allCases.map { device in
      bench.reports[device]!.compactMap { if case .compare(let number) = $0 { number } else { nil } }
    }
    #expect(numbers[0].count == 1)
    #expect(numbers[0] == numbers[1])
    #expect(numbers[0].allSatisfy(Passkey.range.contains))
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `random passkeys have six digits, and differ`(seed: UInt64) {
    var (first, second) = (PairingBench(seed: seed), PairingBench(seed: seed + 10))
    first.pair()
    second.pair()
    #expect(first.shown.map(Passkey.range.contains) == true)
    #expect(first.shown != second.shown)
  }

  @Test func `a passkey takes 20 rounds`() {
    var bench = PairingBench()
    bench.pair()
    for device in PairingBench.Device.allCases {
      #expect(bench.codes(of: device).filter { $0 == .pairingConfirm }.count == 20)
      #expect(bench.codes(of: device).filter { $0 == .pairingRandom }.count == 20)
    }
  }
}

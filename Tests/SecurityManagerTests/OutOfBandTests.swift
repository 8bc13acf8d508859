import Bluetooth
import Cryptography
import Testing

@testable import SecurityManager

/// Pairing with secrets that came by another way (Core Specification, Vol 3 Part H 2.3.5.4, 2.3.5.6.4).
@Suite struct OutOfBandTests {
  typealias Device = PairingBench.Device

  private static func commitment(_ byte: UInt8) -> OwnCommitment {
    OwnCommitment(
      P256.PrivateKey(drawn: [UInt8](repeating: byte, count: 32)),
      random: [UInt8](repeating: ~byte, count: 16))
  }

  /// - Parameter heard: the devices that have got the other's commitment.
  private static func bench(heard: [Device]) -> PairingBench {
    var bench = PairingBench(central: .with(), peripheral: .with())
    let own: [Device: OwnCommitment] = [.central: commitment(0x11), .peripheral: commitment(0x22)]
    for device in heard {
      bench[device].outOfBand.peer = own[device.other]!.commitment
      bench[device.other].outOfBand.own = own[device.other]!
    }
    return bench
  }

  @Test(arguments: [[Device.central], [.peripheral], [.central, .peripheral]])
  func `Secure Connections need the data of one side`(heard: [Device]) throws {
    var bench = Self.bench(heard: heard)
    bench.pair()
    for device in Device.allCases {
      let result = try #require(bench.result(of: device), "\(bench.reports)")
      #expect(result.model == .outOfBand)
      #expect(result.security == .secureConnections)
    }
  }

  @Test(arguments: [Device.central, .peripheral])
  func `another public key than the promised one fails`(device: Device) {
    var bench = Self.bench(heard: [device])
    bench[device.other].outOfBand.own = Self.commitment(0x33)
    bench.pair()
    #expect(bench.hasFailed(.confirmValueFailed, by: device))
  }

  @Test(arguments: [Device.central, .peripheral])
  func `another random value than the promised one fails`(device: Device) {
    var bench = Self.bench(heard: [device])
    let own = bench[device.other].outOfBand.own!
    bench[device.other].outOfBand.own = OwnCommitment(
      own.privateKey, random: [UInt8](repeating: 9, count: 16))
    bench.pair()
    // The check that covers the random value comes from the device that has heard of it.
    #expect(bench.hasFailed(.dhKeyCheckFailed, by: device.other))
  }

  @Test(arguments: [PairingPolicy.SecureConnections.never])
  func `legacy pairing needs the temporary key of both sides`(kind: PairingPolicy.SecureConnections) {
    var bench = PairingBench(central: .with(.noInputNoOutput, kind), peripheral: .with())
    for device in Device.allCases { bench[device].outOfBand.temporaryKey = [UInt8](0..<16) }
    bench.pair()
    #expect(bench.result(of: .peripheral)?.model == .outOfBand)
    #expect(bench.result(of: .peripheral)?.security == .authenticated)

    bench = PairingBench(central: .with(.noInputNoOutput, kind), peripheral: .with())
    bench[.central].outOfBand.temporaryKey = [UInt8](0..<16)
    bench.pair()
    #expect(bench.result(of: .peripheral)?.model == .justWorks)
  }

  @Test func `different temporary keys fail`() {
    var bench = PairingBench(central: .with(.noInputNoOutput, .never), peripheral: .with())
    bench[.central].outOfBand.temporaryKey = [UInt8](0..<16)
    bench[.peripheral].outOfBand.temporaryKey = [UInt8](1..<17)
    bench.pair()
    #expect(bench.hasFailed(.confirmValueFailed, by: .peripheral))
  }

  /// The flag does not tell of which kind the data is.
  @Test func `data of the other kind is not enough`() {
    var bench = PairingBench(central: .with(), peripheral: .with())
    bench[.peripheral].outOfBand.temporaryKey = [UInt8](0..<16)
    bench.pair()
    #expect(bench.hasFailed(.oobNotAvailable, by: .peripheral))
  }

  @Test func `a device that has given no data cannot use the flag of the peer`() {
    var bench = PairingBench(central: .with(), peripheral: .with())
    bench[.central].outOfBand.peer = Self.commitment(1).commitment
    bench.pair()
    #expect(bench.hasFailed(.oobNotAvailable, by: .peripheral))
  }
}

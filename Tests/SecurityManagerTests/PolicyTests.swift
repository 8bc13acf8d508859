import Bluetooth
import Testing

@testable import SecurityManager

/// What the policies of both devices make of a pairing.
@Suite struct PolicyTests {
  typealias Device = PairingBench.Device
  typealias Choice = PairingPolicy.SecureConnections

  @Test func `a device that does not pair refuses`() {
    var bench = PairingBench(peripheral: .with { $0.isAllowed = false })
    bench.pair()
    #expect(bench.hasFailed(.pairingNotSupported, by: .peripheral))
    #expect(bench.codes(of: .peripheral) == [.pairingFailed])
  }

  @Test(arguments: Choice.allCases, Choice.allCases)
  func `both devices choose between the two kinds of pairing`(central: Choice, peripheral: Choice) {
    var bench = PairingBench(
      central: .with(.keyboardDisplay, central), peripheral: .with(.displayOnly, peripheral))
    bench.pair()
    switch (central, peripheral) {
    case (.never, .required): #expect(bench.hasFailed(.authenticationRequirements, by: .peripheral))
    case (.required, .never): #expect(bench.hasFailed(.authenticationRequirements, by: .central))
    case (.never, _), (_, .never): #expect(bench.result(of: .central)?.security == .authenticated)
    default: #expect(bench.result(of: .central)?.security == .secureConnections)
    }
  }

  @Test(arguments: Choice.allCases)
  func `a device that needs authentication does not pair by Just Works`(kind: Choice) {
    var bench = PairingBench(
      central: .with(.displayOnly, kind), peripheral: .with(.displayOnly) { $0.requiresAuthentication = true }
    )
    bench.pair()
    #expect(bench.hasFailed(.authenticationRequirements, by: .peripheral))
    bench = PairingBench(
      central: .with(.displayOnly, kind) { $0.requiresAuthentication = true }, peripheral: .with(.displayOnly)
    )
    bench.pair()
    #expect(bench.hasFailed(.authenticationRequirements, by: .central))
  }

  /// The longest key of one device, and the shortest that the other accepts.
  @Test(arguments: [(7, 7, 7), (16, 16, 16), (10, 7, 10), (10, 10, 10), (9, 10, nil), (15, 16, nil)])
  func `the shorter key counts, unless it is too short`(maximum: Int, minimum: Int, size: Int?) {
    for kind in [Choice.allowed, .never] {
      for device in Device.allCases {
        let short = PairingPolicy.with(.keyboardDisplay, kind) { $0.maximumKeySize = maximum }
        let strict = PairingPolicy.with(.keyboardDisplay) { $0.minimumKeySize = minimum }
        var bench =
          device == .central
          ? PairingBench(central: short, peripheral: strict)
          : PairingBench(central: strict, peripheral: short)
        bench.pair()
        guard let size else {
          #expect(bench.hasFailed(.encryptionKeySize, by: device.other))
          continue
        }
        let level: LinkSecurity.Level =
          kind == .allowed && size == 16 ? .secureConnections : .authenticated
        #expect(bench.result(of: .central)?.security == LinkSecurity(level, keySize: size))
        let keys = bench.result(of: .central)?.bond?.longTermKeys ?? []
        #expect(!keys.isEmpty)
        #expect(keys.allSatisfy { $0.size == size && $0.value.dropFirst(size).allSatisfy { $0 == 0 } })
      }
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `both devices bond, or none`(central: Bool, peripheral: Bool) {
    for kind in [Choice.allowed, .never] {
      var bench = PairingBench(
        central: .with(.keyboardDisplay, kind) { $0.bonds = central },
        peripheral: .with(.displayOnly) { $0.bonds = peripheral })
      bench.pair()
      for device in Device.allCases {
        #expect((bench.result(of: device)?.bond != nil) == (central && peripheral))
      }
      guard !(central && peripheral) else { continue }
      let response = bench.packets.first { $0.code == .pairingResponse }?.bytes
      #expect(response.map { $0[3] & 0x01 } == 0, "no bonding")
      #expect(response.map { $0.suffix(2) } == [0, 0], "no keys")
      #expect(!bench.codes(of: .central).contains(.identityInformation))
    }
  }

  @Test func `the keys of a link without bonding last as long as the link`() {
    var bench = PairingBench(central: .with { $0.bonds = false }, peripheral: .with())
    bench.pair()
    bench.make(.central) { $0.encrypt(at: $1) }
    #expect(bench.encryptions == 2)
    #expect(bench.failures(of: .central).isEmpty)
  }

  @Test(arguments: Device.allCases)
  func `the debug keys protect nothing, and are kept only by a device that uses them`(device: Device) {
    let debug = PairingPolicy.with(.keyboardDisplay) { $0.usesDebugKeys = true }
    var bench =
      device == .central
      ? PairingBench(central: debug, peripheral: .with(.displayOnly))
      : PairingBench(central: .with(.displayOnly), peripheral: debug)
    bench.pair()
    let u = air("20B003D2 F297BE2C 5E2C83A7 E9F9A5B9 EFF49111 ACF4FDDB CC030148 0E359DE6")
    let key = bench.packets.first { $0.code == .pairingPublicKey && $0.sender == device }
    #expect(key.map { Array($0.bytes[1...32]) } == u)
    #expect(bench.result(of: device)?.security == .encrypted)
    #expect(bench.result(of: device)?.bond?.longTermKeys.map(\.kind) == [4])
    #expect(bench.result(of: device.other)?.security == .encrypted)
    #expect(bench.result(of: device.other)?.bond == nil)
  }

  @Test func `two devices with the debug keys pair`() {
    let debug = PairingPolicy.with { $0.usesDebugKeys = true }
    var bench = PairingBench(central: debug, peripheral: debug)
    bench.pair()
    #expect(bench.result(of: .central)?.security == .encrypted)
  }
}

import Bluetooth
import Testing

@testable import SecurityManager

/// What devices keep of each other, and how they use it (Core Specification, Vol 3 Part H 2.4, 3.6).
@Suite struct BondTests {
  typealias Device = PairingBench.Device
  private static let kinds: [PairingPolicy.SecureConnections] = [.allowed, .never]
  private static let signature: [Device: SecuredLink.Identity] = [
    .central: SecuredLink.Identity(
      address: PairingBench.identity[.central]!.address, resolvingKey: [UInt8](1...16),
      signatureKey: [UInt8](21...36)),
    .peripheral: SecuredLink.Identity(
      address: PairingBench.address[.peripheral]!, resolvingKey: [UInt8](41...56),
      signatureKey: [UInt8](61...76)),
  ]

  @Test(arguments: kinds)
  func `the peripheral distributes its keys first`(kind: PairingPolicy.SecureConnections) {
    var bench = PairingBench(central: .with(.keyboardOnly, kind), identities: Self.signature)
    bench.pair()
    let encryption: [SecurityCode] =
      kind == .never ? [.encryptionInformation, .centralIdentification] : []
    let keys = encryption + [.identityInformation, .identityAddressInformation, .signingInformation]
    let last = bench.packets.suffix(2 * keys.count)
    #expect(last.map(\.code) == keys + keys)
    #expect(last.map(\.sender) == keys.map { _ in .peripheral } + keys.map { _ in .central })
  }

  @Test(arguments: kinds)
  func `each keeps the identity and the keys of the other`(kind: PairingPolicy.SecureConnections) throws {
    var bench = PairingBench(central: .with(.keyboardOnly, kind), identities: Self.signature)
    bench.pair()
    for device in Device.allCases {
      let result = try #require(bench.result(of: device))
      let bond = try #require(result.bond)
      #expect(bond.peer == Self.signature[device.other]!.address)
      #expect(bond.identityResolvingKey == Self.signature[device.other]!.resolvingKey)
      #expect(result.signatureKey == Self.signature[device.other]!.signatureKey)
      #expect(bond.longTermKeys == bench[device].keys)
    }
  }

  @Test func `the identity address replaces that of the link, where the peer sends one`() {
    var bench = PairingBench()
    bench.pair()
    #expect(bench.result(of: .peripheral)?.bond?.peer == PairingBench.identity[.central]!.address)
    #expect(bench.result(of: .peripheral)?.bond?.identityResolvingKey == [UInt8](1...16))
    #expect(bench.result(of: .central)?.bond?.peer == PairingBench.address[.peripheral])
    #expect(bench.result(of: .central)?.bond?.identityResolvingKey == nil)
  }

  @Test func `a peer whose address is not private is known by it, whatever identity address it names`() {
    var identities = PairingBench.identity
    identities[.peripheral] = SecuredLink.Identity(
      address: LinkAddress(DeviceAddress("C0:00:00:00:00:02")!, .random), resolvingKey: [UInt8](41...56))
    var bench = PairingBench(identities: identities)
    bench.pair()
    #expect(bench.result(of: .central)?.bond?.peer == PairingBench.address[.peripheral])
    #expect(bench.result(of: .central)?.bond?.identityResolvingKey == [UInt8](41...56))
  }

  @Test func `Secure Connections make one key for both`() {
    var bench = PairingBench()
    bench.pair()
    let keys = bench.result(of: .central)?.bond?.longTermKeys
    #expect(keys == bench.result(of: .peripheral)?.bond?.longTermKeys)
    #expect(keys?.map(\.kind) == [3])
    #expect(keys?.map(\.ediv) == [0])
    #expect(keys?.map(\.rand) == [[UInt8](repeating: 0, count: 8)])
  }

  @Test func `legacy pairing makes a key for each role`() {
    var bench = PairingBench(central: .with(.keyboardOnly, .never))
    bench.pair()
    let keys = Device.allCases.map { bench.result(of: $0)!.bond!.longTermKeys }
    for list in keys {
      #expect(list.map(\.kind) == [1, 1])
      #expect(list.map(\.isOfCentral) == [false, true])
    }
    #expect(keys[0].map(\.value) == keys[1].map(\.value).reversed())
    #expect(keys[0].map(\.rand) == keys[1].map(\.rand).reversed())
    #expect(keys[0].map(\.ediv) == keys[1].map(\.ediv).reversed())
  }

  @Test(arguments: kinds, [IOCapability.displayOnly, .noInputNoOutput])
  func `a later link is encrypted with the kept key, in the same and in other roles`(
    kind: PairingPolicy.SecureConnections, capability: IOCapability
  ) {
    var bench = PairingBench(central: .with(.keyboardOnly, kind), peripheral: .with(capability))
    bench.pair()
    let security = bench[.central].security
    let kept = Dictionary(uniqueKeysWithValues: Device.allCases.map { ($0, bench[$0].keys) })
    let swapped = [Device.central: kept[.peripheral]!, .peripheral: kept[.central]!]
    for keys in [kept, swapped] {
      var later = PairingBench(keys: keys, seed: 7)
      later.make(.central) { $0.encrypt(at: $1) }
      for device in Device.allCases {
        #expect(later[device].security == security)
        #expect(later.reports[device]!.contains(.securityChanged(security, byBond: true)))
        #expect(later.failures(of: device).isEmpty)
      }
      #expect(later.packets.isEmpty)
    }
  }

  @Test(arguments: kinds)
  func `a device that has forgotten the key says so, and pairs again`(kind: PairingPolicy.SecureConnections) {
    var bench = PairingBench(central: .with(.keyboardOnly, kind))
    bench.pair()
    var later = PairingBench(
      central: .with(.keyboardOnly, kind), keys: [.central: bench[.central].keys], seed: 7)
    later.make(.central) { $0.encrypt(at: $1) }
    #expect(later.reports[.peripheral] == [.refuseKey, .failed(.keyMissing, by: .own)])
    #expect(later.failures(of: .central) == [.failed(.keyMissing, by: .peer)])
    #expect(later[.central].security == .none)
    later.pair()
    #expect(later.result(of: .peripheral)?.bond?.longTermKeys == later[.peripheral].keys)
    #expect(later[.peripheral].keys != bench[.peripheral].keys)
  }

  @Test func `a central that has forgotten the key pairs again`() {
    var bench = PairingBench()
    bench.pair()
    var later = PairingBench(keys: [.peripheral: bench[.peripheral].keys], seed: 7)
    later.make(.central) { $0.encrypt(at: $1) }
    #expect(later.reports[.central] == [])
    later.pair()
    #expect(later.result(of: .peripheral)?.security == .secureConnections)
  }

  @Test func `a controller with another key fails, and the central hears of it`() {
    var bench = PairingBench()
    bench.pair()
    var keys = bench[.peripheral].keys
    keys[0].value[0] ^= 1
    var later = PairingBench(keys: [.central: bench[.central].keys, .peripheral: keys])
    later.make(.central) { $0.encrypt(at: $1) }
    #expect(later.failures(of: .central) == [.failed(.unknown, by: .peer)])
    #expect(later[.central].security == .none)
  }

  /// How each of the pairings ends: the device keeps a bond of the strength before.
  @Test(
    arguments: [
      (
        KeyStrength(isAuthenticated: true, isSecure: false, keySize: 16), IOCapability.noInputNoOutput,
        .allowed, 16, true
      ),
      (KeyStrength(isAuthenticated: false, isSecure: true, keySize: 16), .noInputNoOutput, .never, 16, true),
      (
        KeyStrength(isAuthenticated: false, isSecure: true, keySize: 16), .noInputNoOutput, .allowed, 15, true
      ),
      (
        KeyStrength(isAuthenticated: false, isSecure: true, keySize: 16), .noInputNoOutput, .allowed, 16,
        false
      ),
      (KeyStrength(isAuthenticated: false, isSecure: true, keySize: 16), .keyboardOnly, .never, 7, false),
      (KeyStrength(isAuthenticated: true, isSecure: true, keySize: 16), .keyboardOnly, .never, 16, true),
      (KeyStrength.unrivalled, .keyboardOnly, .allowed, 16, true),
    ] as [(KeyStrength, IOCapability, PairingPolicy.SecureConnections, Int, Bool)])
  func `a weaker pairing replaces no bond, by either address`(
    kept: KeyStrength, capability: IOCapability, kind: PairingPolicy.SecureConnections, size: Int,
    isRefused: Bool
  ) {
    let policy = PairingPolicy.with(capability, kind) { $0.maximumKeySize = size }
    for peer in [PairingBench.address[.central]!, PairingBench.identity[.central]!.address] {
      var bench = PairingBench(central: policy)
      bench[.peripheral].strengths = [peer: kept]
      bench.pair()
      #expect((bench.result(of: .peripheral) == nil) == isRefused)
      #expect(bench[.peripheral].keptBond == (isRefused ? peer : nil))
      #expect((bench.packets.last?.bytes == [0x05, 0x03]) == isRefused)
      // Keys for this link only replace nothing.
      bench = PairingBench(central: .with(capability, kind) { ($0.maximumKeySize, $0.bonds) = (size, false) })
      bench[.peripheral].strengths = [peer: kept]
      bench.pair()
      #expect(bench.result(of: .peripheral) != nil)
    }
  }

  @Test func `keys for one link only are not those of a bond`() {
    var bench = PairingBench(central: .with { $0.bonds = false })
    bench.pair()
    bench.make(.central) { $0.encrypt(at: $1) }
    bench.change(encrypted: false)
    bench.make(.central) { $0.encrypt(at: $1) }
    let byBond = bench.reports[.peripheral]!.contains {
      if case .securityChanged(_, byBond: true) = $0 { true } else { false }
    }
    #expect(!byBond)
  }

  @Test(arguments: kinds)
  func `devices pair again on an encrypted link`(kind: PairingPolicy.SecureConnections) {
    var bench = PairingBench(central: .with(.keyboardDisplay, kind), peripheral: .with())
    bench.pair()
    #expect(bench[.peripheral].security == .encrypted)
    bench[.peripheral].policy.capability = .displayOnly
    bench.pair()
    for device in Device.allCases {
      #expect(bench.results(of: device).count == 2)
      #expect(bench[device].security.level >= .authenticated)
      #expect(bench.failures(of: device).isEmpty)
    }
  }
}

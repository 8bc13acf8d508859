import Bluetooth
import Testing

@testable import SecurityManager

/// Security Requests, and PDUs outside of a pairing (Core Specification, Vol 3 Part H 2.4.6).
@Suite struct RequestTests {
  typealias Device = PairingBench.Device

  private static let wishes: [(PairingPolicy, AuthenticationRequirements)] = [
    (.with(), [.bonding, .secureConnections]),
    (.with(.displayOnly), [.bonding, .authentication, .secureConnections]),
    (.with(.displayOnly, .never), [.bonding, .authentication]),
    (.with { $0.bonds = false }, [.secureConnections]),
  ]

  @Test(arguments: wishes)
  func `a Security Request asks for what the policy wants`(
    policy: PairingPolicy, requirements: AuthenticationRequirements
  ) {
    var bench = PairingBench(peripheral: policy)
    bench.make(.peripheral) { $0.pair(at: $1) }
    #expect(bench.packets.map(\.bytes) == [[0x0B, requirements.rawValue]])
    #expect(bench.reports[.central] == [.requestedSecurity(requirements)])
    #expect(bench[.peripheral].deadline == nil)
    bench.pair()
    #expect(bench.result(of: .peripheral) != nil)
  }

  @Test func `a central that does not pair refuses a Security Request`() {
    var bench = PairingBench(central: .with { $0.isAllowed = false })
    bench.make(.peripheral) { $0.pair(at: $1) }
    #expect(bench.failures(of: .peripheral) == [.failed(.pairingNotSupported, by: .peer)])
    #expect(bench.reports[.central] == [])
  }

  @Test func `encryption with a kept key answers a Security Request`() {
    var bench = PairingBench()
    bench.pair()
    let keys = bench[.central].keys
    var later = PairingBench(keys: [.central: keys, .peripheral: keys])
    later.make(.peripheral) { $0.pair(at: $1) }
    later.make(.central) { $0.encrypt(at: $1) }
    later.send(SampleSecurityPDU.bytes(of: .pairingFailed), from: .central)
    #expect(later.failures(of: .peripheral).isEmpty)
    #expect(later[.peripheral].security == .secureConnections)
  }

  @Test func `a Security Request during a pairing is ignored`() {
    var bench = PairingBench()
    bench.person.entry = .never
    bench.pair()
    bench.send([0x0B, 0x01], from: .peripheral)
    #expect(bench[.central].isPairing)
    #expect(!bench.reports[.central]!.contains(.requestedSecurity(.bonding)))
  }

  @Test func `a device does not begin a pairing during another one`() {
    var bench = PairingBench()
    bench.person.entry = .never
    bench.pair()
    let count = bench.packets.count
    for device in Device.allCases { bench.make(device) { $0.pair(at: $1) } }
    #expect(bench.packets.count == count)
  }

  @Test func `a Pairing Request during a pairing ends it`() {
    var bench = PairingBench()
    bench.person.entry = .never
    bench.pair()
    bench.send(SampleSecurityPDU.bytes(of: .pairingRequest), from: .central)
    #expect(bench.hasFailed(.unspecifiedReason, by: .peripheral))
  }

  /// A central that asks for no protection, as devices without a wish for authentication do.
  @Test func `devices with keyboards pair by Just Works where neither asks for authentication`() {
    let features = PairingFeatures(capability: .keyboardDisplay, requirements: [.secureConnections])
    var strict = features
    strict.requirements.insert(.authentication)
    #expect(AssociationModel(features, features) == .justWorks)
    #expect(AssociationModel(strict, features) == .numericComparison)
    #expect(AssociationModel(features, strict) == .numericComparison)
  }

  @Test func `a peripheral may not add keys to those that the central asks for`() {
    var bench = PairingBench()
    bench.alter = { _, packet in
      var packet = packet
      if packet.code == .pairingResponse { packet.bytes[6] |= 0x04 }
      return packet
    }
    bench.pair()
    #expect(bench.hasFailed(.invalidParameters, by: .central))
  }

  @Test(arguments: SecurityCode.allCases)
  func `outside of a pairing, PDUs are refused without a report`(code: SecurityCode) {
    let isRequest = [.pairingRequest, .securityRequest].contains(code)
    let isSilent = [.pairingFailed, .pairingKeypressNotification].contains(code)
    for device in Device.allCases where !isRequest {
      var bench = PairingBench()
      bench.send(SampleSecurityPDU.bytes(of: code), from: device)
      let isWrongRole = code == .pairingResponse && device == .central
      let answer: [[UInt8]] = isSilent ? [] : [[0x05, isWrongRole ? 0x07 : 0x08]]
      #expect(bench.packets.map(\.bytes) == answer)
      #expect(bench.reports[device.other] == [])
    }
  }

  @Test func `answers that nobody has asked for do nothing`() {
    var bench = PairingBench()
    for device in Device.allCases {
      bench.make(device) { $0.enter(passkey: 1, at: $1) + $0.confirm(false, at: $1) + $0.cancel(at: $1) }
      bench.make(device) { $0.encryptionFailed(.keyMissing, at: $1) + $0.encrypt(at: $1) }
      #expect(bench.reports[device] == [])
    }
    #expect(bench.packets.isEmpty)
  }

  @Test func `the end of the encryption while keys are distributed ends the pairing`() {
    var bench = PairingBench()
    bench.alter = { $1.code == .identityInformation || $1.code == .identityAddressInformation ? nil : $1 }
    bench.pair()
    #expect(bench[.peripheral].isPairing)
    bench.make(.peripheral) { $0.encryptionChanged(to: false, at: $1) }
    #expect(bench.failures(of: .peripheral).first == .failed(.unspecifiedReason, by: .own))
    #expect(bench[.peripheral].security == .none)
  }
}

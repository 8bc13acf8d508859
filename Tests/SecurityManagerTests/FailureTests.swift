import Bluetooth
import Cryptography
import Testing

@testable import SecurityManager

/// A pairing in which something goes wrong (Core Specification, Vol 3 Part H 3.5.5).
@Suite struct FailureTests {
  typealias Device = PairingBench.Device

  /// Pairings with every step there is.
  static let scenes: [Scene] = [
    Scene(name: "legacy, Just Works", central: .with(.noInputNoOutput, .never), peripheral: .with()),
    Scene(name: "legacy, passkey", central: .with(.keyboardOnly, .never), peripheral: .with(.displayOnly)),
    Scene(name: "secure, Just Works", central: .with(), peripheral: .with()),
    Scene(name: "secure, comparison", central: .with(.displayYesNo), peripheral: .with(.displayYesNo)),
    Scene(name: "secure, passkey", central: .with(.displayOnly), peripheral: .with(.keyboardOnly)),
  ]

  struct Scene: CustomTestStringConvertible {
    var name: String
    var central: PairingPolicy
    var peripheral: PairingPolicy

    var testDescription: String { name }
    var bench: PairingBench { PairingBench(central: central, peripheral: peripheral) }

    /// The packets of a pairing that succeeds.
    var packets: [PairingBench.Packet] {
      var bench = bench
      bench.pair()
      return bench.packets
    }

    /// The steps that differ: of the rounds of a passkey, the first two and the last one.
    var steps: [Int] {
      let count = packets.count
      return (0..<count).filter { $0 < 14 || $0 > count - 12 }
    }
  }

  @Test(arguments: scenes)
  func `the peer ends a pairing at any step, for any reason`(scene: Scene) {
    for step in scene.steps {
      for reason in PairingFailure.specified {
        var bench = scene.bench
        bench.alter = { $0 == step ? .init(sender: $1.sender, bytes: [0x05, reason.rawValue]) : $1 }
        bench.pair()
        let receiver = scene.packets[step].sender.other
        // The peripheral is not pairing yet when it gets the first packet.
        let expected: [SecurityAction] = step == 0 ? [] : [.failed(reason, by: .peer)]
        #expect(bench.failures(of: receiver) == expected, "step \(step), \(reason)")
        #expect(!bench[receiver].isPairing)
        #expect(bench.results(of: receiver).isEmpty)
      }
    }
  }

  /// In place of each packet, one of each other kind.
  @Test(arguments: scenes)
  func `a PDU that does not come now ends the pairing`(scene: Scene) {
    let (packets, ignored) = (scene.packets, [SecurityCode.pairingKeypressNotification, .pairingFailed])
    for step in scene.steps where step > 0 {
      for other in SecurityCode.allCases where other != packets[step].code && !ignored.contains(other) {
        // A central ignores Security Requests.
        if other == .securityRequest, packets[step].sender == .peripheral { continue }
        var bench = scene.bench
        let bytes = SampleSecurityPDU.bytes(of: other)
        bench.alter = { $0 == step ? .init(sender: $1.sender, bytes: bytes) : $1 }
        bench.pair()
        let receiver = packets[step].sender.other
        let reason: PairingFailure =
          switch (other, receiver) {
          case (.pairingRequest, .central), (.pairingResponse, .peripheral), (.securityRequest, .peripheral):
            .commandNotSupported
          default: .unspecifiedReason
          }
        #expect(bench.failures(of: receiver) == [.failed(reason, by: .own)], "\(other) in step \(step)")
      }
    }
  }

  @Test(arguments: scenes)
  func `a PDU of another length is invalid at any step`(scene: Scene) {
    for step in scene.steps {
      for change in [-1, 1] {
        var bench = scene.bench
        bench.alter = { number, packet in
          var packet = packet
          guard number == step else { return packet }
          if change > 0 { packet.bytes.append(0) } else { packet.bytes.removeLast() }
          return packet
        }
        bench.pair()
        let receiver = scene.packets[step].sender.other
        #expect(bench[receiver].isPairing == false)
        #expect(bench.packets.contains { $0.sender == receiver && $0.bytes == [0x05, 0x0A] })
        #expect(bench.results(of: receiver).isEmpty)
      }
    }
  }

  @Test(arguments: scenes)
  func `keypress notifications and reserved codes change nothing`(scene: Scene) {
    for bytes in [[0x0E, 0x00], [0x0E, 0x04], [0x0F], [0xFF, 1, 2, 3]] as [[UInt8]] {
      var (bench, extra) = (scene.bench, scene.bench)
      bench.pair()
      for device in Device.allCases { extra.send(bytes, from: device) }
      extra.pair()
      for device in Device.allCases { extra.send(bytes, from: device) }
      #expect(extra.packets == bench.packets)
      #expect(extra.result(of: .central) == bench.result(of: .central))
    }
  }

  /// A bit of each value that the devices prove something with.
  @Test(arguments: [
    (0, SecurityCode.pairingConfirm, Device.central, PairingFailure.confirmValueFailed, Device.peripheral),
    (0, .pairingRandom, .central, .confirmValueFailed, .peripheral),
    (0, .pairingConfirm, .peripheral, .confirmValueFailed, .central),
    (0, .pairingRandom, .peripheral, .confirmValueFailed, .central),
    (2, .pairingConfirm, .peripheral, .confirmValueFailed, .central),
    (2, .pairingRandom, .peripheral, .confirmValueFailed, .central),
    (2, .pairingRandom, .central, .dhKeyCheckFailed, .peripheral),
    (2, .pairingDHKeyCheck, .central, .dhKeyCheckFailed, .peripheral),
    (2, .pairingDHKeyCheck, .peripheral, .dhKeyCheckFailed, .central),
    (2, .pairingPublicKey, .central, .invalidParameters, .peripheral),
    (2, .pairingPublicKey, .peripheral, .invalidParameters, .central),
    (4, .pairingConfirm, .central, .confirmValueFailed, .peripheral),
    (4, .pairingRandom, .central, .confirmValueFailed, .peripheral),
    (4, .pairingConfirm, .peripheral, .confirmValueFailed, .central),
    (4, .pairingRandom, .peripheral, .confirmValueFailed, .central),
    (4, .pairingDHKeyCheck, .central, .dhKeyCheckFailed, .peripheral),
  ])
  func `a changed value is found`(
    scene: Int, code: SecurityCode, sender: Device, reason: PairingFailure, finder: Device
  ) {
    var bench = Self.scenes[scene].bench
    bench.alter = { _, packet in
      var packet = packet
      if packet.code == code, packet.sender == sender { packet.bytes[7] ^= 0x10 }
      return packet
    }
    bench.pair()
    #expect(bench.hasFailed(reason, by: finder))
    #expect(bench.encryptions == 0)
  }

  @Test(arguments: Device.allCases)
  func `a public key that is sent back is refused`(device: Device) {
    var bench = Self.scenes[2].bench
    let drawn = Self.scenes[2].packets.filter { $0.code == .pairingPublicKey }
    bench.alter = { _, packet in
      guard packet.code == .pairingPublicKey, packet.sender == device.other else { return packet }
      return .init(sender: packet.sender, bytes: drawn.first { $0.sender == device }!.bytes)
    }
    bench.pair()
    #expect(bench.hasFailed(.invalidParameters, by: device))
  }

  /// A central whose only knowledge is what the peripheral says.
  @Test func `a peer that sends back all values of legacy pairing does not know the passkey`() {
    var bench = Self.scenes[1].bench
    var last: [UInt8] = []
    bench.pair()
    let now = bench.now
    var device = Self.scenes[1].bench[.central]
    _ = device.pair(at: now)
    _ = device.receive(bench.packets[1].bytes, at: now)
    for action in device.enter(passkey: 1, at: now) { if case .send(let bytes) = action { last = bytes } }
    for action in device.receive(last, at: now) { if case .send(let bytes) = action { last = bytes } }
    #expect(device.receive(last, at: now).last == .failed(.confirmValueFailed, by: .own))
  }

  @Test(arguments: [1, 4])
  func `a wrong passkey fails`(scene: Int) {
    var bench = Self.scenes[scene].bench
    bench.person.entry = .wrong
    bench.pair()
    #expect(bench.hasFailed(.confirmValueFailed, by: .peripheral))
  }

  @Test(arguments: [1, 4])
  func `a person refuses to enter a passkey`(scene: Int) {
    var bench = Self.scenes[scene].bench
    bench.person.entry = .refuses
    bench.pair()
    #expect(bench.hasFailed(.passkeyEntryFailed, by: scene == 1 ? .central : .peripheral))
  }

  @Test func `a person says that the numbers differ`() {
    var bench = Self.scenes[3].bench
    bench.person.confirms = false
    bench.pair()
    #expect(bench.hasFailed(.numericComparisonFailed, by: .central))
  }

  @Test(arguments: scenes)
  func `a device cancels a pairing`(scene: Scene) {
    var bench = scene.bench
    bench.alter = { $0 == 2 ? nil : $1 }  // the first after the Pairing Response
    bench.pair()
    bench.make(.peripheral) { $0.cancel(.pairingNotSupported, at: $1) }
    #expect(bench.hasFailed(.pairingNotSupported, by: .peripheral))
  }
}

/// A PDU of each kind.
enum SampleSecurityPDU {
  static func bytes(of code: SecurityCode) -> [UInt8] {
    switch code {
    case .pairingRequest, .pairingResponse: [code.rawValue, 0x03, 0x00, 0x01, 0x10, 0x00, 0x00]
    case .pairingFailed: [code.rawValue, 0x08]
    case .identityAddressInformation: [code.rawValue, 0x01, 1, 2, 3, 4, 5, 0xC6]
    case .pairingPublicKey:
      [code.rawValue] + P256.PrivateKey.debug.publicKey.airX + P256.PrivateKey.debug.publicKey.airY
    default: [code.rawValue] + [UInt8](repeating: 0x04, count: code.parametersSize)
    }
  }
}

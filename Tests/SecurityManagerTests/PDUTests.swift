import Bluetooth
import TestSupport
import Testing

@testable import SecurityManager

/// PDUs, and any bytes in any state.
@Suite struct PDUTests {
  typealias Device = PairingBench.Device

  @Test(arguments: SecurityCode.allCases)
  func `each PDU is read and written, and has one length`(code: SecurityCode) throws {
    let bytes = SampleSecurityPDU.bytes(of: code)
    let pdu = try SecurityPDU(bytes)
    #expect(pdu.code == code)
    #expect(pdu.bytes == bytes)
    #expect(throws: SecurityPDU.DecodingError.wrongLength(code, bytes.count + 1)) {
      try SecurityPDU(bytes + [0])
    }
    #expect(throws: SecurityPDU.DecodingError.wrongLength(code, bytes.count - 1)) {
      try SecurityPDU(Array(bytes.dropLast()))
    }
  }

  /// Vol 3 Part H 3.5, 3.6.
  @Test(arguments: [
    (
      [0x01, 0x05, 0x00, 0x01, 0x10, 0x00, 0x00], SecurityPDU.DecodingError.invalidParameter(.pairingRequest)
    ),
    ([0x02, 0x03, 0x02, 0x01, 0x10, 0x00, 0x00], .invalidParameter(.pairingResponse)),
    ([0x01, 0x03, 0x00, 0x01, 0x11, 0x00, 0x00], .invalidParameter(.pairingRequest)),
    ([0x09, 0x02, 1, 2, 3, 4, 5, 0xC6], .invalidParameter(.identityAddressInformation)),
    ([0x09, 0x01, 1, 2, 3, 4, 5, 0x46], .invalidParameter(.identityAddressInformation)),
    ([0x0E, 0x05], .invalidParameter(.pairingKeypressNotification)),
    ([0x00], .unknownCode(0x00)), ([0x0F, 0x00], .unknownCode(0x0F)), ([], .empty),
  ])
  func `reserved values are no PDUs`(bytes: [UInt8], error: SecurityPDU.DecodingError) {
    #expect(throws: error) { try SecurityPDU(bytes) }
  }

  @Test func `bits without a name survive`() throws {
    let bytes: [UInt8] = [0x01, 0x04, 0x01, 0xFD, 0x07, 0xFF, 0xF7]
    #expect(try SecurityPDU(bytes).bytes == bytes)
  }

  @Test(arguments: [
    (UInt8(0x0C), PairingFailure.numericComparisonFailed), (0x0D, .unknown), (0xFE, .unknown), (0, .unknown),
  ])
  func `a reason without a name is unknown`(byte: UInt8, reason: PairingFailure) throws {
    #expect(try SecurityPDU([0x05, byte]) == .pairingFailed(reason))
  }

  /// Packets are lost, changed, replaced and repeated, people answer at any time, and controllers report anything.
  @Test(arguments: 0..<40)
  func `no packets and no events can crash a manager, or keep it from its end`(block: UInt64) {
    for seed in block * 50..<block * 50 + 50 {
      var random = SplitMix64(seed: seed)
      let scene = FailureTests.scenes[Int(seed % UInt64(FailureTests.scenes.count))]
      var bench = scene.bench
      let disturbed = Int(random.next() % 40)
      let packet = Self.packet(&random)
      bench.alter = { $0 == disturbed ? .init(sender: $1.sender, bytes: packet) : $1 }
      bench.pair()
      for _ in 0..<8 { Self.happen(&bench, &random) }
      bench.pass(.seconds(30))
      for device in Device.allCases { #expect(!bench[device].isPairing, "seed \(seed)") }
      #expect(bench.packets.count < 500, "seed \(seed)")
    }
  }

  private static func packet(_ random: inout SplitMix64) -> [UInt8] {
    let code = SecurityCode.allCases[Int(random.next() % 14)]
    var bytes = SampleSecurityPDU.bytes(of: code)
    switch random.next() % 4 {
    case 0: bytes = random.bytes(Int(random.next() % 20))
    case 1: bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next())
    case 2: bytes = [code.rawValue] + random.bytes(code.parametersSize)
    default: break
    }
    return bytes
  }

  private static func happen(_ bench: inout PairingBench, _ random: inout SplitMix64) {
    let device = Device.allCases[Int(random.next() % 2)]
    let (number, bytes) = (UInt32(truncatingIfNeeded: random.next()), packet(&random))
    switch random.next() % 9 {
    case 0: bench.make(device) { $0.pair(at: $1) }
    case 1: bench.make(device) { $0.encrypt(at: $1) }
    case 2: bench.make(device) { $0.enter(passkey: number, at: $1) }
    case 3: bench.make(device) { $0.confirm(number % 2 == 0, at: $1) }
    case 4: bench.make(device) { $0.encryptionChanged(to: number % 3 > 0, at: $1) }
    case 5: bench.make(device) { $0.encryptionFailed(.authenticationFailure, at: $1) }
    case 6:
      let rand = number % 2 == 0 ? [UInt8](repeating: 0, count: 8) : bytes
      bench.make(device) { $0.longTermKeyRequested(rand: rand, ediv: 0, at: $1) }
    default: bench.send(bytes, from: device)
    }
  }
}

import Bluetooth
import Cryptography
import Testing

@testable import SecurityManager

/// The functions of the Security Manager, with the sample data of the Core Specification, Vol 3 Part H 2.2 and Appendix D.
@Suite struct ToolboxTests {
  // The values are written as there, most significant byte first.
  private static let u = air("20B003D2 F297BE2C 5E2C83A7 E9F9A5B9 EFF49111 ACF4FDDB CC030148 0E359DE6")
  private static let v = air("55188B3D 32F6BB9A 900AFCFB EED4E72A 59CB9AC2 F19D7CFB 6B4FDD49 F47FC5FD")
  private static let n1 = air("D5CB8454 D177733E FFFFB2EC 712BAEAB")
  private static let n2 = air("A6E8E7CC 25A75F6E 216583F7 FF3DC4CF")
  private static let macKey = air("2965F176 A1084A02 FD3F6A20 CE636E20")
  private static let addresses = PairingAddresses(
    central: LinkAddress(DeviceAddress("56:12:37:37:BF:CE")!),
    peripheral: LinkAddress(DeviceAddress("A7:13:70:2D:CF:C1")!))

  @Test func `f4 is that of appendix D`() {
    let confirm = SecurityToolbox.f4(Self.u, Self.v, Self.n1, 0)
    #expect(confirm == air("F2C916F1 07A9BD1C F1EDA1BE A974872D"))
  }

  @Test func `f5 is that of appendix D`() {
    let secret = air("EC0234A3 57C8AD05 341010A6 0A397D9B 99796B13 B4F866F1 868D34F3 73BFA698")
    let keys = SecurityToolbox.f5(secret, central: Self.n1, peripheral: Self.n2, Self.addresses)
    #expect(keys.macKey == Self.macKey)
    #expect(keys.longTermKey == air("69867911 69D7CD23 980522B5 94750A38"))
  }

  @Test func `f6 is that of appendix D`() {
    let check = SecurityToolbox.f6(
      Self.macKey, Self.n1, Self.n2, air("12A3343B B453BB54 08DA42D2 0C2D0FC8"), air("010102"),
      Self.addresses.central, Self.addresses.peripheral)
    #expect(check == air("E3C47398 9CD0E8C5 D26C0B09 DA958F61"))
  }

  @Test func `g2 is that of appendix D`() {
    let number = SecurityToolbox.g2(Self.u, Self.v, Self.n1, Self.n2)
    #expect(number.value == 0x2F9E_D5BA)
    #expect(number.digits == 938_554)
  }

  @Test func `ah is that of appendix D`() {
    #expect(SecurityToolbox.ah(air("EC0234A3 57C8AD05 341010A6 0A397D9B"), air("708194")) == air("0DFBAA"))
  }

  /// Vol 3 Part H 2.2.3.
  @Test func `c1 is that of the specification`() {
    let addresses = PairingAddresses(
      central: LinkAddress(DeviceAddress("A1:A2:A3:A4:A5:A6")!, .random),
      peripheral: LinkAddress(DeviceAddress("B1:B2:B3:B4:B5:B6")!))
    let confirm = SecurityToolbox.c1(
      SecurityToolbox.zeros(16), air("5783D521 56AD6F0E 6388274E C6702EE0"),
      request: air("07071000 000101"), response: air("05000800 000302"), addresses)
    #expect(confirm == air("1E1E3FEF 878988EA D2A74DC5 BEF13B86"))
  }

  /// Vol 3 Part H 2.2.4.
  @Test func `s1 is that of the specification`() {
    let key = SecurityToolbox.s1(
      SecurityToolbox.zeros(16), peripheral: air("000F0E0D 0C0B0A09 11223344 55667788"),
      central: air("01020304 05060708 99AABBCC DDEEFF00"))
    #expect(key == air("9A1FE1F0 E8B0F49B 5B4216AE 796DA062"))
  }

  /// Vol 3 Part H 2.3.5.6.1.
  @Test func `the debug key pair is that of the specification`() {
    let key = P256.PrivateKey.debug.publicKey
    #expect(key.airX == Self.u)
    #expect(key.airY == air("DC809C49 652AEB6D 63329ABF 5A52155C 766345C2 8FED3024 741C8ED0 1589D28B"))
  }

  /// Appendix D.1 has the key pairs of f4, and the secret of f5.
  @Test func `the secret of both key pairs is that of appendix D`() throws {
    let a = air("3F49F6D4 A3C55F38 74C9B3E3 D2103F50 4AFF607B EB40B799 5899B8A6 CD3C1ABD")
    let b = air("55188B3D 32F6BB9A 900AFCFB EED4E72A 59CB9AC2 F19D7CFB 6B4FDD49 F47FC5FD")
    let (first, second) = (
      try #require(P256.PrivateKey(a.reversed())), try #require(P256.PrivateKey(b.reversed()))
    )
    let secret = air("EC0234A3 57C8AD05 341010A6 0A397D9B 99796B13 B4F866F1 868D34F3 73BFA698")
    #expect(first.publicKey.airX == Self.u)
    #expect(
      second.publicKey.airX == air("1EA1F0F0 1FAF1D96 09592284 F19E4C00 47B58AFD 8615A69F 559077B2 2FAAA190"))
    #expect(first.sharedSecret(with: second.publicKey).reversed() == secret)
    #expect(second.sharedSecret(with: first.publicKey).reversed() == secret)
  }

  @Test func `a key drawn at random is in range`() {
    for byte in [UInt8(0), 0xFF] {
      let key = P256.PrivateKey(drawn: [UInt8](repeating: byte, count: 32))
      #expect(key.bytes[0] & 0xC0 == 0x40)
    }
  }
}

/// Bytes in the order of the air, from the digits of the specification, most significant first.
func air(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }.reversed()
}

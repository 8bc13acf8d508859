import Cryptography
import Testing

/// AES-GCM and ChaCha20-Poly1305, with the vectors of their standards.
@Suite struct SealingTests {
  struct Vector: Sendable {
    var key: String
    var nonce: String
    var header = ""
    var plain = ""
    /// With the tag.
    var sealed: String
  }

  /// Test cases 1, 2, 4, 5 and 13 of the proposal to NIST ("The Galois/Counter Mode of Operation", appendix B).
  private static let gcm = [
    Vector(
      key: "00000000000000000000000000000000", nonce: "000000000000000000000000",
      sealed: "58E2FCCEFA7E3061367F1D57A4E7455A"),
    Vector(
      key: "00000000000000000000000000000000", nonce: "000000000000000000000000",
      plain: "00000000000000000000000000000000",
      sealed: "0388DACE60B6A392F328C2B971B2FE78AB6E47D42CEC13BDF53A67B21257BDDF"),
    Vector(
      key: "FEFFE9928665731C6D6A8F9467308308", nonce: "CAFEBABEFACEDBADDECAF888", header: header,
      plain: plain,
      sealed: "42831EC2217774244B7221B784D0D49CE3AA212F2C02A4E0"
        + "35C17E2329ACA12E21D514B25466931C7D8F6A5AAC84AA05"
        + "1BA30B396A0AAC973D58E0915BC94FBC3221A5DB94FAE95AE7121A47"),
    Vector(
      key: "FEFFE9928665731C6D6A8F9467308308", nonce: "CAFEBABEFACEDBAD", header: header, plain: plain,
      sealed: "61353B4C2806934A777FF51FA22A4755699B2A714FCDC6F8"
        + "3766E5F97B6C742373806900E49F24B22B097544D4896B42"
        + "4989B5E1EBAC0F07C23F45983612D2E79E3B0785561BE14AACA2FCCB"),
    Vector(
      key: String(repeating: "00", count: 32), nonce: "000000000000000000000000",
      sealed: "530F8AFBC74536B9A963B4F1C4CB738B"),
  ]
  private static let header = "FEEDFACEDEADBEEFFEEDFACEDEADBEEFABADDAD2"
  private static let plain =
    "D9313225F88406E5A55909C5AFF5269A86A7A9531534F7DA2E4C303D8A318A72"
    + "1C3C0C95956809532FCF0E2449A6B525B16AEDF5AA0DE657BA637B39"

  @Test(arguments: gcm) func `AES-GCM is that of its proposal`(vector: Vector) {
    let aes = AES(key: hex(vector.key))
    let (nonce, header, plain) = (hex(vector.nonce), hex(vector.header), hex(vector.plain))
    let sealed = aes.sealGCM(plain, nonce: nonce, header: header, tagSize: 16)
    #expect(sealed == hex(vector.sealed))
    #expect(aes.openGCM(sealed, nonce: nonce, header: header, tagSize: 16) == plain)
    for size in AES.gcmTagSizes {
      let short = aes.sealGCM(plain, nonce: nonce, header: header, tagSize: size)
      #expect(short == Array(sealed.prefix(plain.count + size)))
      #expect(aes.openGCM(short, nonce: nonce, header: header, tagSize: size) == plain)
    }
  }

  /// RFC 8439, 2.8.2.
  private static let text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    + "sunscreen would be it."
  private static let chacha = Vector(
    key: "808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F",
    nonce: "070000004041424344454647",
    header: "50515253C0C1C2C3C4C5C6C7",
    sealed: "D31A8D34648E60DB7B86AFBC53EF7EC2A4ADED51296E08FE"
      + "A9E2B5A736EE62D63DBEA45E8CA9671282FAFB69DA92728B"
      + "1A71DE0A9E060B2905D6A5B67ECD3B3692DDBD7F2D778B8C"
      + "9803AEE328091B58FAB324E4FAD675945585808B4831D7BC"
      + "3FF4DEF08E4B7A9DE576D26586CEC64B61161AE10B594F09E26A7E902ECBD0600691")

  @Test func `ChaCha20-Poly1305 is that of RFC 8439`() {
    let vector = Self.chacha
    let (key, nonce, header) = (hex(vector.key), hex(vector.nonce), hex(vector.header))
    let sealed = ChaCha20Poly1305.seal(Array(Self.text.utf8), key: key, nonce: nonce, header: header)
    #expect(sealed == hex(vector.sealed))
    #expect(ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, header: header) == Array(Self.text.utf8))
  }

  /// One bit of the bytes, the tag, the nonce or the header.
  @Test func `nothing opens with a wrong bit`() {
    let (key, nonce, header) = ([UInt8](repeating: 7, count: 32), [UInt8](1...12), [UInt8](1...5))
    let aes = AES(key: key)
    func open(_ sealed: [UInt8], _ nonce: [UInt8], _ header: [UInt8], isChaCha: Bool) -> [UInt8]? {
      isChaCha
        ? ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, header: header)
        : aes.openGCM(sealed, nonce: nonce, header: header, tagSize: 16)
    }
    for isChaCha in [false, true] {
      let sealed =
        isChaCha
        ? ChaCha20Poly1305.seal([1, 2, 3], key: key, nonce: nonce, header: header)
        : aes.sealGCM([1, 2, 3], nonce: nonce, header: header, tagSize: 16)
      #expect(open(sealed, nonce, header, isChaCha: isChaCha) == [1, 2, 3])
      for index in sealed.indices {
        var wrong = sealed
        wrong[index] ^= 0x80
        #expect(open(wrong, nonce, header, isChaCha: isChaCha) == nil)
      }
      #expect(open(sealed, nonce.reversed(), header, isChaCha: isChaCha) == nil)
      #expect(open(sealed, nonce, [], isChaCha: isChaCha) == nil)
      #expect(open(Array(sealed.dropLast()), nonce, header, isChaCha: isChaCha) == nil)
      #expect(open([], nonce, header, isChaCha: isChaCha) == nil)
    }
  }
}

import Cryptography
import Testing

/// Hashes, with the vectors of their standards.
@Suite struct HashTests {
  /// RFC 1321, and NIST's examples for FIPS 180.
  @Test(
    arguments: [
      (.md5, "", "D41D8CD98F00B204E9800998ECF8427E"), (.md5, "a", "0CC175B9C0F1B6A831C399E269772661"),
      (.md5, "abc", "900150983CD24FB0D6963F7D28E17F72"),
      (.md5, "message digest", "F96B697D7CB7938D525A2F31AAF161D0"),
      (.md5, "abcdefghijklmnopqrstuvwxyz", "C3FCD3D76192E4007DFB496CCA67E13B"),
      (.sha1, "", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"),
      (.sha1, "abc", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
      (
        .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983E441C3BD26EBAAE4AA1F95129E5E54670F1"
      ),
      (.sha256, "", "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"),
      (.sha256, "abc", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      (
        .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"
      ),
      (
        .sha512, "abc",
        "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A"
          + "2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F"
      ),
    ] as [(Hash, String, String)])
  func `a digest is that of the standard`(hash: Hash, text: String, digest: String) {
    #expect(hash.digest(of: Array(text.utf8)) == hex(digest))
  }

  /// RFC 2202 and RFC 4231.
  @Test(
    arguments: [
      (.md5, bytes(0x0B, 16), "Hi There", "9294727A3638BB1C13F48EF8158BFC9D"),
      (.md5, Array("Jefe".utf8), "what do ya want for nothing?", "750C783E6AB0B503EAA86E310A5DB738"),
      (.md5, bytes(0xAA, 80), long, "6B1AB7FE4BD7BF8F0B62E6CE61B9D0CD"),
      (.sha1, bytes(0x0B, 20), "Hi There", "B617318655057264E28BC0B6FB378C8EF146BE00"),
      (.sha1, Array("Jefe".utf8), "what do ya want for nothing?", "EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79"),
      (.sha1, bytes(0xAA, 80), long, "AA4AE5E15272D00E95705637CE8A3B55ED402112"),
      (
        .sha256, bytes(0x0B, 20), "Hi There",
        "B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7"
      ),
      (
        .sha256, Array("Jefe".utf8), "what do ya want for nothing?",
        "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843"
      ),
      (
        .sha512, Array("Jefe".utf8), "what do ya want for nothing?",
        "164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD610270CD7EA250554"
          + "9758BF75C05A994A6D034F65F8F0E6FDCAEAB1A34D4A6B4B636E070A38BCE737"
      ),
      (
        .sha256, bytes(0xAA, 131), long, "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54"
      ),
    ] as [(Hash, [UInt8], String, String)])
  func `a message code is that of the RFCs`(hash: Hash, key: [UInt8], text: String, code: String) {
    #expect(hash.messageCode(of: Array(text.utf8), key: key) == hex(code))
  }

  private static let long = "Test Using Larger Than Block-Size Key - Hash Key First"

  private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

  @Test func `an empty key and no bytes have a code`() {
    for hash in [Hash.md5, .sha1, .sha256, .sha512] {
      #expect(hash.messageCode(of: [], key: []).count == hash.size)
    }
  }

  /// RFC 5869, A.1 and A.3.
  @Test(
    arguments: [
      (
        Array(0x00...0x0C), Array(0xF0...0xF9),
        "3CB25F25FAACD57A90434F64D0362F2A2D2D0A90CF1A5A4C5DB02D56ECC4C5BF34007208D5B887185865"
      ),
      ([], [], "8DA4E775A563C18F715F802A063C5A31B8A11F5C5EE1879EC3454E5F3C738D2D9D201395FAA4B61A96C8"),
    ] as [([UInt8], [UInt8], String)])
  func `a derived key is that of RFC 5869`(salt: [UInt8], info: [UInt8], key: String) {
    let secret = Self.bytes(0x0B, 22)
    for size in [0, 1, 32, 33, 42] {
      #expect(
        Hash.sha256.derivedKey(from: secret, salt: salt, info: info, size: size)
          == Array(hex(key).prefix(size)))
    }
  }

  @Test func `a derived key has up to 255 digests`() {
    for hash in [Hash.sha256, .sha512] {
      let longest = hash.derivedKey(from: [1], salt: [2], info: [3], size: hash.mostDerivedBytes)
      #expect(longest.count == 255 * hash.size)
      #expect(longest.starts(with: hash.derivedKey(from: [1], salt: [2], info: [3], size: hash.size)))
    }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is that of RFC 4648`(text: String, encoded: String) {
    #expect(Array(text.utf8).base64 == encoded)
  }
}

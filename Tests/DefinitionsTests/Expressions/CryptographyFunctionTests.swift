import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Hashes and ciphers in expressions. `key` has 3 bytes.
@Suite struct CryptographyFunctionTests {
  private static let aesKey = "bytes('2B7E151628AED2A6ABF7158809CF4F3C')"
  private static let plain = "bytes('6BC1BEE22E409F96E93D7E117393172A')"

  /// The vectors of RFC 1321, FIPS 180, RFC 2202, RFC 4231, RFC 4493 and NIST SP 800-38A and 800-38C.
  @Test(
    arguments: [
      ("md5(utf8('abc'))", "900150983CD24FB0D6963F7D28E17F72"),
      ("sha1(utf8('abc'))", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
      ("'abc'.utf8.sha256", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      ("hmac-md5(utf8('Jefe'), utf8('what do ya want for nothing?'))", "750C783E6AB0B503EAA86E310A5DB738"),
      (
        "hmac-sha1(utf8('Jefe'), utf8('what do ya want for nothing?'))",
        "EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79"
      ),
      (
        "hmac-sha256(fill(0x0B, 20), utf8('Hi There'))",
        "B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7"
      ),
      ("aes-cmac(\(aesKey), empty)", "BB1D6929E95937287FA37D129B756746"),
      ("aes-ecb-encrypt(\(aesKey), \(plain))", "3AD77BB40D7A3660A89ECAF32466EF97"),
      (
        "aes-ecb-decrypt(\(aesKey), bytes('3AD77BB40D7A3660A89ECAF32466EF97'))",
        "6BC1BEE22E409F96E93D7E117393172A"
      ),
      (
        "aes-cbc-encrypt(\(aesKey), bytes('000102030405060708090A0B0C0D0E0F'), \(plain))",
        "7649ABAC8119B246CEE98E9B12E9197D"
      ),
      (
        "aes-cbc-decrypt(\(aesKey), bytes('000102030405060708090A0B0C0D0E0F'), bytes('7649ABAC8119B246CEE98E9B12E9197D'))",
        "6BC1BEE22E409F96E93D7E117393172A"
      ),
      ("aes-ctr(\(aesKey), bytes('F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'), \(plain).slice(0, 5))", "874D6191B6"),
      // A counter of two bytes, the first the least: its 17th byte belongs to the next block.
      ("aes-ctr-le(\(aesKey), u16le(0xFFFF) + fill(0, 14), fill(0, 17)).slice(16, 1)", "@next"),
      (
        "aes-ccm-encrypt(bytes('404142434445464748494A4B4C4D4E4F'), bytes('10111213141516'), bytes('20212223'), "
          + "bytes('0001020304050607'), 4)", "7162015B4DAC255D"
      ),
      (
        "aes-ccm-decrypt(bytes('404142434445464748494A4B4C4D4E4F'), bytes('10111213141516'), "
          + "bytes('7162015B4DAC255D'), bytes('0001020304050607'), 4)", "20212223"
      ),
      (
        "aes-ccm-decrypt(bytes('404142434445464748494A4B4C4D4E4F'), bytes('10111213141516'), "
          + "bytes('7162015B4DAC255E'), bytes('0001020304050607'), 4)", ""
      ),
      ("aes-ccm-decrypt(fill(level, 16), fill(0, 13), key, empty, 4)", ""),
      ("aes-ecb-encrypt(fill(1, 24), empty)", ""),
    ])
  func `gives the published values`(text: String, bytes: String) throws {
    let next = "hex(aes-ecb-encrypt(\(Self.aesKey), u24le(0x10000) + fill(0, 13)).slice(0, 1))"
    let expected = bytes == "@next" ? try ExpressionTests.value(of: next) : .text(bytes)
    #expect(try ExpressionTests.value(of: "hex(\(text))") == expected)
  }

  @Test(
    arguments: [
      ("aes-ecb-encrypt(key, fill(level, 16))", "a key of AES has 16, 24 or 32 bytes, not 3"),
      ("aes-ecb-encrypt(fill(level, 16), key)", "this cipher takes whole blocks of 16 bytes, not 3 bytes"),
      ("aes-ecb-decrypt(fill(level, 16), key)", "this cipher takes whole blocks of 16 bytes, not 3 bytes"),
      ("aes-cbc-encrypt(fill(level, 16), key, empty)", "an initialization vector of AES has 16 bytes, not 3"),
      (
        "aes-cbc-decrypt(fill(level, 16), fill(level, 16), key)",
        "this cipher takes whole blocks of 16 bytes, not 3 bytes"
      ),
      ("aes-ctr(fill(level, 16), key, key)", "a counter block of AES has 16 bytes, not 3"),
      ("aes-ctr-le(fill(level, 16), empty, key)", "a counter block of AES has 16 bytes, not 0"),
      ("aes-cmac(key, key)", "a key of AES has 16, 24 or 32 bytes, not 3"),
      ("aes-ccm-encrypt(fill(level, 16), key, key, key, 4)", "a nonce of AES-CCM has 7 to 13 bytes, not 3"),
      (
        "aes-ccm-encrypt(fill(level, 16), fill(level, 13), key, key, month)",
        "a tag of AES-CCM has 4, 6, 8, 10, 12, 14 or 16 bytes, not 1"
      ),
      (
        "aes-ccm-decrypt(fill(level, 16), fill(level, 13), key, key, least)",
        "a tag of AES-CCM has 4, 6, 8, 10, 12, 14 or 16 bytes, not -9223372036854775808"
      ),
      (
        "aes-ccm-encrypt(fill(level, 16), fill(level, 13), fill(level, 65536), key, 4)",
        "65536 bytes; with this nonce, AES-CCM encrypts at most 65535"
      ),
      (
        "aes-ccm-encrypt(fill(level, 16), fill(level, 12), fill(level, 65535), key, 4)",
        "65539 bytes; text and bytes have at most 65536"
      ),
    ])
  func `a wrong size ends the expression with a reason`(text: String, reason: String) {
    let error = #expect(throws: EvaluationError.self) { try ExpressionTests.value(of: text) }
    #expect(error?.description == reason)
  }

  @Test(
    arguments: [
      ("aes-ecb-encrypt(bytes('00'), key)", "16-27: a key of AES has 16, 24 or 32 bytes, not 1"),
      (
        "aes-ccm-decrypt(key, key, key, key, 5)",
        "36-37: a tag of AES-CCM has 4, 6, 8, 10, 12, 14 or 16 bytes, not 5"
      ),
      ("aes-ctr(key, bytes('0102'), key)", "13-26: a counter block of AES has 16 bytes, not 2"),
      ("aes-cmac(key)", "0-13: 'aes-cmac' takes a key and bytes"),
      ("sha256('a')", "0-11: 'sha256' takes bytes"), ("sha265(key)", "0-11: unknown function 'sha265'"),
      (
        "aes-cbc-encrypt(key, key)", "0-25: 'aes-cbc-encrypt' takes a key, an initialization vector and bytes"
      ),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(ExpressionTests.mistake(in: text) == error)
  }
}

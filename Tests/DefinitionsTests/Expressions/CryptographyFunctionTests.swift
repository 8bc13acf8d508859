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
      ("slice(sha512(utf8('abc')), 0, 8)", "DDAF35A193617ABA"),
      ("slice(hmac-sha512(utf8('Jefe'), utf8('what do ya want for nothing?')), 56, 8)", "636E070A38BCE737"),
      (
        "hkdf-sha256(fill(0x0B, 22), empty, empty, 42)",
        "8DA4E775A563C18F715F802A063C5A31B8A11F5C5EE1879EC3454E5F3C738D2D9D201395FAA4B61A96C8"
      ),
      ("hkdf-sha512(key, key, key, 0)", ""),
      (
        "aes-cfb-encrypt(\(aesKey), bytes('000102030405060708090A0B0C0D0E0F'), slice(\(plain), 0, 5))",
        "3B3FD92EB7"
      ),
      (
        "aes-cfb-decrypt(\(aesKey), bytes('000102030405060708090A0B0C0D0E0F'), bytes('3B3FD92EB7'))",
        "6BC1BEE22E"
      ),
      ("aes-gcm-encrypt(fill(0, 16), fill(0, 12), empty)", "58E2FCCEFA7E3061367F1D57A4E7455A"),
      ("aes-gcm-decrypt(fill(0, 16), fill(0, 12), aes-gcm-encrypt(fill(0, 16), fill(0, 12), key))", "@key"),
      ("aes-gcm-decrypt(fill(0, 16), fill(0, 12), aes-gcm-encrypt(fill(0, 16), fill(0, 12), key, key))", ""),
      ("aes-gcm-decrypt(fill(0, 16), fill(0, 12), key)", ""),
      (
        "chacha20-poly1305-decrypt(fill(1, 32), fill(2, 12), "
          + "chacha20-poly1305-encrypt(fill(1, 32), fill(2, 12), key, empty))", "@key"
      ),
      ("chacha20-poly1305-decrypt(fill(1, 32), fill(2, 12), fill(0, 16))", ""),
      (
        "ecdh-p256(fill(0, 31) + u8(1), p256-public-key(fill(1, 32))) "
          + "== slice(p256-public-key(fill(1, 32)), 0, 32)", "@true"
      ),
      (
        "ecdh-p256(fill(1, 32), bytes('04') + p256-public-key(fill(2, 32))) "
          + "== ecdh-p256(fill(2, 32), p256-public-key(fill(1, 32)))", "@true"
      ),
      (
        "ecdh-p224(fill(1, 28), p224-public-key(fill(2, 28))) "
          + "== ecdh-p224(fill(2, 28), p224-public-key(fill(1, 28)))", "@true"
      ),
      (
        "x25519(fill(1, 32), x25519-public-key(fill(2, 32))) "
          + "== x25519(fill(2, 32), x25519-public-key(fill(1, 32)))", "@true"
      ),
      ("from-base64('Zm9v')", "666F6F"), ("from-base64('-_8')", "FBFF"), ("from-base64('')", ""),
    ])
  func `gives the published values`(text: String, bytes: String) throws {
    let next = "hex(aes-ecb-encrypt(\(Self.aesKey), u24le(0x10000) + fill(0, 13)).slice(0, 1))"
    let value = try ExpressionTests.value(of: bytes == "@true" ? text : "hex(\(text))")
    switch bytes {
    case "@true": #expect(value == .boolean(true))
    case "@next": #expect(try value == ExpressionTests.value(of: next))
    case "@key": #expect(try value == ExpressionTests.value(of: "hex(key)"))
    default: #expect(value == .text(bytes))
    }
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
        "aes-gcm-encrypt(fill(level, 16), empty, key)", "a nonce of AES-GCM has 1 to 65536 bytes, not 0"
      ),
      (
        "aes-gcm-decrypt(fill(level, 16), key, key, key, least)",
        "a tag of AES-GCM has 4, 8 or 12 to 16 bytes, not -9223372036854775808"
      ),
      ("hkdf-sha256(key, key, key, 8160 + month)", "a key from HKDF-SHA-256 has 0 to 8160 bytes, not 8161"),
      ("chacha20-poly1305-encrypt(key, key, key)", "a key of ChaCha20-Poly1305 has 32 bytes, not 3"),
      ("p256-public-key(fill(level, 32) + key)", "a private key of P-256 has 32 bytes, not 35"),
      ("p224-public-key(fill(month - 1, 28))", "the private key is 0, or too large for P-224"),
      (
        "ecdh-p256(fill(256 - month, 32), p256-public-key(fill(1, 32)))",
        "the private key is 0, or too large for P-256"
      ),
      ("ecdh-p256(fill(1, 32), key)", "a public key of P-256 has 64 or 65 bytes, not 3"),
      ("ecdh-p256(fill(month, 32), fill(1, 64))", "the public key is not a point of P-256"),
      (
        "ecdh-p256(fill(month, 32), bytes('03') + p256-public-key(fill(1, 32)))",
        "the public key is not a point of P-256"
      ),
      ("ecdh-p224(fill(month, 28), fill(1, 56))", "the public key is not a point of P-224"),
      ("x25519(fill(1, 32), key)", "a public key of X25519 has 32 bytes, not 3"),
      ("random-bytes(-month)", "a value of 'random-bytes' has 0 to 65536 bytes, not -1"),
      ("from-base64('Zm9v!' + slice(local-name, 0, 0))", "'!' at index 4 is no character of base64"),
      (
        "from-base64('Zm9vZ' + slice(local-name, 0, 0))",
        "after 5 characters, the base64 text ends within a byte"
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
        "aes-gcm-encrypt(key, key)",
        "0-25: 'aes-gcm-encrypt' takes a key, a nonce and bytes; "
          + "optionally additional bytes to authenticate and the size of the tag"
      ),
      ("ecdh-p256(key)", "0-14: 'ecdh-p256' takes a private key and a public key"),
      ("random-bytes(key)", "13-16: expected an integer, found bytes"),
      ("random-bytes(key, 1)", "0-20: 'random-bytes' takes the number of bytes"),
      (
        "aes-cbc-encrypt(key, key)", "0-25: 'aes-cbc-encrypt' takes a key, an initialization vector and bytes"
      ),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(ExpressionTests.mistake(in: text) == error)
  }
}

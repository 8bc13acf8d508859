import Cryptography
import Testing

/// Agreements on keys, with the vectors of their standards.
@Suite struct EllipticCurveTests {
  struct Agreement: Sendable {
    var curve: EllipticCurve
    /// A private key, and X and Y of its public key.
    var own: (secret: String, x: String, y: String)
    /// X and Y of the peer's public key.
    var peer: (x: String, y: String)
    var shared: String
  }

  /// RFC 5903, 8.1; NIST's validation of SP 800-56A, ECC CDH, P-224, count 0.
  static let agreements = [
    Agreement(
      curve: .p256,
      own: (
        "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
        "DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180",
        "5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3"
      ),
      peer: (
        "D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63",
        "56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB"
      ),
      shared: "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"),
    Agreement(
      curve: .p224,
      own: (
        "8346A60FC6F293CA5A0D2AF68BA71D1DD389E5E40837942DF3E43CBD",
        "8DE2E26ADF72C582D6568EF638C4FD59B18DA171BDF501F1D929E048",
        "4A68A1C2B0FB22930D120555C1ECE50EA98DEA8407F71BE36EFAC0DE"
      ),
      peer: (
        "AF33CD0629BC7E996320A3F40368F74DE8704FA37B8FAB69ABAAE280",
        "882092CCBBA7930F419A8A4F9BB16978BBC3838729992559A6F2E2D7"
      ),
      shared: "7D96F9A3BD3C05CF5CC37FEB8B9D5209D5C2597464DEC3E9983743E8"),
  ]

  @Test(arguments: agreements) func `a secret is that of the standard`(agreement: Agreement) throws {
    let curve = agreement.curve
    let (secret, peer) = (hex(agreement.own.secret), hex(agreement.peer.x + agreement.peer.y))
    #expect(try curve.publicKey(of: secret) == hex(agreement.own.x + agreement.own.y))
    #expect(try curve.sharedSecret(of: secret, with: peer) == hex(agreement.shared))
    #expect(try curve.sharedSecret(of: secret, with: [4] + peer) == hex(agreement.shared))
  }

  @Test(arguments: [EllipticCurve.p224, .p256])
  func `keys that are none are refused`(curve: EllipticCurve) throws {
    let one = [UInt8](repeating: 0, count: curve.size - 1) + [1]
    let point = try curve.publicKey(of: one)
    #expect(try curve.sharedSecret(of: one, with: point) == Array(point.prefix(curve.size)))
    for bad in [[UInt8](repeating: 0, count: curve.size), [UInt8](repeating: 0xFF, count: curve.size)] {
      #expect(throws: EllipticCurve.KeyError.privateKey) { try curve.publicKey(of: bad) }
      #expect(throws: EllipticCurve.KeyError.privateKey) { try curve.sharedSecret(of: bad, with: point) }
    }
    var other = point
    other[other.count - 1] ^= 1
    let none = [UInt8](repeating: 0, count: point.count)
    for bad in [other, none, [3] + point, [], [4], Array(point.dropLast())] {
      #expect(throws: EllipticCurve.KeyError.publicKey) { try curve.sharedSecret(of: one, with: bad) }
    }
  }

  /// RFC 7748, 5.2: the first two vectors.
  @Test(arguments: [
    (
      "A546E36BF0527C9D3B16154B82465EDD62144C0AC1FC5A18506A2244BA449AC4",
      "E6DB6867583030DB3594C1A424B15F7C726624EC26B3353B10A903A6D0AB1C4C",
      "C3DA55379DE9C6908E94EA4DF28D084F32ECCF03491C71F754B4075577A28552"
    ),
    (
      "4B66E9D4D1B4673C5AD22691957D6AF5C11B6421E0EA01D42CA4169E7918BA0D",
      "E5210F12786811D3F4B7959D0538AE2C31DBE7106FC03C3EFC4CD549C715A493",
      "95CBDE9476E8907D7AADE45CB4B873F88B595A68799FA152E6F8F7647AAC7957"
    ),
  ])
  func `X25519 is that of RFC 7748`(secret: String, peer: String, shared: String) {
    #expect(X25519.sharedSecret(of: hex(secret), with: hex(peer)) == hex(shared))
  }

  /// RFC 7748, 6.1: Bob's keys and Alice's public key.
  @Test func `a public key of X25519 is that of RFC 7748`() {
    let bob = hex("5DAB087E624A8A4B79E17F8B83800EE66F3BB1292618B6FD1C2F8B27FF88E0EB")
    let alice = hex("8520F0098930A754748B7DDCB43EF75A0DBF3A0D26381AF4EBA4A98EAA9B4E6A")
    #expect(
      X25519.publicKey(of: bob) == hex("DE9EDB7D7B7DC1B4D35B61C2ECE435373F8343C85B78674DADFC7E146F882B4F"))
    #expect(
      X25519.sharedSecret(of: bob, with: alice)
        == hex("4A5D9D5BA4CE2DE1728E3BF480350F25E07E21C947D19E3376F09B3C1E161742"))
  }
}

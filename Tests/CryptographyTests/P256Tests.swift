import Cryptography
import Testing

/// The elliptic curve P-256, with the vectors of its standards.
@Suite struct P256Tests {
  /// RFC 5903, 8.1: Diffie-Hellman of i and r.
  private static let i = hex("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")
  private static let r = hex("C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53")
  private static let publicI = (
    x: hex("DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180"),
    y: hex("5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3")
  )

  @Test func `a public key is that of RFC 5903`() throws {
    let key = try #require(P256.PrivateKey(Self.i))
    #expect(key.publicKey.x == Self.publicI.x)
    #expect(key.publicKey.y == Self.publicI.y)
  }

  @Test func `both sides compute the secret of RFC 5903`() throws {
    let (i, r) = (try #require(P256.PrivateKey(Self.i)), try #require(P256.PrivateKey(Self.r)))
    let secret = hex("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
    #expect(i.sharedSecret(with: r.publicKey) == secret)
    #expect(r.sharedSecret(with: try #require(P256.Point(x: Self.publicI.x, y: Self.publicI.y))) == secret)
  }

  /// The order of the curve, and numbers next to it.
  @Test(arguments: [
    ("0000000000000000000000000000000000000000000000000000000000000000", false),
    ("0000000000000000000000000000000000000000000000000000000000000001", true),
    ("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550", true),
    ("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551", false),
    ("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", false),
    ("01", false),
  ])
  func `a private key is in range`(number: String, isKey: Bool) {
    #expect((P256.PrivateKey(hex(number)) != nil) == isKey)
  }

  @Test func `a point that is not on the curve is refused`() {
    let (x, y) = Self.publicI
    let zero = [UInt8](repeating: 0, count: 32)
    var other = y
    other[31] ^= 1
    #expect(P256.Point(x: x, y: y) != nil)
    #expect(P256.Point(x: x, y: other) == nil)
    #expect(P256.Point(x: y, y: x) == nil)
    #expect(P256.Point(x: zero, y: zero) == nil)
    #expect(P256.Point(x: x, y: Array(y.dropLast())) == nil)
  }

  /// The prime of the field: a coordinate is less. A point with X = 0 is on the curve.
  @Test func `a coordinate beyond the field is refused`() {
    let prime = hex("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF")
    let root = hex("66485C780E2F83D72433BD5D84A06BB6541C2AF31DAE871728BF856A174F93F4")
    #expect(P256.Point(x: [UInt8](repeating: 0, count: 32), y: root) != nil)
    #expect(P256.Point(x: prime, y: root) == nil)
  }
}

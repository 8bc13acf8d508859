/// The elliptic curve P-256 (NIST SP 800-186, 3.2.1.3).
package enum P256 {
  /// The bytes of a coordinate and of a private key.
  package static let size = 32

  /// A point that is on the curve.
  package struct Point: Hashable, Sendable {
    /// 32 bytes, most significant first.
    package let x: [UInt8]
    /// 32 bytes, most significant first.
    package let y: [UInt8]

    fileprivate init(unchecked point: EllipticCurve.Coordinates) { (x, y) = point }
  }

  /// A number from 1 to the order of the curve less 1.
  package struct PrivateKey: Hashable, Sendable {
    /// 32 bytes, most significant first.
    package let bytes: [UInt8]
    package let publicKey: Point
  }
}

extension P256.Point {
  /// - Parameters x, y: most significant byte first.
  /// - Returns: nil where the point is not on the curve, or a coordinate does not have 32 bytes.
  package init?(x: [UInt8], y: [UInt8]) {
    guard x.count == P256.size, y.count == P256.size else { return nil }
    guard let same = EllipticCurve.p256.multiply(nil, (x, y)) else { return nil }
    self.init(unchecked: same)
  }
}

extension P256.PrivateKey {
  /// - Parameter bytes: most significant first.
  /// - Returns: nil where the number is out of range, or does not have 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == P256.size, let point = EllipticCurve.p256.multiply(bytes, nil) else {
      return nil
    }
    (self.bytes, publicKey) = (bytes, P256.Point(unchecked: point))
  }

  /// The shared secret of Diffie-Hellman, the X coordinate: 32 bytes, most significant first.
  package func sharedSecret(with peer: P256.Point) -> [UInt8] {
    guard let product = EllipticCurve.p256.multiply(bytes, (peer.x, peer.y)) else {
      preconditionFailure("a point was checked to be on the curve, and a private key to be in range")
    }
    return product.x
  }
}

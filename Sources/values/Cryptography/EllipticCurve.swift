import CNettle

/// The elliptic curves P-224 and P-256 (NIST SP 800-186, 3.2.1). All numbers are big-endian.
package enum EllipticCurve: Hashable, Sendable {
  case p224, p256

  typealias Coordinates = (x: [UInt8], y: [UInt8])

  package var name: String { self == .p224 ? "P-224" : "P-256" }

  /// The bytes of a coordinate and of a private key.
  package var size: Int { self == .p224 ? 28 : 32 }

  /// - Parameters:
  ///   - number: nil: it is 1.
  ///   - point: nil: the curve's generator.
  /// - Returns: nil where the point is not on the curve, or the number is out of range.
  func multiply(_ number: [UInt8]?, _ point: Coordinates?) -> Coordinates? {
    var (x, y) = ([UInt8](repeating: 0, count: size), [UInt8](repeating: 0, count: size))
    guard cnettle_curve_multiply(size, number, point?.x, point?.y, &x, &y) != 0 else { return nil }
    return (x, y)
  }
}

extension EllipticCurve {
  /// Why two keys have no shared secret.
  package enum KeyError: Error, Hashable {
    /// The private key is 0, or not less than the order of the curve.
    case privateKey
    /// The public key is not a point of the curve.
    case publicKey
  }

  /// X and Y.
  package func publicKey(of privateKey: [UInt8]) throws(KeyError) -> [UInt8] {
    precondition(privateKey.count == size, "a private key has the size of a coordinate")
    guard let (x, y) = multiply(privateKey, nil) else { throw .privateKey }
    return x + y
  }

  /// The shared secret of Diffie-Hellman, the X coordinate.
  ///
  /// - Parameter publicKey: X and Y, also after the byte 04 (SEC 1, 2.3.3).
  package func sharedSecret(
    of privateKey: [UInt8], with publicKey: [UInt8]
  ) throws(KeyError) -> [UInt8] {
    precondition(privateKey.count == size, "a private key has the size of a coordinate")
    let start = publicKey.count - 2 * size
    guard start == 0 || start == 1 && publicKey[0] == 4 else { throw .publicKey }
    let point = (Array(publicKey[start..<start + size]), Array(publicKey[(start + size)...]))
    if let product = multiply(privateKey, point) { return product.x }
    throw multiply(nil, point) == nil ? .publicKey : .privateKey
  }
}

/// Diffie-Hellman on Curve25519 (RFC 7748).
package enum X25519 {
  /// The bytes of all keys.
  package static let size = 32

  package static func publicKey(of privateKey: [UInt8]) -> [UInt8] { multiply(privateKey, nil) }

  package static func sharedSecret(of privateKey: [UInt8], with publicKey: [UInt8]) -> [UInt8] {
    multiply(privateKey, publicKey)
  }

  private static func multiply(_ number: [UInt8], _ point: [UInt8]?) -> [UInt8] {
    precondition(number.count == size && (point?.count ?? size) == size, "a key of X25519 has 32 bytes")
    return [UInt8](unsafeUninitializedCapacity: size) { result, count in
      cnettle_x25519(number, point, result.baseAddress!)
      count = size
    }
  }
}

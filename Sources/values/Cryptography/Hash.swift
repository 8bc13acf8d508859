import CNettle

/// Hash functions, and the message authentication codes HMAC that use them.
package enum Hash: Sendable {
  /// RFC 1321.
  case md5
  /// FIPS 180-4.
  case sha1, sha256, sha512

  /// In bytes.
  package var size: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  package func digest(of bytes: [UInt8]) -> [UInt8] {
    make { digest in
      switch self {
      case .md5: cnettle_md5(bytes, bytes.count, digest)
      case .sha1: cnettle_sha1(bytes, bytes.count, digest)
      case .sha256: cnettle_sha256(bytes, bytes.count, digest)
      case .sha512: cnettle_sha512(bytes, bytes.count, digest)
      }
    }
  }

  /// HMAC (RFC 2104).
  package func messageCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    make { digest in
      switch self {
      case .md5: cnettle_hmac_md5(key, key.count, bytes, bytes.count, digest)
      case .sha1: cnettle_hmac_sha1(key, key.count, bytes, bytes.count, digest)
      case .sha256: cnettle_hmac_sha256(key, key.count, bytes, bytes.count, digest)
      case .sha512: cnettle_hmac_sha512(key, key.count, bytes, bytes.count, digest)
      }
    }
  }

  /// The most bytes of a derived key.
  package var mostDerivedBytes: Int { 255 * size }

  /// A key that is derived from another one (HKDF, RFC 5869).
  package func derivedKey(from key: [UInt8], salt: [UInt8], info: [UInt8], size count: Int) -> [UInt8] {
    precondition((0...mostDerivedBytes).contains(count), "HKDF gives at most 255 digests")
    let secret = messageCode(of: key, key: salt)
    var (result, block): ([UInt8], [UInt8]) = ([], [])
    for number in 1...UInt8.max {
      if result.count >= count { break }
      block = messageCode(of: block + info + [number], key: secret)
      result += block
    }
    return Array(result.prefix(count))
  }

  private func make(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { digest, count in
      body(digest.baseAddress!)
      count = size
    }
  }
}

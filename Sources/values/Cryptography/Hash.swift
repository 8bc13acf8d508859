import CNettle

/// Hash functions, and the message authentication codes HMAC that use them.
package enum Hash: Sendable {
  /// RFC 1321.
  case md5
  /// FIPS 180-4.
  case sha1, sha256

  /// In bytes.
  package var size: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    }
  }

  package func digest(of bytes: [UInt8]) -> [UInt8] {
    make { digest in
      switch self {
      case .md5: cnettle_md5(bytes, bytes.count, digest)
      case .sha1: cnettle_sha1(bytes, bytes.count, digest)
      case .sha256: cnettle_sha256(bytes, bytes.count, digest)
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
      }
    }
  }

  private func make(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { digest, count in
      body(digest.baseAddress!)
      count = size
    }
  }
}

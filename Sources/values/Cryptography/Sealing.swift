import CNettle

// AES-GCM and ChaCha20-Poly1305: a cipher whose tag proves the bytes and a header, which is not encrypted.

extension AES {
  /// In bytes; the standard asks for 12.
  package static let gcmTagSizes = [4, 8, 12, 13, 14, 15, 16]

  /// Encrypts bytes, and appends a tag (GCM, NIST SP 800-38D).
  package func sealGCM(_ bytes: [UInt8], nonce: [UInt8], header: [UInt8], tagSize: Int) -> [UInt8] {
    let (sealed, tag) = applyGCM(decrypting: false, bytes[...], nonce, header)
    return sealed + tag.prefix(tagSize)
  }

  /// The bytes before the tag, decrypted; nil where the tag is wrong.
  package func openGCM(_ bytes: [UInt8], nonce: [UInt8], header: [UInt8], tagSize: Int) -> [UInt8]? {
    Sealing.open(bytes, tagSize) { applyGCM(decrypting: true, $0, nonce, header) }
  }

  private func applyGCM(
    decrypting: Bool, _ bytes: ArraySlice<UInt8>, _ nonce: [UInt8], _ header: [UInt8]
  ) -> Sealing.Result {
    precondition(!nonce.isEmpty, "a nonce of AES-GCM has at least 1 byte")
    return Sealing.transform(bytes) { bytes, result, tag in
      cnettle_aes_gcm(
        decrypting ? 1 : 0, key, key.count, nonce, nonce.count, header, header.count, bytes.count, result,
        bytes.baseAddress, tag)
    }
  }
}

/// The cipher of RFC 8439, 2.8.
package enum ChaCha20Poly1305 {
  /// In bytes.
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = Sealing.tagSize

  /// Encrypts bytes, and appends a tag.
  package static func seal(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8] {
    let (sealed, tag) = apply(decrypting: false, bytes[...], key, nonce, header)
    return sealed + tag
  }

  /// The bytes before the tag, decrypted; nil where the tag is wrong.
  package static func open(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    Sealing.open(bytes, tagSize) { apply(decrypting: true, $0, key, nonce, header) }
  }

  private static func apply(
    decrypting: Bool, _ bytes: ArraySlice<UInt8>, _ key: [UInt8], _ nonce: [UInt8], _ header: [UInt8]
  ) -> Sealing.Result {
    precondition(key.count == keySize && nonce.count == nonceSize, "a key has 32 bytes, a nonce 12")
    return Sealing.transform(bytes) { bytes, result, tag in
      cnettle_chacha_poly1305(
        decrypting ? 1 : 0, key, nonce, header, header.count, bytes.count, result, bytes.baseAddress, tag)
    }
  }
}

private enum Sealing {
  typealias Result = (bytes: [UInt8], tag: [UInt8])

  static let tagSize = 16

  static func transform(
    _ bytes: ArraySlice<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
  ) -> Result {
    var tag = [UInt8](repeating: 0, count: tagSize)
    let result = [UInt8](unsafeUninitializedCapacity: max(1, bytes.count)) { result, count in
      bytes.withUnsafeBufferPointer { body($0, result.baseAddress!, &tag) }
      count = bytes.count
    }
    return (result, tag)
  }

  /// Opens the bytes before a tag; nil where the tag is wrong.
  static func open(_ bytes: [UInt8], _ tagSize: Int, _ decrypt: (ArraySlice<UInt8>) -> Result) -> [UInt8]? {
    guard bytes.count >= tagSize else { return nil }
    let (opened, tag) = decrypt(bytes.dropLast(tagSize))
    let isRight = cnettle_are_equal(Array(bytes.suffix(tagSize)), tag, tagSize) != 0
    return isRight ? opened : nil
  }
}

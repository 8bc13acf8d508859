import CNettle

/// The block cipher AES (FIPS 197).
package struct AES: Sendable {
  /// In bytes.
  package static let blockSize = 16
  package static let keySizes = [16, 24, 32]

  let key: [UInt8]

  package init(key: [UInt8]) {
    precondition(Self.keySizes.contains(key.count), "a key of AES has 16, 24 or 32 bytes")
    self.key = key
  }

  /// Encrypts whole blocks, each by itself (ECB, NIST SP 800-38A 6.1).
  package func encrypt(_ blocks: [UInt8]) -> [UInt8] { apply(decrypting: false, blocks) }

  package func decrypt(_ blocks: [UInt8]) -> [UInt8] { apply(decrypting: true, blocks) }

  private func apply(decrypting: Bool, _ blocks: [UInt8]) -> [UInt8] {
    Self.transform(blocks) {
      cnettle_aes_ecb(decrypting ? 1 : 0, key, key.count, blocks.count, $0, blocks)
    }
  }

  /// Encrypts whole blocks, each chained to the one before (CBC, 6.2).
  package func encryptChained(_ blocks: [UInt8], initializationVector: [UInt8]) -> [UInt8] {
    applyChained(decrypting: false, blocks, initializationVector)
  }

  package func decryptChained(_ blocks: [UInt8], initializationVector: [UInt8]) -> [UInt8] {
    applyChained(decrypting: true, blocks, initializationVector)
  }

  private func applyChained(decrypting: Bool, _ blocks: [UInt8], _ vector: [UInt8]) -> [UInt8] {
    var vector = Self.block(vector)
    return Self.transform(blocks) {
      cnettle_aes_cbc(decrypting ? 1 : 0, key, key.count, &vector, blocks.count, $0, blocks)
    }
  }

  /// Encrypts any number of bytes with the blocks before them (CFB with segments of 128 bits, 6.3).
  package func encryptFedBack(_ bytes: [UInt8], initializationVector: [UInt8]) -> [UInt8] {
    applyFedBack(decrypting: false, bytes, initializationVector)
  }

  package func decryptFedBack(_ bytes: [UInt8], initializationVector: [UInt8]) -> [UInt8] {
    applyFedBack(decrypting: true, bytes, initializationVector)
  }

  private func applyFedBack(decrypting: Bool, _ bytes: [UInt8], _ vector: [UInt8]) -> [UInt8] {
    var vector = Self.block(vector)
    return Self.make(bytes.count) {
      cnettle_aes_cfb(decrypting ? 1 : 0, key, key.count, &vector, bytes.count, $0, bytes)
    }
  }

  static func block(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count == blockSize, "a block has 16 bytes")
    return bytes
  }

  /// As many bytes as there are in some blocks.
  private static func transform(_ blocks: [UInt8], _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    precondition(blocks.count.isMultiple(of: blockSize), "AES takes whole blocks")
    return make(blocks.count, body)
  }

  private static func make(_ size: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    guard size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { result, count in
      body(result.baseAddress!)
      count = size
    }
  }
}

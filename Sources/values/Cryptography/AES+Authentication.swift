import CNettle

extension AES {
  /// The message authentication code CMAC, 16 bytes (RFC 4493, NIST SP 800-38B).
  package func messageCode(of message: [UInt8]) -> [UInt8] {
    let zeros = Array(repeating: UInt8(0), count: Self.blockSize)
    var mask = Self.doubled(encrypt(zeros))
    var blocks = message
    if message.isEmpty || !message.count.isMultiple(of: Self.blockSize) {
      mask = Self.doubled(mask)
      blocks.append(0x80)
      blocks += repeatElement(0, count: (Self.blockSize - blocks.count % Self.blockSize) % Self.blockSize)
    }
    for (offset, byte) in mask.enumerated() { blocks[blocks.count - Self.blockSize + offset] ^= byte }
    return Array(encryptChained(blocks, initializationVector: zeros).suffix(Self.blockSize))
  }

  /// Twice a block in the field of 2^128 elements: the subkeys of CMAC.
  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    let carries = block.dropFirst().map { $0 >> 7 } + [block[0] >> 7 * 0x87]
    return zip(block, carries).map { $0 << 1 ^ $1 }
  }
}

extension AES {
  /// In bytes.
  package static let nonceSizes = 7...13
  package static let tagSizes = [4, 6, 8, 10, 12, 14, 16]

  /// The most bytes that AES-CCM encrypts with a nonce of this size.
  package static func mostCCMBytes(nonceSize: Int) -> Int { nonceSize == 13 ? 0xFFFF : 0xFF_FFFF }

  /// Encrypts bytes, and appends a tag that proves them and the header (CCM, RFC 3610, NIST SP 800-38C).
  ///
  /// - Parameter header: what the tag proves as well, and is not encrypted.
  package func encryptWithTag(
    _ bytes: [UInt8], nonce: [UInt8], header: [UInt8], tagSize: Int
  ) -> [UInt8] {
    Self.check(bytes.count, nonce, tagSize)
    let size = bytes.count + tagSize
    return [UInt8](unsafeUninitializedCapacity: size) { result, count in
      cnettle_aes_ccm_encrypt(
        key, key.count, nonce, nonce.count, header, header.count, tagSize, size, result.baseAddress, bytes)
      count = size
    }
  }

  /// The bytes before the tag, decrypted; nil where the tag is wrong.
  package func decryptWithTag(
    _ bytes: [UInt8], nonce: [UInt8], header: [UInt8], tagSize: Int
  ) -> [UInt8]? {
    let size = bytes.count - tagSize
    guard size >= 0 else { return nil }
    Self.check(size, nonce, tagSize)
    var isProved = false
    let result = [UInt8](unsafeUninitializedCapacity: max(1, size)) { result, count in
      isProved =
        cnettle_aes_ccm_decrypt(
          key, key.count, nonce, nonce.count, header, header.count, tagSize, size, result.baseAddress, bytes)
        != 0
      count = isProved ? size : 0
    }
    return isProved ? result : nil
  }

  private static func check(_ count: Int, _ nonce: [UInt8], _ tagSize: Int) {
    precondition(nonceSizes.contains(nonce.count), "a nonce of AES-CCM has 7 to 13 bytes")
    precondition(tagSizes.contains(tagSize), "a tag of AES-CCM has 4 to 16 bytes, an even number")
    precondition(count <= mostCCMBytes(nonceSize: nonce.count), "the nonce leaves room for the length")
  }
}

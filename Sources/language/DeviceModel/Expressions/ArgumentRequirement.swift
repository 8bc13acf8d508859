import Cryptography

/// A requirement for an argument of a function, besides its type.
package enum ArgumentRequirement: Hashable, Sendable {
  /// A number of eight bits.
  case byte
  /// The bytes that `xor` repeats.
  case mask
  /// The bytes that `replace` searches for.
  case sought
  /// Of AES.
  case key, initializationVector, counter, wholeBlocks
  /// Of AES-CCM.
  case nonce, tagSize
}

extension ArgumentRequirement {
  /// Throws where the value does not meet the requirement.
  package func check(_ value: Value) throws(EvaluationError) {
    switch value {
    case .integer(let number): if !allows(number) { throw .unsuitable(self, number) }
    case .text(let text):
      if !allows(Int64(text.utf8.count)) { throw .unsuitable(self, Int64(text.utf8.count)) }
    case .bytes(let bytes): if !allows(Int64(bytes.count)) { throw .unsuitable(self, Int64(bytes.count)) }
    default: preconditionFailure("\(value.type) was checked to fit")
    }
  }

  /// Whether a number, or a size in bytes, meets the requirement.
  private func allows(_ number: Int64) -> Bool {
    switch self {
    case .byte: (0...0xFF).contains(number)
    case .mask, .sought: number > 0
    case .key: AES.keySizes.contains(Int(number))
    case .initializationVector, .counter: number == AES.blockSize
    case .wholeBlocks: number.isMultiple(of: Int64(AES.blockSize))
    case .nonce: AES.nonceSizes.contains(Int(number))
    case .tagSize: AES.tagSizes.contains(Int(number))
    }
  }

  func sentence(found number: Int64) -> String {
    switch self {
    case .byte: "\(number) is not a byte, 0 to 255"
    case .mask: "'xor' repeats its second argument, which is empty"
    case .sought: "'replace' searches for its second argument, which is empty"
    case .key: "a key of AES has 16, 24 or 32 bytes, not \(number)"
    case .initializationVector: "an initialization vector of AES has 16 bytes, not \(number)"
    case .counter: "a counter block of AES has 16 bytes, not \(number)"
    case .wholeBlocks: "this cipher takes whole blocks of 16 bytes, not \(number) bytes"
    case .nonce: "a nonce of AES-CCM has 7 to 13 bytes, not \(number)"
    case .tagSize: "a tag of AES-CCM has 4, 6, 8, 10, 12, 14 or 16 bytes, not \(number)"
    }
  }
}

extension Expression.Function {
  /// The requirements for arguments, by index.
  package func requirement(ofArgument index: Int) -> ArgumentRequirement? {
    switch (self, index) {
    case (.xor, 1): .mask
    case (.replace, 1): .sought
    case (.fill, 0), (.escape, 1), (.escape, 3), (.unescape, 1), (.unescape, 2): .byte
    case (_, 0) where isAES: .key
    case (.encryptECB, 1), (.decryptECB, 1), (.encryptCBC, 2), (.decryptCBC, 2): .wholeBlocks
    case (.encryptCBC, 1), (.decryptCBC, 1): .initializationVector
    case (.counterMode, 1), (.littleEndianCounterMode, 1): .counter
    case (.encryptCCM, 1), (.decryptCCM, 1): .nonce
    case (.encryptCCM, 4), (.decryptCCM, 4): .tagSize
    default: nil
    }
  }

  private var isAES: Bool {
    switch self {
    case .encryptECB, .decryptECB, .encryptCBC, .decryptCBC, .counterMode, .littleEndianCounterMode,
      .encryptCCM,
      .decryptCCM, .cmac:
      true
    default: false
    }
  }
}

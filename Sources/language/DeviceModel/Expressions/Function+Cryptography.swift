import Cryptography

extension Expression.Function {
  /// Hashes and ciphers, whose arguments have been checked to have the right sizes.
  func applyCryptography(_ arguments: FunctionArguments) throws(EvaluationError) -> Value {
    switch self {
    case .md5: .bytes(Hash.md5.digest(of: arguments.bytes(0)))
    case .sha1: .bytes(Hash.sha1.digest(of: arguments.bytes(0)))
    case .sha256: .bytes(Hash.sha256.digest(of: arguments.bytes(0)))
    case .hmacMD5: .bytes(Hash.md5.messageCode(of: arguments.bytes(1), key: arguments.bytes(0)))
    case .hmacSHA1: .bytes(Hash.sha1.messageCode(of: arguments.bytes(1), key: arguments.bytes(0)))
    case .hmacSHA256: .bytes(Hash.sha256.messageCode(of: arguments.bytes(1), key: arguments.bytes(0)))
    default: try applyCipher(AES(key: arguments.bytes(0)), arguments)
    }
  }

  private func applyCipher(_ cipher: AES, _ arguments: FunctionArguments) throws(EvaluationError) -> Value {
    let second = arguments.bytes(1)
    return switch self {
    case .encryptECB: .bytes(cipher.encrypt(second))
    case .decryptECB: .bytes(cipher.decrypt(second))
    case .cmac: .bytes(cipher.messageCode(of: second))
    case .encryptCBC: .bytes(cipher.encryptChained(arguments.bytes(2), initializationVector: second))
    case .decryptCBC: .bytes(cipher.decryptChained(arguments.bytes(2), initializationVector: second))
    case .counterMode: .bytes(cipher.applyCounter(second, .bigEndian, to: arguments.bytes(2)))
    case .littleEndianCounterMode: .bytes(cipher.applyCounter(second, .littleEndian, to: arguments.bytes(2)))
    case .encryptCCM: try arguments.encryptWithTag(cipher)
    case .decryptCCM: try arguments.decryptWithTag(cipher)
    default: preconditionFailure("'\(rawValue)' was checked to fit its arguments")
    }
  }
}

/// AES-CCM: a key, a nonce, bytes, a header and the size of the tag.
extension FunctionArguments {
  private var tagSize: Int { Int(integer(4)) }

  fileprivate func encryptWithTag(_ cipher: AES) throws(EvaluationError) -> Value {
    try checkSize(bytes(2).count)
    return try Value.limited(
      cipher.encryptWithTag(bytes(2), nonce: bytes(1), header: bytes(3), tagSize: tagSize))
  }

  /// Empty where the tag is wrong.
  fileprivate func decryptWithTag(_ cipher: AES) throws(EvaluationError) -> Value {
    try checkSize(bytes(2).count - tagSize)
    return .bytes(cipher.decryptWithTag(bytes(2), nonce: bytes(1), header: bytes(3), tagSize: tagSize) ?? [])
  }

  private func checkSize(_ count: Int) throws(EvaluationError) {
    let most = AES.mostCCMBytes(nonceSize: bytes(1).count)
    guard count <= most else { throw .tooLongForNonce(count, most: most) }
  }
}

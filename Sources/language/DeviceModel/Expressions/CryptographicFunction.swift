import Cryptography

extension Expression {
  /// Hashes, ciphers and agreements on keys: functions whose ``description`` says what they take and do.
  package enum CryptographicFunction: String, CaseIterable, Sendable {
    case md5, sha1, sha256, sha512
    case hmacMD5 = "hmac-md5", hmacSHA1 = "hmac-sha1", hmacSHA256 = "hmac-sha256", hmacSHA512 = "hmac-sha512"
    case hkdfSHA256 = "hkdf-sha256", hkdfSHA512 = "hkdf-sha512"
    case encryptECB = "aes-ecb-encrypt", decryptECB = "aes-ecb-decrypt"
    case encryptCBC = "aes-cbc-encrypt", decryptCBC = "aes-cbc-decrypt"
    case encryptCFB = "aes-cfb-encrypt", decryptCFB = "aes-cfb-decrypt"
    case counterMode = "aes-ctr", littleEndianCounterMode = "aes-ctr-le"
    case encryptCCM = "aes-ccm-encrypt", decryptCCM = "aes-ccm-decrypt"
    case encryptGCM = "aes-gcm-encrypt", decryptGCM = "aes-gcm-decrypt"
    case encryptChaCha = "chacha20-poly1305-encrypt", decryptChaCha = "chacha20-poly1305-decrypt"
    case cmac = "aes-cmac"
    case publicKeyP224 = "p224-public-key", publicKeyP256 = "p256-public-key"
    case publicKeyX25519 = "x25519-public-key"
    case ecdhP224 = "ecdh-p224", ecdhP256 = "ecdh-p256", x25519

    /// What it takes and does.
    package struct Description: Sendable {
      package var arguments: [Argument]
      /// How many of the last arguments may be left out.
      package var optional = 0
      /// Its work besides that on the bytes of its arguments, as a number of bytes.
      var work = 64
      var apply: @Sendable (FunctionArguments) throws(EvaluationError) -> [UInt8]

      init(
        _ arguments: Argument..., optional: Int = 0, work: Int = 64,
        apply: @escaping @Sendable (FunctionArguments) throws(EvaluationError) -> [UInt8]
      ) {
        (self.arguments, self.optional, self.work, self.apply) = (arguments, optional, work, apply)
      }
    }

    package struct Argument: Sendable {
      /// With its article.
      package var phrase: String
      package var type = ValueType.bytes
      package var requirement: ArgumentRequirement?

      init(_ phrase: String, _ type: ValueType = .bytes, _ requirement: ArgumentRequirement? = nil) {
        (self.phrase, self.type, self.requirement) = (phrase, type, requirement)
      }
    }

    package var description: Description { Self.descriptions[self]! }

    func apply(_ arguments: [Value], _ effort: Effort) throws(EvaluationError) -> Value {
      let description = description
      var work = description.work
      for (argument, value) in zip(description.arguments, arguments) {
        try argument.requirement?.check(value)
        work += value.work
      }
      try effort.spend(Effort.cipherWeight * work)
      return try Value.limited(description.apply(FunctionArguments(values: arguments)))
    }
  }
}

extension Value {
  /// Its bytes; of a number, as many as it asks for.
  fileprivate var work: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .integer(let count): Int(count.clamped(to: 0...Int64(Self.largestSize)))
    default: 0
    }
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

// MARK: The functions

extension Expression.CryptographicFunction {
  private static let descriptions: [Self: Description] = [
    .md5: hash(.md5), .sha1: hash(.sha1), .sha256: hash(.sha256), .sha512: hash(.sha512),
    .hmacMD5: code(.md5), .hmacSHA1: code(.sha1), .hmacSHA256: code(.sha256), .hmacSHA512: code(.sha512),
    .hkdfSHA256: derivation(.sha256, "HKDF-SHA-256"), .hkdfSHA512: derivation(.sha512, "HKDF-SHA-512"),

    .encryptECB: Description(.aesKey, .blocks) { AES($0).encrypt($0.bytes(1)) },
    .decryptECB: Description(.aesKey, .blocks) { AES($0).decrypt($0.bytes(1)) },
    .encryptCBC: Description(.aesKey, .vector, .blocks) {
      AES($0).encryptChained($0.bytes(2), initializationVector: $0.bytes(1))
    },
    .decryptCBC: Description(.aesKey, .vector, .blocks) {
      AES($0).decryptChained($0.bytes(2), initializationVector: $0.bytes(1))
    },
    .encryptCFB: Description(.aesKey, .vector, .plain) {
      AES($0).encryptFedBack($0.bytes(2), initializationVector: $0.bytes(1))
    },
    .decryptCFB: Description(.aesKey, .vector, .plain) {
      AES($0).decryptFedBack($0.bytes(2), initializationVector: $0.bytes(1))
    },
    .counterMode: Description(.aesKey, .counter, .plain) {
      AES($0).applyCounter($0.bytes(1), .bigEndian, to: $0.bytes(2))
    },
    .littleEndianCounterMode: Description(.aesKey, .counter, .plain) {
      AES($0).applyCounter($0.bytes(1), .littleEndian, to: $0.bytes(2))
    },
    .cmac: Description(.aesKey, .plain) { AES($0).messageCode(of: $0.bytes(1)) },

    .encryptCCM: Description(.aesKey, .ccmNonce, .plain, .header, .ccmTagSize, apply: sealCCM),
    .decryptCCM: Description(.aesKey, .ccmNonce, .sealed, .header, .ccmTagSize, apply: openCCM),
    .encryptGCM: Description(.aesKey, .gcmNonce, .plain, .header, .gcmTagSize, optional: 2, work: 1024) {
      AES($0).sealGCM(
        $0.bytes(2), nonce: $0.bytes(1), header: $0.optionalBytes(3), tagSize: $0.size(4) ?? standardTagSize)
    },
    .decryptGCM: Description(.aesKey, .gcmNonce, .sealed, .header, .gcmTagSize, optional: 2, work: 1024) {
      AES($0).openGCM(
        $0.bytes(2), nonce: $0.bytes(1), header: $0.optionalBytes(3), tagSize: $0.size(4) ?? standardTagSize)
        ?? []
    },
    .encryptChaCha: Description(.chachaKey, .chachaNonce, .plain, .header, optional: 1) {
      ChaCha20Poly1305.seal(
        $0.bytes(2), key: $0.bytes(0), nonce: $0.bytes(1), header: $0.optionalBytes(3))
    },
    .decryptChaCha: Description(.chachaKey, .chachaNonce, .sealed, .header, optional: 1) {
      ChaCha20Poly1305.open(
        $0.bytes(2), key: $0.bytes(0), nonce: $0.bytes(1), header: $0.optionalBytes(3)) ?? []
    },

    .publicKeyP224: publicKey(.p224), .publicKeyP256: publicKey(.p256),
    .ecdhP224: agreement(.p224), .ecdhP256: agreement(.p256),
    .publicKeyX25519: Description(.x25519("a private key"), work: workOfCurves) {
      X25519.publicKey(of: $0.bytes(0))
    },
    .x25519: Description(.x25519("a private key"), .x25519("a public key"), work: workOfCurves) {
      X25519.sharedSecret(of: $0.bytes(0), with: $0.bytes(1))
    },
  ]

  /// A multiplication on a curve takes as long as a cipher of this many bytes.
  private static let workOfCurves = 1 << 16

  private static let standardTagSize = 16

  private static func hash(_ hash: Hash) -> Description {
    Description(.plain) { hash.digest(of: $0.bytes(0)) }
  }

  private static func code(_ hash: Hash) -> Description {
    Description(.anyKey, .plain) { hash.messageCode(of: $0.bytes(1), key: $0.bytes(0)) }
  }

  private static func derivation(_ hash: Hash, _ name: String) -> Description {
    let size = ArgumentRequirement.count("a key from \(name)", [0...hash.mostDerivedBytes])
    return Description(
      .anyKey, Argument("a salt"), Argument("information"),
      Argument("the size of the new key", .integer, size)
    ) {
      hash.derivedKey(from: $0.bytes(0), salt: $0.bytes(1), info: $0.bytes(2), size: $0.size(3)!)
    }
  }

  private static func publicKey(_ curve: EllipticCurve) -> Description {
    Description(.privateKey(curve), work: workOfCurves) { (arguments) throws(EvaluationError) in
      try arguments.publicKey(on: curve)
    }
  }

  private static func agreement(_ curve: EllipticCurve) -> Description {
    Description(.privateKey(curve), .publicKey(curve), work: workOfCurves) {
      (arguments) throws(EvaluationError) in try arguments.sharedSecret(on: curve)
    }
  }

  @Sendable private static func sealCCM(_ arguments: FunctionArguments) throws(EvaluationError) -> [UInt8] {
    let (nonce, bytes) = (arguments.bytes(1), arguments.bytes(2))
    try checkSize(bytes.count, nonce)
    return AES(arguments).encryptWithTag(
      bytes, nonce: nonce, header: arguments.bytes(3), tagSize: arguments.size(4)!)
  }

  /// Empty where the tag is wrong.
  @Sendable private static func openCCM(_ arguments: FunctionArguments) throws(EvaluationError) -> [UInt8] {
    let (nonce, bytes, tagSize) = (arguments.bytes(1), arguments.bytes(2), arguments.size(4)!)
    try checkSize(bytes.count - tagSize, nonce)
    return AES(arguments).decryptWithTag(bytes, nonce: nonce, header: arguments.bytes(3), tagSize: tagSize)
      ?? []
  }

  private static func checkSize(_ count: Int, _ nonce: [UInt8]) throws(EvaluationError) {
    let most = AES.mostCCMBytes(nonceSize: nonce.count)
    guard count <= most else { throw .tooLongForNonce(count, most: most) }
  }
}

extension Expression.CryptographicFunction.Argument {
  fileprivate static let plain = Self("bytes")
  fileprivate static let sealed = Self("bytes with their tag")
  fileprivate static let header = Self("additional bytes to authenticate")
  fileprivate static let anyKey = Self("a key")
  fileprivate static let blocks = Self("bytes", .bytes, .wholeBlocks)
  fileprivate static let aesKey = Self("a key", .bytes, .count("a key of AES", AES.keySizes.map { $0...$0 }))
  fileprivate static let vector = Self(
    "an initialization vector", .bytes, .exactly(AES.blockSize, "an initialization vector of AES"))
  fileprivate static let counter = Self(
    "a counter block", .bytes, .exactly(AES.blockSize, "a counter block of AES"))
  fileprivate static let ccmNonce = Self("a nonce", .bytes, .count("a nonce of AES-CCM", [AES.nonceSizes]))
  fileprivate static let ccmTagSize = Self(
    "the size of the tag", .integer, .count("a tag of AES-CCM", AES.tagSizes.map { $0...$0 }))
  fileprivate static let gcmNonce = Self(
    "a nonce", .bytes, .count("a nonce of AES-GCM", [1...Value.largestSize]))
  fileprivate static let gcmTagSize = Self(
    "the size of the tag", .integer, .count("a tag of AES-GCM", [4...4, 8...8, 12...16]))
  fileprivate static let chachaKey = Self(
    "a key", .bytes, .exactly(ChaCha20Poly1305.keySize, "a key of ChaCha20-Poly1305"))
  fileprivate static let chachaNonce = Self(
    "a nonce", .bytes, .exactly(ChaCha20Poly1305.nonceSize, "a nonce of ChaCha20-Poly1305"))

  fileprivate static func privateKey(_ curve: EllipticCurve) -> Self {
    Self("a private key", .bytes, .exactly(curve.size, "a private key of \(curve.name)"))
  }

  fileprivate static func publicKey(_ curve: EllipticCurve) -> Self {
    let (size, phrase) = (2 * curve.size, "a public key of \(curve.name)")
    return Self("a public key", .bytes, .count(phrase, [size...size, size + 1...size + 1]))
  }

  fileprivate static func x25519(_ phrase: String) -> Self {
    Self(phrase, .bytes, .exactly(X25519.size, "\(phrase) of X25519"))
  }
}

extension AES {
  /// With the first argument as its key.
  fileprivate init(_ arguments: FunctionArguments) { self.init(key: arguments.bytes(0)) }
}

extension FunctionArguments {
  /// A number that was checked to be a size; nil where the argument is missing.
  fileprivate func size(_ index: Int) -> Int? { index < values.count ? Int(integer(index)) : nil }

  fileprivate func publicKey(on curve: EllipticCurve) throws(EvaluationError) -> [UInt8] {
    do { return try curve.publicKey(of: bytes(0)) } catch { throw .badKey(error, curve) }
  }

  fileprivate func sharedSecret(on curve: EllipticCurve) throws(EvaluationError) -> [UInt8] {
    do { return try curve.sharedSecret(of: bytes(0), with: bytes(1)) } catch { throw .badKey(error, curve) }
  }
}

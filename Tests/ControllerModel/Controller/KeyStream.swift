import Cryptography

/// Numbers that look random and follow from a seed: AES of a counter.
struct KeyStream: Sendable {
  private let cipher: AES
  private var counter: UInt64 = 0

  init(seed: UInt64) { cipher = AES(key: Self.bytes(seed) + Self.bytes(0x626C_656D_75)) }

  /// Eight bytes.
  mutating func next() -> [UInt8] {
    counter += 1
    return Array(cipher.encrypt(Self.bytes(counter) + Self.bytes(0)).prefix(8))
  }

  /// A number below a limit.
  mutating func number(below limit: Int64) -> Int64 {
    Int64(next().prefix(6).reduce(0) { $0 << 8 | UInt64($1) }) % limit
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

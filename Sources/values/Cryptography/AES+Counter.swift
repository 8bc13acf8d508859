extension AES {
  /// Which end of the counter block is counted up.
  package enum CounterOrder: Sendable {
    /// The last byte, as in NIST SP 800-38A.
    case bigEndian
    /// The first byte.
    case littleEndian
  }

  /// Encrypts or decrypts any number of bytes with the key stream that the cipher makes of a counter (CTR, NIST SP
  /// 800-38A 6.5).
  ///
  /// - Parameter counter: the counter block for the first 16 bytes.
  package func applyCounter(_ counter: [UInt8], _ order: CounterOrder, to bytes: [UInt8]) -> [UInt8] {
    var counter = Self.block(counter)
    var counters: [UInt8] = []
    counters.reserveCapacity(bytes.count + Self.blockSize)
    while counters.count < bytes.count {
      counters += counter
      Self.increment(&counter, order)
    }
    return zip(bytes, encrypt(counters)).map { $0 ^ $1 }
  }

  private static func increment(_ counter: inout [UInt8], _ order: CounterOrder) {
    for step in counter.indices {
      let index = order == .bigEndian ? counter.count - 1 - step : step
      counter[index] &+= 1
      if counter[index] != 0 { return }
    }
  }
}

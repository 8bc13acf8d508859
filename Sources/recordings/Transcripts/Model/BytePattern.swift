import Framing

/// Expected bytes with wildcards: `A5 14 84 ** ...`.
package struct BytePattern: Hashable, Sendable {
  /// nil matches any byte.
  package var bytes: [UInt8?]
  /// Whether any number of bytes may follow (`...`).
  package var isOpen: Bool

  package init(_ bytes: [UInt8?] = [], isOpen: Bool = false) {
    self.bytes = bytes
    self.isOpen = isOpen
  }

  /// The bytes; nil if the pattern has wildcards.
  package var exactBytes: [UInt8]? {
    let known = bytes.compactMap(\.self)
    return isOpen || known.count < bytes.count ? nil : known
  }
}

extension BytePattern {
  /// The offset of the first difference; nil when the bytes match.
  func firstDifference(from found: [UInt8]) -> Int? {
    let differs = zip(bytes, found).enumerated().first { $1.0 != nil && $1.0 != $1.1 }
    if let differs { return differs.offset }
    return found.count < bytes.count || (found.count > bytes.count && !isOpen)
      ? min(found.count, bytes.count) : nil
  }

  /// Describes the first difference; nil when the bytes match.
  package func difference(from found: [UInt8]) -> String? {
    for (index, (expected, byte)) in zip(bytes, found).enumerated() {
      guard let expected, expected != byte else { continue }
      return "byte \(index) is 0x\(HexText.format([byte])), not 0x\(HexText.format([expected]))"
    }
    if found.count < bytes.count || (found.count > bytes.count && !isOpen) {
      return "\(Phrase.count(found.count, "byte")), not \(isOpen ? "at least " : "")\(bytes.count)"
    }
    return nil
  }

  /// Whether more bytes could complete these to a match.
  package func canContinue(_ found: [UInt8]) -> Bool {
    found.count < bytes.count && zip(bytes, found).allSatisfy { $0 == nil || $0 == $1 }
  }
}

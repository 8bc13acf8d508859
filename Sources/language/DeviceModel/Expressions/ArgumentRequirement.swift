import Cryptography

/// A requirement for an argument of a function, besides its type.
package enum ArgumentRequirement: Hashable, Sendable {
  /// A number of eight bits.
  case byte
  /// The bytes that `xor` repeats.
  case mask
  /// The bytes that `replace` searches for.
  case sought
  /// Bytes that a block cipher takes.
  case wholeBlocks
  /// A number in one of these ranges, or as many bytes; with what has so many, and its article.
  case count(String, [ClosedRange<Int>])

  package static let randomBytes = count("a value of 'random-bytes'", [0...Value.largestSize])

  static func exactly(_ count: Int, _ subject: String) -> Self { .count(subject, [count...count]) }
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
    case .wholeBlocks: number.isMultiple(of: Int64(AES.blockSize))
    case .count(_, let ranges): ranges.contains { $0.contains(Int(number)) }
    }
  }

  func sentence(found number: Int64) -> String {
    switch self {
    case .byte: "\(number) is not a byte, 0 to 255"
    case .mask: "'xor' repeats its second argument, which is empty"
    case .sought: "'replace' searches for its second argument, which is empty"
    case .wholeBlocks: "this cipher takes whole blocks of 16 bytes, not \(number) bytes"
    case .count(let subject, let ranges): "\(subject) has \(Self.list(ranges)) bytes, not \(number)"
    }
  }

  private static func list(_ ranges: [ClosedRange<Int>]) -> String {
    let words = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    return (words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " : "") + words[words.count - 1]
  }
}

extension Expression.Function {
  /// The requirements for arguments, by index.
  package func requirement(ofArgument index: Int) -> ArgumentRequirement? {
    switch (self, index) {
    case (.xor, 1): .mask
    case (.replace, 1): .sought
    case (.fill, 0), (.escape, 1), (.escape, 3), (.unescape, 1), (.unescape, 2): .byte
    default: nil
    }
  }
}

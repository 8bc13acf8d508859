/// What an argument of a function must be, beside its type.
package enum ArgumentRequirement: Hashable, Sendable {
  /// A number of eight bits.
  case byte
  /// What `xor` repeats.
  case mask
  /// What `replace` searches for.
  case sought
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
    }
  }

  func sentence(found number: Int64) -> String {
    switch self {
    case .byte: "\(number) is not a byte, 0 to 255"
    case .mask: "'xor' repeats its second argument, which is empty"
    case .sought: "'replace' searches for its second argument, which is empty"
    }
  }
}

extension Expression.Function {
  /// What an argument must be, by its index.
  package func requirement(ofArgument index: Int) -> ArgumentRequirement? {
    switch (self, index) {
    case (.xor, 1): .mask
    case (.replace, 1): .sought
    case (.fill, 0), (.escape, 1), (.escape, 3), (.unescape, 1), (.unescape, 2): .byte
    default: nil
    }
  }
}

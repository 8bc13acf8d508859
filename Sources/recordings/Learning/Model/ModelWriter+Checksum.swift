import Framing

extension ModelWriter {
  /// A checksum of all that a message has after a field, as the language computes it.
  func checksum(_ checksum: Checksum, after index: Int, of id: MessageID, by cause: Cause?) -> String {
    let places = model.layouts[id]?.places ?? []
    let after = model[id].parts.drop(whileFieldsUpTo: index)
    var rest = places.indices.dropFirst(index + 1)
    let terms = after.flatMap { part -> [String] in
      if case .constant(let bytes) = part { return Self.terms(of: bytes) }
      guard let next = rest.popFirst() else { return [] }
      let value = expression(id, next, places[next], by: cause) ?? places[next].name
      return [places[next].type.bytes(of: value)]
    }
    return "\(checksum.name)(\(terms.joined(separator: " + ")))"
  }

  /// The shortest run of a byte that is written as such.
  private static let run = 8

  private static func terms(of bytes: [UInt8]) -> [String] {
    var (terms, plain, rest) = ([String](), [UInt8](), bytes[...])
    func literal() -> [String] { plain.isEmpty ? [] : ["bytes('\(HexText.format(plain))')"] }
    while let first = rest.first {
      let same = rest.prefix { $0 == first }
      if same.count < run {
        plain += same
      } else {
        terms += literal() + ["fill(\(first), \(same.count))"]
        plain = []
      }
      rest = rest.dropFirst(same.count)
    }
    return terms + literal()
  }
}

extension [LearntMessage.Part] {
  /// What comes after the field with this number.
  fileprivate func drop(whileFieldsUpTo number: Int) -> ArraySlice<LearntMessage.Part> {
    let fields = indices.filter { if case .field = self[$0] { true } else { false } }
    return fields.indices.contains(number) ? self[(fields[number] + 1)...] : []
  }
}

extension FieldType {
  /// The bytes of a field with this value, as the language computes them.
  fileprivate func bytes(of value: String) -> String {
    switch self {
    case .integer: "\(name)(\(value))"
    case .text(nil): "utf8(\(value))"
    case .text(let width?): "slice(utf8(\(value)) + fill(0, \(width)), 0, \(width))"
    case .bytes: value
    }
  }
}

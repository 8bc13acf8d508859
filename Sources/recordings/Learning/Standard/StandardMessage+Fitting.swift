import DeviceModel

extension StandardMessage {
  /// This message if it is that of all values; nil if one of them deviates from the specification.
  ///
  /// A number of IEEE 11073-20601 has more than one form, and the template of a message stands for only one of them: where the
  /// plain one is not the device's, the result has the exponent that the device always uses.
  package func fitted(to values: [[UInt8]]) -> StandardMessage? {
    if allMatch(values) { return self }
    guard let exponents = exponents(in: values) else { return nil }
    let fitted = replacingDecimals { name, type in exponents[name].map { "\(type.rawValue)(\($0))" } }
    return fitted.allMatch(values) ? fitted : nil
  }

  private func allMatch(_ values: [[UInt8]]) -> Bool {
    guard let compiled else { return false }
    return values.allSatisfy { compiled.parse($0) != nil }
  }

  private enum Decimal: String, CaseIterable {
    case sfloat, float

    var raw: String { self == .sfloat ? "bytes(2)" : "bytes(4)" }
  }

  /// - Parameter type: the type of a field that is a decimal; nil: it stays.
  private func replacingDecimals(with type: (String, Decimal) -> String?) -> StandardMessage {
    var result = self
    let pieces = template.split(separator: "{", omittingEmptySubsequences: false).map { piece in
      for decimal in Decimal.allCases {
        let end = ": \(decimal.rawValue)}"
        guard let colon = piece.firstIndex(of: ":"), piece[colon...].hasPrefix(end) else { continue }
        guard let type = type(String(piece[..<colon]), decimal) else { continue }
        return "\(piece[..<colon]): \(type)}\(piece[colon...].dropFirst(end.count))"
      }
      return String(piece)
    }
    result.template = pieces.joined(separator: "{")
    return result
  }

  /// The exponent of each decimal that has the same in all values; nil: one of them is not the message in any form.
  private func exponents(in values: [[UInt8]]) -> [String: Int]? {
    var decimals = Set<String>()
    let raw = replacingDecimals { name, type in
      decimals.insert(name)
      return type.raw
    }
    guard !decimals.isEmpty, let compiled = raw.compiled else { return nil }
    var found = [String: Set<Int>]()
    for value in values {
      guard let fields = compiled.match(value) else { return nil }
      for case (let field, .bytes(let bytes)?) in zip(compiled.fields, fields)
      where decimals.contains(field.name) {
        if let exponent = Self.exponent(of: bytes) { found[field.name, default: []].insert(exponent) }
      }
    }
    return found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// Of an SFLOAT (the upper 4 of 16 bits) or a FLOAT (the upper 8 of 32); nil for the words that are no number.
  private static func exponent(of bytes: [UInt8]) -> Int? {
    guard let last = bytes.last else { return nil }
    let isShort = bytes.count == 2
    let mantissa = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } & (isShort ? 0xFFF : 0xFF_FFFF)
    let half = isShort ? 0x800 : 0x80_0000
    let exponent = isShort ? Int(Int8(bitPattern: last) >> 4) : Int(Int8(bitPattern: last))
    return exponent == 0 && (half - 2...half + 2).contains(mantissa) ? nil : exponent
  }
}

/// A word with its arguments in parentheses: `bytes(15, FF)`, `pad(15)`, `xor8`.
struct TemplateCall {
  let name: String
  /// Without the spaces around them; empty if there are no parentheses.
  let arguments: [String]

  /// nil if the parentheses do not fit.
  init?(_ text: String) {
    guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")) else {
      (name, arguments) = (text.trimmed, [])
      return
    }
    name = text[..<open].trimmed
    let rest = text.utf8[open...].dropFirst()
    guard rest.last == UInt8(ascii: ")") else { return nil }
    arguments = rest.dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { Substring($0).trimmed }
  }
}

/// The numbers of a template: decimal, without a sign.
enum TemplateNumber {
  static func parse(_ text: String) -> Int? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }), text.count <= 9 else { return nil }
    return Int(text)
  }

  /// `4` or `0..4`.
  ///
  /// - Throws: bounds in the wrong order, as a mistake of the text in `range`.
  static func bounds(_ text: String, _ range: Range<Int>) throws(TextError) -> ClosedRange<Int>? {
    if let number = parse(text) { return number...number }
    guard let dots = text.firstIndex(of: "."), text[dots...].hasPrefix(".."),
      let least = parse(text[..<dots].trimmed), let most = parse(text[dots...].dropFirst(2).trimmed)
    else { return nil }
    guard least <= most else {
      throw TextError(.reversedBounds(least: least, most: most), range)
    }
    return least...most
  }
}

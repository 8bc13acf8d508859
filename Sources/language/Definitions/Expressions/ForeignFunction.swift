/// Functions of other languages.
enum ForeignFunction {
  /// The equivalent of such a function in blemu; nil for any other name.
  static func hint(for name: String) -> String? { hints[name.lowercased().filter { $0 != "-" && $0 != "_" }] }

  private static let hints: [String: String] = {
    var hints = [
      "concat": "'+' joins texts, and bytes", "now": "unix-time is a name without parentheses",
      "pow": "1 << n is 2 to the power of n", "mod": "'%' is the remainder", "not": "write 'not x'",
      "len": "write size(…)", "length": "write size(…)", "strlen": "write size(…)", "count": "write size(…)",
      "str": "write text(…)", "string": "write text(…)", "tostring": "write text(…)",
      "format": "write text(…)",
      "substr": "write slice(…, from, count)", "substring": "write slice(…, from, count)",
      "int": "number(…) reads text, floor(…) rounds", "parseint": "write number(…)",
      "integer": "number(…) reads text, floor(…) rounds", "float": "decimals need no function",
      "trunc": "write floor(…)", "toupper": "write upper(…)", "uppercase": "write upper(…)",
      "touppercase": "write upper(…)", "tolower": "write lower(…)", "lowercase": "write lower(…)",
      "tolowercase": "write lower(…)", "startswith": "write starts-with(…)", "includes": "write contains(…)",
      "rand": "write random(least, greatest)", "randint": "write random(least, greatest)",
    ]
    for bits in [16, 24, 32, 48, 64] {
      for letter in ["u", "i"] {
        hints["\(letter)\(bits)"] = "write \(letter)\(bits)le(…) or \(letter)\(bits)be(…)"
      }
    }
    return hints
  }()
}

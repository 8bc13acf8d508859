extension FixedWidthInteger {
  /// Upper-case digits, padded with zeros on the left.
  package func hexadecimal(digits: Int) -> String {
    let text = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension StringProtocol {
  /// The number of these hexadecimal digits: no sign, no spaces, at most 32 digits.
  var hexadecimalNumber: UInt128? {
    guard !isEmpty, utf8.count <= 32, allSatisfy(\.isHexDigit), allSatisfy(\.isASCII) else {
      return nil
    }
    return UInt128(self, radix: 16)
  }
}

/// The secret that a browser must have: 128 random bits, in hex.
struct Token: Sendable {
  let text: String

  /// A new one. Swift's generator takes its bits from the kernel (getrandom(2)).
  init() {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    var text = ""
    for _ in 0..<2 {
      let bits: UInt64 = generator.next()
      for digit in 0..<16 { text.append(digits[Int(bits >> (4 * digit) & 15)]) }
    }
    self.text = text
  }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

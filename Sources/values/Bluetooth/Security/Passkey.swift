/// The passkey of a pairing: six decimal digits (Core Specification, Vol 3 Part H 2.3.5.3).
package enum Passkey {
  package static let range: ClosedRange<UInt32> = 0...999_999

  /// Reads six digits; nil: it is something else.
  package static func read(_ text: some StringProtocol) -> UInt32? {
    let text = String(text)
    guard text.utf8.count == 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }

  /// As people enter it, with leading zeros.
  package static func text(of passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}

/// Where a page is from, as its browser says (RFC 6454): `http://localhost:5173`.
package struct PageOrigin: Hashable, Sendable {
  let text: String

  /// Reads a scheme, a host and a port; nil: it is not that. A page in a file or in a sandbox has no origin: browsers send `null`.
  package init?(_ text: String) {
    let text = text.lowercased()
    guard let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://") else { return nil }
    let (scheme, place) = (text[..<end], text[end...].dropFirst(3))
    guard let first = scheme.utf8.first, Self.letters.contains(first),
      scheme.utf8.allSatisfy(Self.isInScheme),
      !place.isEmpty, place.utf8.allSatisfy(Self.isInPlace)
    else { return nil }
    // Browsers leave out the port that a scheme has anyway.
    let ending = [("http", ":80"), ("https", ":443")].first { scheme == $0 && place.hasSuffix($1) }
    self.text = String(text.dropLast(ending?.1.count ?? 0))
  }

  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func isInScheme(_ byte: UInt8) -> Bool {
    letters.contains(byte) || digits.contains(byte) || "+-.".utf8.contains(byte)
  }

  private static func isInPlace(_ byte: UInt8) -> Bool {
    letters.contains(byte) || digits.contains(byte) || "-._:[]".utf8.contains(byte)
  }
}

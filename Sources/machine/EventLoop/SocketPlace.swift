/// The address of a listening TCP socket.
package struct SocketPlace: Hashable, Sendable {
  package var host: String
  package var port: UInt16

  /// Reads `4000` (on the loopback interface), `example.org:4000` or `[::1]:4000`; nil for any other form.
  package init?(_ text: String) {
    let colon = text.lastIndex(of: ":")
    let host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else { return nil }
    self.port = port
    if host.hasPrefix("["), host.hasSuffix("]") {
      self.host = String(host.dropFirst().dropLast())
    } else {
      self.host = host
    }
    if self.host.isEmpty || (self.host == host && host.contains(":")) { return nil }
  }
}

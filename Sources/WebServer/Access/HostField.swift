/// The host and the port that a browser has asked: the field `Host` of a request.
struct HostField: Hashable, Sendable {
  /// In lower case; an IPv6 address without its brackets.
  var host: String
  var port: UInt16

  /// Reads `localhost:25368`, `192.168.1.7:25368` or `[::1]:25368`. Without a port it is 80.
  init?(_ text: String) {
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : nil
    let split = end ?? text.firstIndex(of: ":") ?? text.endIndex
    var host = String(text[..<split]).lowercased()
    if end != nil { host = String(host.dropFirst().dropLast()) }
    let rest = text[split...]
    let digits = rest.dropFirst()
    guard !host.isEmpty, !host.contains("["), host.contains(":") == (end != nil),
      rest.isEmpty || rest.first == ":"
    else { return nil }
    guard rest.isEmpty || digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    guard let port = rest.isEmpty ? 80 : UInt16(digits) else { return nil }
    (self.host, self.port) = (host, port)
  }
}

/// The host that a browser has asked: the field `Host` of a request, whose port may be that of a tunnel.
struct HostField: Hashable, Sendable {
  /// In lower case; an IPv6 address without its brackets.
  var name: String

  /// Reads `localhost:25368`, `192.168.1.7:25368`, `[::1]:25368` or `localhost`.
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
    guard rest.isEmpty || digits.allSatisfy({ $0.isASCII && $0.isNumber }) && UInt16(digits) != nil else {
      return nil
    }
    name = host
  }
}

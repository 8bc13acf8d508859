import Glibc

/// The hosts for which a browser may ask.
struct OwnHosts: Sendable {
  /// The host that was told, as in `127.0.0.1`, `0.0.0.0` or `pi.local`.
  let told: String
  /// Whether other machines can connect.
  let isOpen: Bool

  private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

  /// - Parameter host: in lower case.
  func contains(_ host: String) -> Bool {
    if Self.loopback.contains(host) || host == told.lowercased() { return true }
    return isOpen && Self.addresses.contains(host)
  }

  /// The addresses of this machine, but not those of the loopback.
  static var addresses: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr else { continue }
      // A link-local address of IPv6 needs a zone, which browsers do not take.
      if let name = name(address), !name.contains("%"), !found.contains(name) { found.append(name) }
    }
    return found
  }

  private static func name(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension OwnHosts {
  /// The hosts in the addresses that are printed. One that stands for all of this machine's has none that can be opened.
  var names: [String] {
    switch told {
    case "0.0.0.0": ["127.0.0.1"] + Self.addresses.filter { !$0.contains(":") }
    case "::": ["127.0.0.1"] + Self.addresses
    default: [told]
    }
  }
}

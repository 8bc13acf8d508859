/// How well a link is protected (Core Specification, Vol 3 Part C 10.2.1, LE security mode 1).
package struct LinkSecurity: Hashable, Sendable {
  package enum Level: Int, Comparable, Sendable {
    case none
    /// Encrypted with a key from pairing without protection against a man in the middle.
    case encrypted
    /// Encrypted with a key from pairing with a passkey or a comparison.
    case authenticated
    /// Likewise, by LE Secure Connections with a key of 16 bytes.
    case secureConnections

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package var level: Level
  /// The size of the encryption key, 7 to 16 bytes; 0 on a link that is not encrypted (Vol 3 Part H 2.3.4).
  package var keySize: Int

  package init(_ level: Level, keySize: Int = 16) {
    self.level = level
    self.keySize = level == .none ? 0 : keySize
  }

  package static let none = Self(.none)
  package static let encrypted = Self(.encrypted)
  package static let authenticated = Self(.authenticated)
  package static let secureConnections = Self(.secureConnections)

  package var isEncrypted: Bool { level > .none }
}

extension LinkSecurity.Level: CustomStringConvertible {
  /// As in JSON and in the log.
  package var description: String {
    switch self {
    case .none: "none"
    case .encrypted: "encrypted"
    case .authenticated: "authenticated"
    case .secureConnections: "secure"
    }
  }
}

extension LinkSecurity: CustomStringConvertible {
  package var description: String {
    let key = "key of \(keySize) bytes"
    return switch level {
    case .none: "not encrypted"
    case .encrypted: "\(key), not authenticated"
    case .authenticated: "\(key), authenticated"
    case .secureConnections: "\(key), authenticated, LE Secure Connections"
    }
  }
}

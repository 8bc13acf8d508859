/// How hard it is to come between two devices that have a key: first counts whether the pairing was authenticated, then whether it
/// was one of LE Secure Connections, then the size of the key.
package struct KeyStrength: Hashable, Sendable {
  package var isAuthenticated: Bool
  package var isSecure: Bool
  package var keySize: Int

  package init(isAuthenticated: Bool, isSecure: Bool, keySize: Int) {
    (self.isAuthenticated, self.isSecure, self.keySize) = (isAuthenticated, isSecure, keySize)
  }

  /// Stronger than any key of a pairing.
  package static let unrivalled = Self(isAuthenticated: true, isSecure: true, keySize: .max)
}

extension KeyStrength: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

  private var order: (Int, Int, Int) { (isAuthenticated ? 1 : 0, isSecure ? 1 : 0, keySize) }
}

extension LongTermKey {
  /// A debug key protects nothing.
  package var strength: KeyStrength {
    KeyStrength(
      isAuthenticated: kind == 1 || kind == 3, isSecure: kind == 2 || kind == 3, keySize: kind > 3 ? 0 : size)
  }
}

extension Bond {
  /// nil: it has no keys.
  package var strength: KeyStrength? { longTermKeys.map(\.strength).max() }
}

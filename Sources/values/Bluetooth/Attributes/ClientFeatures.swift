/// The features that a central supports: the value of its Client Supported Features (Core Specification, Vol 3 Part G 7.2).
package struct ClientFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// It wants an error when the attributes have changed since it discovered them (2.5.2.1).
  package static let robustCaching = Self(rawValue: 1 << 0)
  package static let enhancedATT = Self(rawValue: 1 << 1)
  package static let multipleNotifications = Self(rawValue: 1 << 2)

  /// All defined features. The other bits are reserved; a server ignores them.
  private static let all: Self = [.robustCaching, .enhancedATT, .multipleNotifications]

  /// The features in a written value: bits that are missing are zero, and reserved bits are ignored.
  package init(value: [UInt8]) { self = Self(rawValue: value.first ?? 0).intersection(Self.all) }

  /// Their value.
  package var value: [UInt8] { [rawValue] }
}

extension ClientFeatures: NamedOptions {
  package static let namedMembers: [(name: String, member: Self)] = [
    ("robust-caching", .robustCaching),
    ("enhanced-att", .enhancedATT),
    ("multiple-notifications", .multipleNotifications),
  ]
}

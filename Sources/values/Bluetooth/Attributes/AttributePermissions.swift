/// The security that an attribute requires of a link, and the access that a central has where it differs from the
/// properties.
///
/// The security flags are those of `org.bluez.GattCharacteristic1` and `GattDescriptor1`. An empty set requires
/// nothing. Descriptors have only those for read and write.
package struct AttributePermissions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let encryptRead = Self(rawValue: 1 << 0)
  package static let encryptWrite = Self(rawValue: 1 << 1)
  package static let encryptNotify = Self(rawValue: 1 << 2)
  package static let encryptIndicate = Self(rawValue: 1 << 3)
  package static let encryptAuthenticatedRead = Self(rawValue: 1 << 4)
  package static let encryptAuthenticatedWrite = Self(rawValue: 1 << 5)
  package static let encryptAuthenticatedNotify = Self(rawValue: 1 << 6)
  package static let encryptAuthenticatedIndicate = Self(rawValue: 1 << 7)
  package static let secureRead = Self(rawValue: 1 << 8)
  package static let secureWrite = Self(rawValue: 1 << 9)
  package static let secureNotify = Self(rawValue: 1 << 10)
  package static let secureIndicate = Self(rawValue: 1 << 11)
  package static let authorize = Self(rawValue: 1 << 12)

  /// The attribute can be read although its properties do not include that; and so on.
  package static let read = Self(rawValue: 1 << 13)
  package static let noRead = Self(rawValue: 1 << 14)
  package static let write = Self(rawValue: 1 << 15)
  package static let noWrite = Self(rawValue: 1 << 16)

  /// The permissions that require an encrypted link.
  package static let needingEncryption = Self(rawValue: (1 << 12) - 1)

  /// The permissions that contradict the properties. BlueZ has no flags for them.
  package static let beyondProperties: Self = [.read, .noRead, .write, .noWrite]
}

extension AttributePermissions: NamedOptions {
  package static let namedMembers: [(name: String, member: Self)] = [
    ("encrypt-read", .encryptRead),
    ("encrypt-write", .encryptWrite),
    ("encrypt-notify", .encryptNotify),
    ("encrypt-indicate", .encryptIndicate),
    ("encrypt-authenticated-read", .encryptAuthenticatedRead),
    ("encrypt-authenticated-write", .encryptAuthenticatedWrite),
    ("encrypt-authenticated-notify", .encryptAuthenticatedNotify),
    ("encrypt-authenticated-indicate", .encryptAuthenticatedIndicate),
    ("secure-read", .secureRead),
    ("secure-write", .secureWrite),
    ("secure-notify", .secureNotify),
    ("secure-indicate", .secureIndicate),
    ("authorize", .authorize),
    ("read", .read),
    ("no-read", .noRead),
    ("write", .write),
    ("no-write", .noWrite),
  ]
}

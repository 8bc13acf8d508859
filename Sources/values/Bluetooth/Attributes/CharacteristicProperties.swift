/// The operations that a characteristic's value allows.
///
/// The low byte holds the properties of the declaration (Core Specification, Vol 3 Part G
/// 3.3.1.1), the high byte those of the Extended Properties descriptor (3.3.3.1).
package struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let broadcast = Self(rawValue: 0x0001)
  package static let read = Self(rawValue: 0x0002)
  package static let writeWithoutResponse = Self(rawValue: 0x0004)
  package static let write = Self(rawValue: 0x0008)
  package static let notify = Self(rawValue: 0x0010)
  package static let indicate = Self(rawValue: 0x0020)
  package static let authenticatedSignedWrites = Self(rawValue: 0x0040)
  package static let extendedProperties = Self(rawValue: 0x0080)
  package static let reliableWrite = Self(rawValue: 0x0100)
  package static let writableAuxiliaries = Self(rawValue: 0x0200)

  private static let unsignedWriting: Self = [.write, .writeWithoutResponse, .reliableWrite]
}

extension CharacteristicProperties {
  /// Whether a central may write, in any way.
  package var canBeWritten: Bool { takesUnsignedWrites || contains(.authenticatedSignedWrites) }

  /// Whether a central may write without a signature.
  package var takesUnsignedWrites: Bool { rawValue & Self.unsignedWriting.rawValue != 0 }

  /// The byte in the characteristic declaration.
  package var declarationByte: UInt8 {
    let hasExtended = rawValue > UInt8.max
    let declared = hasExtended ? union(.extendedProperties) : self
    return UInt8(truncatingIfNeeded: declared.rawValue)
  }
}

extension CharacteristicProperties: NamedOptions {
  /// The names that `org.bluez.GattCharacteristic1` uses in `Flags`.
  package static let namedMembers: [(name: String, member: Self)] = [
    ("broadcast", .broadcast),
    ("read", .read),
    ("write-without-response", .writeWithoutResponse),
    ("write", .write),
    ("notify", .notify),
    ("indicate", .indicate),
    ("authenticated-signed-writes", .authenticatedSignedWrites),
    ("extended-properties", .extendedProperties),
    ("reliable-write", .reliableWrite),
    ("writable-auxiliaries", .writableAuxiliaries),
  ]
}

/// How a GATT server sends values to a subscribed client, which chooses in the CCCD (Vol 3 Part G 3.3.3.3).
package enum Delivery: String, Hashable, Sendable {
  /// Handle Value Notification: not confirmed.
  case notification
  /// Handle Value Indication: the client confirms it, and a link carries one at a time.
  case indication
}

extension CharacteristicProperties {
  /// The delivery that a client usually chooses: notification if possible; nil if neither is possible.
  package var delivery: Delivery? {
    contains(.notify) ? .notification : contains(.indicate) ? .indication : nil
  }
}

/// The bits of a Client Characteristic Configuration (Core Specification, Vol 3 Part G 3.3.3.3).
package struct ClientConfiguration: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let notification = Self(rawValue: 0x0001)
  package static let indication = Self(rawValue: 0x0002)

  /// Whether it asks for both.
  package var isBoth: Bool { rawValue & 0x0003 == 0x0003 }

  /// How values are sent; nil: not at all. A central that asks for both gets notifications.
  package var delivery: Delivery? {
    contains(.notification) ? .notification : contains(.indication) ? .indication : nil
  }

  /// What a client writes to get values in this way; nil: none.
  package init(_ delivery: Delivery?) {
    self =
      switch delivery {
      case .notification: .notification
      case .indication: .indication
      case nil: []
      }
  }

  package var bytes: [UInt8] { rawValue.littleEndianBytes }
}

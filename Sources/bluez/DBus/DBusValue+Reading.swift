package import EventLoop

/// Each accessor unwraps variants and is `nil` for a value of another type.
extension DBusValue {
  /// The value inside the variant, or the value itself.
  package var unwrapped: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  package var bool: Bool? {
    if case .bool(let value) = unwrapped { value } else { nil }
  }

  /// A string; not a path or a signature.
  package var string: String? {
    if case .string(let value) = unwrapped { value } else { nil }
  }

  package var objectPath: ObjectPath? {
    if case .objectPath(let value) = unwrapped { value } else { nil }
  }

  package var fileDescriptor: FileDescriptor? {
    if case .fileDescriptor(let value) = unwrapped { value } else { nil }
  }

  package var bytes: [UInt8]? {
    if case .bytes(let value) = unwrapped { value } else { nil }
  }

  package var double: Double? {
    if case .double(let value) = unwrapped { value } else { nil }
  }

  /// An integer of any width, if it fits.
  package var int: Int? {
    switch unwrapped {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The elements of an array (other than of bytes) or the members of a structure.
  package var array: [DBusValue]? {
    switch unwrapped {
    case .array(_, let elements), .structure(let elements): elements
    default: nil
    }
  }

  /// The strings of an array `as`.
  package var strings: [String]? {
    guard case .array(of: "s", let elements) = unwrapped else { return nil }
    return elements.compactMap(\.string)
  }

  /// A dictionary with strings or object paths as keys; its values are unwrapped.
  package var dictionary: [String: DBusValue]? {
    guard case .array(let type, let elements) = unwrapped, type.string.hasPrefix("{") else { return nil }
    var dictionary: [String: DBusValue] = [:]
    for case .dictEntry(let key, let value) in elements {
      guard let key = key.string ?? key.objectPath?.string else { return nil }
      dictionary[key] = value.unwrapped
    }
    return dictionary
  }
}

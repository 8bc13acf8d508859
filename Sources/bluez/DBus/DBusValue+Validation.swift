internal import CDBus

extension DBusValue {
  /// The longest array the specification allows, in bytes.
  static let longestArray = 64 << 20

  /// The deepest nesting of containers the specification allows.
  static let deepestNesting = 64

  /// Throws unless libdbus can append the value as an argument.
  func validateForSending() throws(DBusError) {
    try validateContent(depth: 0)
    guard isSingleType(signature) else {
      throw .invalid(what: "a complete type", value: signature)
    }
  }

  private func validateContent(depth: Int) throws(DBusError) {
    guard depth <= Self.deepestNesting else {
      throw .invalid(what: "a value nested at most \(Self.deepestNesting) deep", value: signature)
    }
    switch self {
    case .string(let string):
      if string.utf8.contains(0) { throw .invalid(what: "a string without NUL", value: string) }
    case .signature(let signature):
      try validate(signature.string, is: "a signature", dbus_signature_validate)
    case .bytes(let bytes):
      try validateLength(bytes.count)
    case .array(let element, let elements):
      try validateElements(elements, of: element, depth: depth + 1)
    case .structure(let members):
      for member in members { try member.validateContent(depth: depth + 1) }
    case .dictEntry(let key, let value):
      try key.validateContent(depth: depth + 1)
      try value.validateContent(depth: depth + 1)
    case .variant(let value):
      try value.validateVariantContent(depth: depth + 1)
    default: break
    }
  }

  private func validateVariantContent(depth: Int) throws(DBusError) {
    try validateContent(depth: depth)
    guard isSingleType(signature) else {
      throw .invalid(what: "a complete type", value: signature)
    }
  }

  private func validateElements(
    _ elements: [DBusValue], of type: DBusSignature, depth: Int
  ) throws(DBusError) {
    try validateLength(elements.count)
    for element in elements {
      guard element.signature == type.string else {
        throw .invalid(what: "an element '\(type.string)'", value: element.signature)
      }
      try element.validateContent(depth: depth)
    }
  }

  private func validateLength(_ count: Int) throws(DBusError) {
    guard count <= Self.longestArray else {
      throw .invalid(what: "an array of at most 64 MiB", value: "\(count) elements")
    }
  }

  private func isSingleType(_ signature: String) -> Bool {
    dbus_signature_validate_single(signature, nil) != 0
  }
}

internal import CDBus

extension MessageReader {
  /// Reads a dictionary whose keys are strings or object paths: calls `body` with each key, where it is in the message, and a reader at
  /// its value.
  package mutating func entries(
    _ body: (_ key: Span<UInt8>, _ value: inout MessageReader) throws(DBusError) -> Void
  ) throws(DBusError) {
    try next(TypeCode.array) { (reader) throws(DBusError) in
      guard dbus_message_iter_get_element_type(&reader.iterator) == TypeCode.dictEntry else {
        throw reader.unexpectedType(expected: "a{s*}")
      }
      var entry = MessageReader(inside: &reader)
      if entry.isAtEnd { return }
      repeat {
        var content = MessageReader(inside: &entry)
        let isPath = content.type == TypeCode.objectPath
        let key = try content.characters(isPath ? TypeCode.objectPath : TypeCode.string)
        try body(UnsafeBufferPointer(text: key).span, &content)
      } while dbus_message_iter_next(&entry.iterator) != 0
    }
  }

  /// The next value of any type; a variant is ``DBusValue/variant(_:)``.
  package mutating func value() throws(DBusError) -> DBusValue {
    switch type {
    case TypeCode.byte: .byte(try byte())
    case TypeCode.boolean: .bool(try bool())
    case TypeCode.int16: .int16(try fixed(TypeCode.int16, 0))
    case TypeCode.uint16: .uint16(try uint16())
    case TypeCode.int32: .int32(try fixed(TypeCode.int32, 0))
    case TypeCode.uint32: .uint32(try uint32())
    case TypeCode.int64: .int64(try fixed(TypeCode.int64, 0))
    case TypeCode.uint64: .uint64(try fixed(TypeCode.uint64, 0))
    case TypeCode.double: .double(try fixed(TypeCode.double, 0))
    case TypeCode.string: .string(try string())
    case TypeCode.objectPath: .objectPath(try objectPath())
    case TypeCode.signature: .signature(DBusSignature(trusted: try string(TypeCode.signature)))
    case TypeCode.fileDescriptor: .fileDescriptor(try fileDescriptor())
    case TypeCode.array: try array()
    case TypeCode.structure: .structure(try content())
    case TypeCode.dictEntry: try dictEntry()
    case TypeCode.variant: .variant(try content()[0])
    default: throw unexpectedType(expected: "a value")
    }
  }

  private mutating func array() throws(DBusError) -> DBusValue {
    if dbus_message_iter_get_element_type(&iterator) == TypeCode.byte { return .bytes(try bytes()) }
    let element = DBusSignature(trusted: String(signature.dropFirst()))
    return .array(of: element, try content())
  }

  private mutating func dictEntry() throws(DBusError) -> DBusValue {
    let members = try content()
    return .dictEntry(key: members[0], value: members[1])
  }

  private mutating func content() throws(DBusError) -> [DBusValue] {
    var content = MessageReader(inside: &self)
    var values: [DBusValue] = []
    while !content.isAtEnd { values.append(try content.value()) }
    skip()
    return values
  }
}

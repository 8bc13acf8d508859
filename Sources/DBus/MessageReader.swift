internal import CDBus
package import EventLoop

/// Reads the arguments of a message, or the elements of one of its containers, one after the other.
///
/// Each function reads the next value and moves behind it; it looks through variants. It throws
/// ``DBusError/unexpectedType(expected:found:)`` where the next value is of another type, and stays before it.
package struct MessageReader: ~Copyable {
  private let message: OpaquePointer
  private var iterator = DBusMessageIter()

  init(message: OpaquePointer) {
    self.message = dbus_message_ref(message)
    dbus_message_iter_init(message, &iterator)
  }

  /// A reader of the container that `parent` is at.
  private init(inside parent: inout MessageReader) {
    message = dbus_message_ref(parent.message)
    dbus_message_iter_recurse(&parent.iterator, &iterator)
  }

  deinit { dbus_message_unref(message) }
}

// MARK: Values of one type

extension MessageReader {
  /// Whether nothing is left to read.
  package var isAtEnd: Bool { mutating get { type == TypeCode.invalid } }

  package mutating func bool() throws(DBusError) -> Bool {
    try fixed(TypeCode.boolean, dbus_bool_t(0)) != 0
  }

  package mutating func byte() throws(DBusError) -> UInt8 { try fixed(TypeCode.byte, 0) }

  package mutating func uint16() throws(DBusError) -> UInt16 { try fixed(TypeCode.uint16, 0) }

  package mutating func uint32() throws(DBusError) -> UInt32 { try fixed(TypeCode.uint32, 0) }

  package mutating func string() throws(DBusError) -> String { try string(TypeCode.string) }

  package mutating func objectPath() throws(DBusError) -> ObjectPath {
    ObjectPath(trusted: try string(TypeCode.objectPath))
  }

  /// An array of bytes, in one copy.
  package mutating func bytes() throws(DBusError) -> [UInt8] {
    try next(TypeCode.array) { (reader) throws(DBusError) in
      guard dbus_message_iter_get_element_type(&reader.iterator) == TypeCode.byte else {
        throw reader.unexpectedType(expected: "ay")
      }
      var content = MessageReader(inside: &reader)
      return [UInt8](content.fixedArray())
    }
  }

  /// A file descriptor; the caller's is a duplicate of the message's.
  package mutating func fileDescriptor() throws(DBusError) -> FileDescriptor {
    let descriptor = try fixed(TypeCode.fileDescriptor, Int32(-1))
    guard descriptor >= 0 else { throw .invalid(what: "an open file descriptor", value: "\(descriptor)") }
    return FileDescriptor(owning: descriptor)
  }

  /// Moves behind the next value, whatever it is.
  package mutating func skip() { dbus_message_iter_next(&iterator) }
}

// MARK: Containers

extension MessageReader {
  /// Reads a dictionary whose keys are strings: `body` is given each key and a reader of its value.
  package mutating func entries(
    _ body: (_ key: String, _ value: inout MessageReader) throws(DBusError) -> Void
  ) throws(DBusError) {
    try next(TypeCode.array) { (reader) throws(DBusError) in
      guard dbus_message_iter_get_element_type(&reader.iterator) == TypeCode.dictEntry else {
        throw reader.unexpectedType(expected: "a{s*}")
      }
      var entry = MessageReader(inside: &reader)
      var content = MessageReader(inside: &reader)
      while !entry.isAtEnd {
        dbus_message_iter_recurse(&entry.iterator, &content.iterator)
        try body(try content.string(), &content)
        entry.skip()
      }
    }
  }

  /// The next value, whatever it is; a variant comes as ``DBusValue/variant(_:)``.
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

// MARK: Steps

extension MessageReader {
  private var type: Int32 { mutating get { dbus_message_iter_get_arg_type(&iterator) } }

  private var signature: String {
    mutating get {
      let characters = allocated(dbus_message_iter_get_signature(&iterator))
      defer { dbus_free(characters) }
      return String(cString: characters)
    }
  }

  private mutating func unexpectedType(expected: String) -> DBusError {
    .unexpectedType(expected: expected, found: isAtEnd ? "" : signature)
  }

  /// Lets `body` read the next value if it is of that type, and moves behind it.
  private mutating func next<Value>(
    _ expected: Int32, _ body: (inout MessageReader) throws(DBusError) -> Value
  ) throws(DBusError) -> Value {
    let found = type
    guard found == expected else {
      guard found == TypeCode.variant else {
        throw unexpectedType(expected: String(Unicode.Scalar(UInt8(expected))))
      }
      var content = MessageReader(inside: &self)
      let value = try content.next(expected, body)
      skip()
      return value
    }
    let value = try body(&self)
    skip()
    return value
  }

  private mutating func fixed<Fixed: BitwiseCopyable>(
    _ type: Int32, _ initial: Fixed
  ) throws(DBusError) -> Fixed {
    try next(type) { (reader) throws(DBusError) in
      var value = initial
      dbus_message_iter_get_basic(&reader.iterator, &value)
      return value
    }
  }

  private mutating func string(_ type: Int32) throws(DBusError) -> String {
    try next(type) { (reader) throws(DBusError) in
      var characters: UnsafePointer<CChar>?
      dbus_message_iter_get_basic(&reader.iterator, &characters)
      return String(cString: allocated(characters))
    }
  }

  /// The bytes of the array this reader is inside of; valid while the message lives.
  private mutating func fixedArray() -> UnsafeBufferPointer<UInt8> {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&iterator, &start, &count)
    return UnsafeBufferPointer(start: start, count: Int(count))
  }
}

internal import CDBus
package import EventLoop
internal import Glibc

/// Reads the arguments of a message, or the elements of one of its containers, in order.
///
/// Each function reads the next value and advances past it; it unwraps variants. If the next value is of another
/// type, it throws ``DBusError/unexpectedType(expected:found:)`` and does not advance.
package struct MessageReader: ~Copyable {
  /// The message, to which the reader holds a reference; nil: it is inside another reader, which holds one.
  private let message: OpaquePointer?
  var iterator = DBusMessageIter()
  /// Whether the value that the iterator is at has been read. To step over it takes time, which the last value of a container
  /// does not need.
  private var isPast = false

  init(message: OpaquePointer) {
    self.message = dbus_message_ref(message)
    dbus_message_iter_init(message, &iterator)
  }

  /// A reader of the container that `parent`, which lives longer, is at.
  init(inside parent: inout MessageReader) {
    message = nil
    dbus_message_iter_recurse(&parent.iterator, &iterator)
  }

  deinit { if let message { dbus_message_unref(message) } }
}

// MARK: Values of one type

extension MessageReader {
  /// Whether all values have been read.
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

  /// Lets `body` look at an object path where it is, in the message.
  package mutating func objectPath(_ body: (Span<UInt8>) -> Void) throws(DBusError) {
    let characters = try characters(TypeCode.objectPath)
    body(UnsafeBufferPointer(text: characters).span)
  }

  /// An array of bytes, copied at once.
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

  /// Advances past the next value of any type.
  package mutating func skip() {
    advance()
    isPast = true
  }
}

// MARK: Steps

extension MessageReader {
  var type: Int32 {
    mutating get {
      advance()
      return dbus_message_iter_get_arg_type(&iterator)
    }
  }

  /// Steps to the next value that has not been read.
  private mutating func advance() {
    if isPast { dbus_message_iter_next(&iterator) }
    isPast = false
  }

  var signature: String {
    mutating get {
      let characters = allocated(dbus_message_iter_get_signature(&iterator))
      defer { dbus_free(characters) }
      return String(cString: characters)
    }
  }

  mutating func unexpectedType(expected: String) -> DBusError {
    .unexpectedType(expected: expected, found: isAtEnd ? "" : signature)
  }

  /// Lets `body` read the next value if it has this type, and advances past it.
  mutating func next<Value>(
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

  mutating func fixed<Fixed: BitwiseCopyable>(
    _ type: Int32, _ initial: Fixed
  ) throws(DBusError) -> Fixed {
    try next(type) { (reader) throws(DBusError) in
      var value = initial
      dbus_message_iter_get_basic(&reader.iterator, &value)
      return value
    }
  }

  mutating func string(_ type: Int32) throws(DBusError) -> String {
    String(cString: try characters(type))
  }

  /// The characters of a string, an object path or a signature; valid while the message lives.
  mutating func characters(_ type: Int32) throws(DBusError) -> UnsafePointer<CChar> {
    allocated(try fixed(type, UnsafePointer<CChar>?.none))
  }

  /// The bytes of the array that this reader is inside; valid while the message lives.
  private mutating func fixedArray() -> UnsafeBufferPointer<UInt8> {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&iterator, &start, &count)
    return UnsafeBufferPointer(start: start, count: Int(count))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The characters before the terminating NUL.
  init(text: UnsafePointer<CChar>) {
    let count = strlen(text)
    self.init(start: UnsafeRawPointer(text).bindMemory(to: UInt8.self, capacity: count), count: count)
  }
}

extension Span<UInt8> {
  /// Whether these are the bytes of a text.
  package func holds(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return withUnsafeBytes { count == 0 || memcmp($0.baseAddress!, text.utf8Start, count) == 0 }
  }

  /// Whether they are these bytes.
  package func holds(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    return withUnsafeBytes { count == 0 || memcmp($0.baseAddress!, bytes, count) == 0 }
  }
}

extension String {
  package init(_ characters: Span<UInt8>) {
    self = characters.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

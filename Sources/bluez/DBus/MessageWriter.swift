internal import CDBus

/// Appends values to a message. ``DBusValue/validateForSending()`` must have accepted them.
struct MessageWriter: ~Copyable {
  private var iterator = DBusMessageIter()
  /// A file descriptor could not be duplicated; the message must not be sent.
  private(set) var hasFailed = false

  init(appendingTo message: borrowing DBusMessage) {
    dbus_message_iter_init_append(message.pointer, &iterator)
  }

  private init() {}
}

extension MessageWriter {
  mutating func append(_ value: DBusValue) {
    switch value {
    case .byte(let value): append(value, as: TypeCode.byte)
    case .bool(let value): append(dbus_bool_t(value ? 1 : 0), as: TypeCode.boolean)
    case .int16(let value): append(value, as: TypeCode.int16)
    case .uint16(let value): append(value, as: TypeCode.uint16)
    case .int32(let value): append(value, as: TypeCode.int32)
    case .uint32(let value): append(value, as: TypeCode.uint32)
    case .int64(let value): append(value, as: TypeCode.int64)
    case .uint64(let value): append(value, as: TypeCode.uint64)
    case .double(let value): append(value, as: TypeCode.double)
    case .string(let value): append(value, as: TypeCode.string)
    case .objectPath(let value): append(value.string, as: TypeCode.objectPath)
    case .signature(let value): append(value.string, as: TypeCode.signature)
    case .fileDescriptor(let value): append(duplicateOf: value.rawValue)
    case .bytes(let value): append(bytes: value.span)
    case .array(let element, let elements): appendArray(of: element, elements)
    case .structure(let members): append(TypeCode.structure, members)
    case .dictEntry(let key, let value): append(TypeCode.dictEntry, [key, value])
    case .variant(let value): appendVariant(value)
    }
  }

  /// Appends an array `ay`, copied at once.
  mutating func append(bytes: Span<UInt8>) {
    appendContainer(TypeCode.array, containing: "y") { writer in
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        let isAppended = dbus_message_iter_append_fixed_array(
          &writer.iterator, TypeCode.byte, &start, Int32(buffer.count))
        precondition(isAppended != 0, "out of memory for a D-Bus message")
      }
    }
  }

  mutating func append(_ value: UInt16) { append(value, as: TypeCode.uint16) }

  mutating func append(duplicateOf descriptor: Int32) {
    var descriptor = descriptor
    if dbus_message_iter_append_basic(&iterator, TypeCode.fileDescriptor, &descriptor) == 0 {
      hasFailed = true
    }
  }
}

extension MessageWriter {
  private mutating func append<Fixed: BitwiseCopyable>(_ value: Fixed, as type: Int32) {
    withUnsafePointer(to: value) { appendBasic(type, $0) }
  }

  private mutating func append(_ string: String, as type: Int32) {
    string.withCString { characters in
      withUnsafePointer(to: characters) { appendBasic(type, $0) }
    }
  }

  private mutating func appendBasic(_ type: Int32, _ value: UnsafeRawPointer) {
    precondition(
      dbus_message_iter_append_basic(&iterator, type, value) != 0, "out of memory for a D-Bus message")
  }

  private mutating func append(_ container: Int32, _ members: [DBusValue]) {
    appendContainer(container, containing: nil) { writer in
      for member in members { writer.append(member) }
    }
  }

  private mutating func appendArray(of element: DBusSignature, _ elements: [DBusValue]) {
    appendContainer(TypeCode.array, containing: element.string) { writer in
      for element in elements { writer.append(element) }
    }
  }

  private mutating func appendVariant(_ value: DBusValue) {
    appendContainer(TypeCode.variant, containing: value.signature) { $0.append(value) }
  }

  private mutating func appendContainer(
    _ type: Int32, containing signature: String?, _ appendContent: (inout MessageWriter) -> Void
  ) {
    var content = MessageWriter()
    let isOpen = dbus_message_iter_open_container(&iterator, type, signature, &content.iterator)
    precondition(isOpen != 0, "out of memory for a D-Bus message")
    appendContent(&content)
    let isClosed = dbus_message_iter_close_container(&iterator, &content.iterator)
    precondition(isClosed != 0, "out of memory for a D-Bus message")
    if content.hasFailed { hasFailed = true }
  }
}

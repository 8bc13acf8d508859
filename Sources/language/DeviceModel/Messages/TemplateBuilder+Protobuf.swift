/// Messages of Protocol Buffers: fields by ascending number, without those that are 0 or empty unless they are optional.
extension TemplateBuilder {
  /// - Parameter slot: that of the one row that has its fields; nil: they are fields of the template.
  mutating func appendProtobuf(
    _ index: Int, _ slot: Int?, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    let (layout, start) = (message.program.protobufs[index], bytes.count)
    guard let slot else { return try append(layout, of: message, values) }
    if case .group(let rows)? = given(slot, message, values), !rows.isEmpty {
      guard rows.count == 1 else { throw .rowCount(rows.count, 0...1) }
      groups.append((slot, rows, 0))
      try append(layout, of: message, values)
      groups.removeLast()
    }
    if let register = message.program.slots[slot].register {
      registers[register].size = bytes.count - start
      if awaitsVarint { try insertLengths(of: slot, message) }
    }
  }

  private mutating func append(
    _ layout: ProtobufLayout, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    for field in layout.fields {
      if let group = field.group {
        try append(field, rowsOf: group, of: message, values)
      } else {
        try append(field, of: message, values)
      }
      guard bytes.count <= limit else { throw .tooLong(count: bytes.count, limit: limit) }
    }
  }

  private mutating func append(
    _ field: ProtobufLayout.Field, rowsOf group: Int, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    guard case .group(let rows)? = given(group, message, values), !rows.isEmpty else { return }
    if !field.isRepeated, rows.count > 1 { throw .rowCount(rows.count, 0...1) }
    let start = bytes.count
    groups.append((group, rows, 0))
    for row in rows.indices {
      groups[groups.count - 1].row = row
      try append(field, of: message, values)
      guard bytes.count <= limit else { throw .tooLong(count: bytes.count, limit: limit) }
    }
    groups.removeLast()
    if field.isPacked { insertHead(.length, of: field, at: start) }
  }

  /// Appends one value with its tag; of packed ones only the value.
  private mutating func append(
    _ field: ProtobufLayout.Field, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    let start = bytes.count
    switch field.content {
    case .message(let layout):
      try append(layout, of: message, values)
      // Among expressions, a message without fields is absent.
      if field.group == nil, bytes.count == start { return }
    case .value(let slot, let encoding):
      guard let value = given(slot, message, values) else {
        if field.isRepeated { throw message.missing(slot) }
        return
      }
      if !field.isRepeated, !field.isOptional, encoding.isZero(value) { return }
      try encoding.encode(value, into: &bytes)
    }
    if !field.isPacked { insertHead(field.wireType, of: field, at: start) }
  }

  /// Puts the tag before what has been appended since, with its length.
  private mutating func insertHead(_ type: ProtobufWireType, of field: ProtobufLayout.Field, at start: Int) {
    var head: [UInt8] = []
    Varint.append(field.number << 3 | type.rawValue, to: &head)
    if type == .length { Varint.append(UInt64(bytes.count - start), to: &head) }
    bytes.insert(contentsOf: head, at: start)
  }
}

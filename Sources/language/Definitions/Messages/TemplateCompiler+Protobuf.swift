import DeviceModel

extension TemplateCompiler {
  /// Declares the fields of a message of Protocol Buffers.
  ///
  /// - Parameter name: of the one row that has them; nil: they are fields of the template.
  mutating func declare(
    _ name: TemplateNode.Field?, _ parts: [TemplateNode.ProtobufField], at range: Range<Int>, in block: Int?,
    _ presence: MessageTemplate.Field.Presence, _ scope: inout Scope
  ) throws(TextError) {
    if let name {
      let columns = try declareRows(name, in: block, &scope) { (compiler, row) throws(TextError) in
        try compiler.declare(parts, in: block, &row)
      }
      let presence = presence == .always ? .implicit : presence
      scope.fields.append(
        MessageTemplate.Field(name: name.name, content: .group(columns, rows: 0...1), presence: presence))
    } else {
      if presence == .optional { throw TextError(.protobufInOptionalPart, range) }
      try declare(parts, in: block, &scope)
    }
  }

  private mutating func declare(
    _ parts: [TemplateNode.ProtobufField], in block: Int?, _ scope: inout Scope
  ) throws(TextError) {
    for part in parts {
      guard part.isRepeated || part.message != nil else {
        try declare(part.field, in: block, part.isOptional ? .explicit : .implicit, &scope)
        continue
      }
      let columns = try declareRows(part.field, in: block, &scope) { (compiler, row) throws(TextError) in
        if let message = part.message {
          try compiler.declare(message, in: block, &row)
        } else {
          var value = part.field
          value.name = Self.valueColumn
          try compiler.declare(value, in: block, .always, &row)
        }
      }
      let rows = 0...(part.isRepeated ? MessageTemplate.maximumSize : 1)
      scope.fields.append(
        MessageTemplate.Field(
          name: part.field.name, content: .group(columns, rows: rows), presence: .implicit))
    }
  }

  /// The column of a repeated field that is not a message.
  private static let valueColumn = "value"

  /// Declares a name with rows; returns their columns.
  private mutating func declareRows(
    _ name: TemplateNode.Field, in block: Int?, _ scope: inout Scope,
    _ declare: (inout Self, inout Scope) throws(TextError) -> Void
  ) throws(TextError) -> [MessageTemplate.Field] {
    let slot = program.slots.count
    try add(name.name, Declaration(slot: slot, block: block), nil, at: name.nameRange, &scope)
    var row = Scope(group: (slot, program.slots[slot].field))
    try declare(&self, &row)
    program.slots[slot].columnCount = row.fields.count
    program.slots[slot].innerCount = program.slots.count - slot - 1
    rowNames[slot] = row.names
    return row.fields
  }

  mutating func emitProtobuf(
    _ name: TemplateNode.Field?, _ parts: [TemplateNode.ProtobufField]
  ) throws(TextError) {
    var sizes = 0...MessageTemplate.maximumSize
    let slot = name.flatMap { self[$0.name]?.slot }
    let layout = layout(of: parts, in: slot)
    if let name { sizes = try reach(name.name, sizes) }
    append(program.protobuf(layout, slot), sizes)
  }

  /// - Parameter group: the slot of the row that has these fields; nil: they are fields of the template.
  private mutating func layout(of parts: [TemplateNode.ProtobufField], in group: Int?) -> ProtobufLayout {
    ProtobufLayout(parts.map { field(of: $0, in: group) })
  }

  private mutating func field(
    of part: TemplateNode.ProtobufField, in group: Int?
  ) -> ProtobufLayout.Field {
    var field = ProtobufLayout.Field(
      number: part.number, content: .message(ProtobufLayout([])), isRepeated: part.isRepeated,
      isOptional: part.isOptional)
    if isInline {
      field.content =
        if let message = part.message {
          .message(layout(of: message, in: nil))
        } else {
          .value(slot: inlineSlot(part.field, at: part.field.nameRange), part.field.encoding!)
        }
      return field
    }
    let slot = slot(part.field.name, in: group)
    if let message = part.message {
      (field.group, field.content) = (slot, .message(layout(of: message, in: slot)))
    } else if part.isRepeated {
      (field.group, field.content) = (
        slot, .value(slot: self.slot(Self.valueColumn, in: slot), part.field.encoding!)
      )
    } else {
      field.content = .value(slot: slot, part.field.encoding!)
    }
    return field
  }

  private mutating func slot(_ name: String, in group: Int?) -> Int {
    guard let declared = group.map({ rowNames[$0]?[name] }) ?? self[name] else {
      preconditionFailure("'\(name)' was declared")
    }
    if group == nil { self[name]?.isReached = true }
    return declared.slot
  }
}

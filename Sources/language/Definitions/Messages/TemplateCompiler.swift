import DeviceModel

/// Looks up a template's names, checks that its sizes are possible, and turns it into a ``TemplateProgram``.
struct TemplateCompiler {
  typealias Slot = TemplateProgram.Slot

  /// A name with its block.
  struct Declaration {
    var slot: Int
    /// Where the block begins in the text; nil outside of blocks.
    var block: Int?
    var isRepeated = false
    var isInteger = false
    /// Whether the compiler has reached its part.
    var isReached = false
    /// The bytes it takes, once it has been reached.
    var sizes = 0...0
    /// The length before it.
    var size: (length: TemplateNode.Length, range: Range<Int>)?
    var count: (length: TemplateNode.Length, range: Range<Int>)?
  }

  let form: MessageTemplate.Form
  let isInline: Bool
  var program = TemplateProgram()
  var fields: [MessageTemplate.Field] = []
  /// The holes of an inline template.
  var holes: [MessageTemplate.Inline.Hole] = []
  /// The names outside repeated parts, and in those that the compiler is in, the innermost last.
  var scopes: [[String: Declaration]] = [[:]]
  /// The slot of the repeated part that the compiler is in.
  var group: Int?
  /// The names in each repeated part, by its slot.
  var rowNames: [Int: [String: Declaration]] = [:]
  /// The number of bytes that may precede the next part in the message or, in a repeated part, in the row.
  var position = 0...0
  /// The sizes that each instruction alone may take.
  var extents: [ClosedRange<Int>] = []
  var messageSize: (length: TemplateNode.Length, range: Range<Int>)?

  init(_ nodes: [TemplateNode], form: MessageTemplate.Form, isInline: Bool = false) throws(TextError) {
    self.form = form
    self.isInline = isInline
    if !isInline {
      try declare(nodes)
      try BorderChecker.check(nodes)
    }
    try emit(nodes, in: nil)
    program.sizes = position
    program.rest = program.restSizes(extents)
    if let (length, range) = messageSize {
      program.sizes = try Self.bounded(position, by: length, at: range)
    }
  }
}

// MARK: Names

extension TemplateCompiler {
  /// The names and fields outside of repeated parts, or those of one of these.
  struct Scope {
    var names: [String: Declaration] = [:]
    var fields: [MessageTemplate.Field] = []
    /// The slot of the repeated part, and the field that it is in.
    var group: (slot: Int, field: Int)?
  }

  mutating func declare(_ nodes: [TemplateNode]) throws(TextError) {
    var scope = Scope()
    try declare(nodes, in: nil, presence: .always, &scope)
    scopes = [scope.names]
    fields = scope.fields
  }

  private mutating func declare(
    _ nodes: [TemplateNode], in block: Int?, presence: MessageTemplate.Field.Presence, _ scope: inout Scope
  ) throws(TextError) {
    for node in nodes {
      let start = node.range.lowerBound
      switch node.kind {
      case .field(let field): try declare(field, in: block, presence, &scope)
      case .bits(let parts, _):
        for part in parts {
          if case .field(let field) = part.content { try declare(field, in: block, presence, &scope) }
        }
      case .protobuf(let name, let parts):
        try declare(name, parts, at: node.range, in: block, presence, &scope)
      case .maybe(let body): try declare(body, in: start, presence: .optional, &scope)
      case .conditional(let name, let body):
        try declare(body, in: start, presence: .conditional(on: name), &scope)
      case .repeated(let name, let rows, let body):
        let fields = try declareGroup(name, body, at: node.range, in: block, &scope)
        scope.fields.append(
          MessageTemplate.Field(name: name, content: .group(fields, rows: rows), presence: presence))
      case .literal, .checksum, .length, .pad, .skip: break
      }
    }
  }

  mutating func declare(
    _ field: TemplateNode.Field, in block: Int?, _ presence: MessageTemplate.Field.Presence,
    _ scope: inout Scope
  ) throws(TextError) {
    guard let encoding = field.encoding else { preconditionFailure("a field has a type") }
    var declaration = Declaration(slot: program.slots.count, block: block)
    declaration.isInteger = encoding.valueType == .integer
    try add(field.name, declaration, encoding, at: field.nameRange, &scope)
    scope.fields.append(
      MessageTemplate.Field(name: field.name, content: .value(encoding), presence: presence))
  }

  /// Adds a name, and a slot for the next of the fields.
  mutating func add(
    _ name: String, _ declaration: Declaration, _ encoding: FieldEncoding?, at range: Range<Int>,
    _ scope: inout Scope
  ) throws(TextError) {
    guard scope.names.updateValue(declaration, forKey: name) == nil else {
      throw TextError(.doubledField(name), range)
    }
    let index = scope.fields.count
    program.add(
      scope.group.map { Slot(field: $0.field, column: index, of: $0.slot) } ?? Slot(field: index), encoding)
  }

  /// The fields of a row.
  private mutating func declareGroup(
    _ name: String, _ body: [TemplateNode], at range: Range<Int>, in block: Int?, _ scope: inout Scope
  ) throws(TextError) -> [MessageTemplate.Field] {
    let slot = program.slots.count
    try add(name, Declaration(slot: slot, block: block, isRepeated: true), nil, at: range, &scope)
    var row = Scope(group: (slot, program.slots[slot].field))
    try declare(body, in: range.lowerBound, presence: .always, &row)
    guard !row.fields.isEmpty else {
      throw TextError(.repetitionWithoutField(name), range)
    }
    program.slots[slot].columnCount = row.fields.count
    program.slots[slot].innerCount = program.slots.count - slot - 1
    rowNames[slot] = row.names
    return row.fields
  }
}

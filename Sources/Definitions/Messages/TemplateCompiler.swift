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
  /// The positions outside repeated parts, and in the current one.
  var names: [String: Declaration] = [:]
  var columns: [String: Declaration]?
  /// The number of bytes that may precede the next part.
  var position = 0...0
  /// The bytes that each instruction may take by itself.
  var extents: [ClosedRange<Int>] = []
  var messageSize: (length: TemplateNode.Length, range: Range<Int>)?

  init(_ nodes: [TemplateNode], form: MessageTemplate.Form, isInline: Bool = false) throws(TextError) {
    self.form = form
    self.isInline = isInline
    if !isInline {
      try declare(nodes, in: nil, presence: .always)
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
  private mutating func declare(
    _ nodes: [TemplateNode], in block: Int?, presence: MessageTemplate.Field.Presence
  ) throws(TextError) {
    for node in nodes {
      let start = node.range.lowerBound
      switch node.kind {
      case .field(let field): try declare(field, in: block, presence)
      case .bits(let parts, _):
        for part in parts {
          if case .field(let field) = part.content { try declare(field, in: block, presence) }
        }
      case .maybe(let body): try declare(body, in: start, presence: .optional)
      case .conditional(_, let body): try declare(body, in: start, presence: .conditional)
      case .repeated(let name, let rows, let body):
        try declareGroup(name, rows, body, at: node.range, in: block, presence)
      case .literal, .checksum, .length, .pad, .skip: break
      }
    }
  }

  private mutating func declare(
    _ field: TemplateNode.Field, in block: Int?, _ presence: MessageTemplate.Field.Presence
  ) throws(TextError) {
    guard let encoding = field.encoding else { preconditionFailure("a field has a type") }
    var declaration = Declaration(slot: program.slots.count, block: block)
    declaration.isInteger = encoding.valueType == .integer
    try add(field.name, declaration, at: field.nameRange)
    program.slots.append(Slot(field: fields.count))
    fields.append(MessageTemplate.Field(name: field.name, content: .value(encoding), presence: presence))
  }

  private mutating func add(
    _ name: String, _ declaration: Declaration, at range: Range<Int>
  ) throws(TextError) {
    guard names.updateValue(declaration, forKey: name) == nil else {
      throw TextError(TemplateMistake.doubledField(name), range)
    }
  }

  private mutating func declareGroup(
    _ name: String, _ rows: ClosedRange<Int>, _ body: [TemplateNode], at range: Range<Int>, in block: Int?,
    _ presence: MessageTemplate.Field.Presence
  ) throws(TextError) {
    try add(name, Declaration(slot: program.slots.count, block: block, isRepeated: true), at: range)
    let field = fields.count
    program.slots.append(Slot(field: field))
    var columns: [MessageTemplate.Field] = []
    for column in body.flatMap(\.columns) {
      guard let encoding = column.encoding else { preconditionFailure("a field has a type") }
      if columns.contains(where: { $0.name == column.name }) {
        throw TextError(TemplateMistake.doubledField(column.name), column.nameRange)
      }
      program.slots.append(Slot(field: field, column: columns.count))
      columns.append(MessageTemplate.Field(name: column.name, content: .value(encoding)))
    }
    guard !columns.isEmpty else {
      throw TextError(TemplateMistake.repetitionWithoutField(name), range)
    }
    fields.append(
      MessageTemplate.Field(name: name, content: .group(columns, rows: rows), presence: presence))
  }

  /// The names of the fields of a repeated part, from its slot on.
  func declaredColumns(of group: Int, _ body: [TemplateNode], in block: Int) -> [String: Declaration] {
    let columns = body.flatMap(\.columns).enumerated().map { index, column in
      var declaration = Declaration(slot: group + 1 + index, block: block)
      declaration.isInteger = column.encoding?.valueType == .integer
      return (column.name, declaration)
    }
    return Dictionary(uniqueKeysWithValues: columns)
  }
}

extension TemplateNode {
  /// The fields that it holds.
  fileprivate var columns: [Field] {
    switch kind {
    case .field(let field): [field]
    case .bits(let parts, _):
      parts.compactMap { part in
        if case .field(let field) = part.content { field } else { nil }
      }
    default: []
    }
  }
}

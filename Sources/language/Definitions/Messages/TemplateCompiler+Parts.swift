import DeviceModel
import Framing

extension TemplateCompiler {
  mutating func emit(_ nodes: [TemplateNode], in block: Int?) throws(TextError) {
    for node in nodes {
      try emit(node, in: block)
      guard position.lowerBound <= MessageTemplate.maximumSize else {
        throw TextError(.tooLongMessage(atLeast: position.lowerBound), node.range)
      }
    }
  }

  private mutating func emit(_ node: TemplateNode, in block: Int?) throws(TextError) {
    switch node.kind {
    case .literal(let bytes):
      let literal = program.literal(bytes, ignoringCase: form == .text(ignoringCase: true))
      append(literal, bytes.count...bytes.count)
    case .field(let field): try emit(field, at: node.range)
    case .bits(let parts, let isLittleEndian): emit(parts, isLittleEndian)
    case .protobuf(let name, let parts): try emitProtobuf(name, parts)
    case .checksum(let checksum, let from, let through):
      try checkCoverage(from, through, at: node.range)
      let check = program.checksum(TemplateProgram.Check(checksum, from: from, through: through))
      append(check, checksum.width...checksum.width)
    case .length(let length): try emit(length, at: node.range, in: block)
    case .pad(let size, let byte): try emitPad(to: size, with: byte, at: node.range)
    case .skip(let count): append(.skip(count), count...count)
    case .maybe(let body): try emitMaybe(body, at: node.range)
    case .conditional(let name, let body): try emitConditional(on: name, body, at: node.range)
    case .repeated(let name, let rows, let body): try emitRepeat(name, rows, body, at: node.range)
    }
  }

  @discardableResult
  mutating func append(_ instruction: TemplateProgram.Instruction, _ sizes: ClosedRange<Int>) -> Int {
    program.instructions.append(instruction)
    extents.append(sizes)
    position = position.adding(sizes)
    return extents.count - 1
  }

  private mutating func emit(_ field: TemplateNode.Field, at range: Range<Int>) throws(TextError) {
    if isInline { return emit(expression: field, at: range) }
    guard let encoding = field.encoding, let declaration = self[field.name] else {
      preconditionFailure("'\(field.name)' was declared")
    }
    let sizes = try reach(field.name, encoding.sizes)
    append(encoding.endsItself ? .varint(declaration.slot) : .field(declaration.slot), sizes)
  }

  private mutating func emit(expression field: TemplateNode.Field, at range: Range<Int>) {
    let slot = inlineSlot(field, at: range)
    if let encoding = field.encoding {
      append(encoding.endsItself ? .varint(slot) : .field(slot), encoding.sizes)
    } else {
      append(.written(slot, asText: form != .bytes), 0...MessageTemplate.maximumSize)
    }
  }

  mutating func inlineSlot(_ field: TemplateNode.Field, at range: Range<Int>) -> Int {
    let hole = MessageTemplate.Inline.Hole(
      text: field.name, offset: field.nameRange.lowerBound, range: range, encoding: field.encoding,
      type: field.type)
    holes.append(hole)
    program.add(Slot(field: holes.count - 1), field.encoding)
    return holes.count - 1
  }

  private mutating func emit(_ parts: [TemplateNode.Bits], _ isLittleEndian: Bool) {
    let parts = parts.map { part in
      switch part.content {
      case .fixed(let number): BitLayout.Part(count: part.count, content: .fixed(number))
      case .field(let field):
        BitLayout.Part(count: part.count, content: .slot(bitSlot(field)), names: field.encoding?.namedNumbers)
      }
    }
    let layout = BitLayout(parts: parts, order: isLittleEndian ? .littleEndian : .bigEndian)
    append(program.bits(layout), layout.width...layout.width)
  }

  private mutating func bitSlot(_ field: TemplateNode.Field) -> Int {
    guard !isInline else { return inlineSlot(field, at: field.nameRange) }
    guard let declaration = self[field.name] else { preconditionFailure("'\(field.name)' was declared") }
    self[field.name]?.isReached = true
    return declaration.slot
  }

  private func checkCoverage(_ from: Int, _ through: Int?, at range: Range<Int>) throws(TextError) {
    let most = isInRow ? MessageTemplate.maximumSize : position.upperBound
    guard from <= through ?? from, through ?? from < most else {
      throw TextError(.uncoveredBytes(bytesBefore: most), range)
    }
  }

  private mutating func emitPad(to size: Int, with byte: UInt8, at range: Range<Int>) throws(TextError) {
    guard !isInRow else {
      throw TextError(.padInRow, range)
    }
    if messageSize?.length.encoding.endsItself == true { throw TextError(.padAfterVarintSize, range) }
    guard position.lowerBound <= size else {
      throw TextError(.shortPad(to: size, bytesBefore: position.lowerBound), range)
    }
    append(.pad(to: size, with: byte), max(0, size - position.upperBound)...size - position.lowerBound)
    position = size...size
  }
}

extension TemplateCompiler {
  /// Whether the compiler is in a repeated part.
  var isInRow: Bool { scopes.count > 1 }

  /// The field with a name; in a repeated part, one of its columns.
  subscript(_ name: String) -> Declaration? {
    get { scopes[scopes.count - 1][name] }
    set { scopes[scopes.count - 1][name] = newValue }
  }

  /// Sets the size of the field or part with this name, and the length before it.
  mutating func reach(_ name: String, _ sizes: ClosedRange<Int>) throws(TextError) -> ClosedRange<Int> {
    var sizes = sizes
    if let (length, range) = self[name]?.size { sizes = try Self.bounded(sizes, by: length, at: range) }
    self[name]?.isReached = true
    self[name]?.sizes = sizes
    return sizes
  }

  /// The sizes that a length can hold.
  static func bounded(
    _ sizes: ClosedRange<Int>, by length: TemplateNode.Length, at range: Range<Int>
  ) throws(TextError) -> ClosedRange<Int> {
    let numbers = (length.encoding.range ?? 0...0).clamped(to: -1_000_000...1_000_000)
    let sayable = Int(numbers.lowerBound) - length.adding...Int(numbers.upperBound) - length.adding
    guard sizes.overlaps(sayable) else {
      throw TextError(
        .unsayableLength(
          sizes: sizes, added: length.adding, type: length.type, range: numbers), range)
    }
    return sizes.clamped(to: sayable)
  }
}

extension ClosedRange<Int> {
  /// The sum of two sizes in bytes, limited to the longest message.
  func adding(_ other: ClosedRange<Int>) -> ClosedRange<Int> {
    let least = lowerBound + other.lowerBound
    return least...Swift.max(least, Swift.min(MessageTemplate.maximumSize, upperBound + other.upperBound))
  }
}

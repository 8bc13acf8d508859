/// The beginning of a template: the known bits up to the first part whose size or presence varies.
struct TemplateOutline {
  /// A part that does not accept all bytes.
  struct Condition: Hashable {
    enum Part: Hashable {
      case encoding(FieldEncoding)
      case instruction(TemplateProgram.Instruction)
      /// A condition that cannot be compared with another.
      case special
    }

    var offset: Int
    var part: Part
  }

  private(set) var bytes: [KnownBits] = []
  private(set) var conditions: Set<Condition> = []
  /// The index of the first instruction after it.
  private(set) var end = 0

  init(_ program: TemplateProgram) {
    for instruction in program.instructions {
      guard append(instruction) else { break }
      end += 1
    }
  }

  /// Adds an instruction of fixed size; false for another.
  private mutating func append(_ instruction: TemplateProgram.Instruction) -> Bool {
    switch instruction {
    case .literal(let literal, let ignoringCase):
      bytes += literal.map { ignoringCase ? KnownBits.ignoringCase($0) : .exactly($0) }
    case .field(_, let encoding):
      guard let size = encoding.size else { return false }
      if !encoding.acceptsAllBytes { add(.encoding(encoding)) }
      skip(size)
    case .bits(let layout):
      if layout.hasNames { add(.instruction(instruction)) }
      bytes += layout.patterns
    case .checksum(let checksum, _, _):
      add(.instruction(instruction))
      skip(checksum.width)
    case .length(let length):
      add(length.measure == .message ? .instruction(instruction) : .special)
      skip(length.encoding.size ?? 0)
    case .pad(let size, let byte):
      guard bytes.count <= size else { return false }
      bytes += repeatElement(.exactly(byte), count: size - bytes.count)
    case .skip(let count): skip(count)
    case .written, .maybe, .conditional, .repeatBegin, .row, .rowEnd, .repeatDone: return false
    }
    return true
  }

  private mutating func skip(_ count: Int) { bytes += repeatElement(.any, count: count) }

  private mutating func add(_ part: Condition.Part) {
    conditions.insert(Condition(offset: bytes.count, part: part))
  }
}

extension FieldEncoding {
  /// Whether any bytes of the right number can be read.
  fileprivate var acceptsAllBytes: Bool {
    switch self {
    case .integer, .bytes, .bits, .float, .mac: true
    case .bcd, .text, .dec, .hex, .hexBytes, .medical, .macText, .named: false
    }
  }
}

extension BitLayout {
  /// The bits that are always the same.
  var patterns: [KnownBits] {
    var (mask, value): (UInt64, UInt64) = (0, 0)
    for (part, shift) in placed {
      guard case .fixed(let number) = part.content else { continue }
      mask |= part.mask << UInt64(shift)
      value |= number << UInt64(shift)
    }
    return zip(order.bytes(of: mask, width: width), order.bytes(of: value, width: width)).map { mask, value in
      KnownBits(mask: mask, value: value)
    }
  }
}

// MARK: Covering

extension MessageTemplate {
  /// Whether this template certainly accepts every frame that the other accepts; false if that is unknown.
  package func covers(_ other: MessageTemplate) -> Bool {
    if program == other.program { return true }
    if let frame = other.onlyFrame { return match(frame) != nil }
    let (mine, theirs) = (outline, other.outline)
    guard mine.bytes.count <= other.minimumSize, mine.covers(theirs) else { return false }
    let tail = program.instructions[mine.end...]
    guard let open = tail.first else { return size == other.size }
    guard tail.count == 1, case .field(_, let encoding) = open else { return false }
    return encoding.accepts(sizes: other.program.sizes.adding(-mine.bytes.count))
      && (encoding.valueType == .bytes || (isAllText && other.isAllText))
  }

  /// The only frame that it accepts; nil if there are more.
  private var onlyFrame: [UInt8]? {
    let outline = outline
    guard outline.end == program.instructions.count, outline.conditions.isEmpty,
      outline.bytes.allSatisfy({ $0.mask == 0xFF })
    else { return nil }
    return outline.bytes.map(\.value)
  }

  /// Whether all its frames are UTF-8.
  private var isAllText: Bool {
    guard form != .bytes else { return false }
    return program.instructions.allSatisfy { instruction in
      switch instruction {
      case .literal: true
      case .field(_, let encoding): encoding.isText
      case .length(let length): length.encoding.isText
      case .maybe, .conditional, .repeatBegin, .row, .rowEnd, .repeatDone: true
      case .written, .bits, .checksum, .pad, .skip: false
      }
    }
  }
}

extension TemplateOutline {
  fileprivate func covers(_ other: TemplateOutline) -> Bool {
    let known = other.bytes + repeatElement(.any, count: max(0, bytes.count - other.bytes.count))
    return zip(bytes, known).allSatisfy { $0.covers($1) } && conditions.isSubset(of: other.conditions)
      && !conditions.contains { $0.part == .special }
  }
}

extension FieldEncoding {
  /// Whether it reads bytes or text of all these sizes.
  fileprivate func accepts(sizes: ClosedRange<Int>) -> Bool {
    switch self {
    case .bytes(let counts, _), .text(let counts, _):
      counts.lowerBound <= sizes.lowerBound && sizes.upperBound <= counts.upperBound
    default: false
    }
  }

  fileprivate var isText: Bool {
    switch self {
    case .text, .dec, .hex, .hexBytes, .macText: true
    case .integer, .bcd, .bits, .bytes, .float, .medical, .mac, .named: false
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func adding(_ number: Int) -> ClosedRange<Int> { lowerBound + number...upperBound + number }
}

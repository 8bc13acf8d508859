/// The beginning of a template: the known bits up to the first part whose size or presence varies.
struct TemplateOutline {
  /// A part that does not accept all bytes.
  struct Condition: Hashable {
    enum Part: Hashable {
      case encoding(FieldEncoding)
      case layout(BitLayout)
      case check(TemplateProgram.Check)
      case length(TemplateProgram.Length)
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
      guard append(instruction, of: program) else { break }
      end += 1
    }
  }

  /// Adds an instruction of fixed size; false for another.
  private mutating func append(
    _ instruction: TemplateProgram.Instruction, of program: TemplateProgram
  ) -> Bool {
    guard let size = program.size(of: instruction, at: bytes.count) else { return false }
    switch instruction {
    case .literal(let literal, let ignoringCase):
      bytes += program.known(literal, ignoringCase: ignoringCase)
      return true
    case .bits(let index):
      let layout = program.layouts[index]
      if layout.hasNames { add(.layout(layout)) }
      bytes += layout.patterns
      return true
    case .pad(_, let byte):
      bytes += repeatElement(.exactly(byte), count: size)
      return true
    case .field(let slot):
      if let encoding = program.encodings[slot], !encoding.acceptsAllBytes { add(.encoding(encoding)) }
    case .checksum(let check): add(.check(program.checks[check]))
    case .length(let index):
      let length = program.lengths[index]
      add(length.measure == .message ? .length(length) : .special)
    default: break
    }
    bytes += repeatElement(.any, count: size)
    return true
  }

  private mutating func add(_ part: Condition.Part) {
    conditions.insert(Condition(offset: bytes.count, part: part))
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
    guard tail.count == 1, case .field(let slot) = open, let encoding = program.encodings[slot] else {
      return false
    }
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
      case .field(let slot): program.encodings[slot]?.isText ?? false
      case .length(let length): program.lengths[length].encoding.isText
      case .maybe, .conditional, .repeatBegin, .row, .rowEnd, .repeatDone: true
      case .varint, .protobuf, .written, .bits, .checksum, .pad, .skip: false
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
    case .integer, .varint, .boolean, .bcd, .bits, .bytes, .float, .medical, .mac, .named: false
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func adding(_ number: Int) -> ClosedRange<Int> { lowerBound + number...upperBound + number }
}

/// The end of a template: its parts after the last one whose size or presence varies.
struct TemplateEnding {
  /// A part with the number of bytes from its beginning to the end of the message.
  struct Part {
    var distance: Int
    var size: Int
    var instruction: TemplateProgram.Instruction
  }

  /// The known bits of the last bytes.
  private(set) var bytes: [KnownBits] = []
  /// From the last part back.
  private(set) var parts: [Part] = []

  init(_ program: TemplateProgram) {
    for instruction in program.instructions[program.lastBlockEnd...].reversed() {
      guard let bits = program.knownBits(of: instruction) else { break }
      bytes = bits + bytes
      parts.append(Part(distance: bytes.count, size: bits.count, instruction: instruction))
    }
  }
}

extension TemplateProgram {
  /// The index of the first instruction after the last part that may be absent or repeated.
  fileprivate var lastBlockEnd: Int {
    var end = 0
    for (index, instruction) in instructions.enumerated() {
      switch instruction {
      case .maybe(_, let otherwise), .conditional(_, let otherwise): end = max(end, otherwise)
      case .row, .rowEnd, .repeatBegin, .repeatDone: end = max(end, index + 1)
      default: break
      }
    }
    return end
  }

  /// The instructions that every message has once, by index.
  var unconditional: [Int] {
    var indices: [Int] = []
    var index = 0
    while index < instructions.count {
      switch instructions[index] {
      case .maybe(_, let otherwise), .conditional(_, let otherwise): index = otherwise
      case .repeatBegin(let slot):
        index += 1
        while index < instructions.count, instructions[index] != .repeatDone(slot) { index += 1 }
      default:
        indices.append(index)
        index += 1
      }
    }
    return indices
  }
}

extension TemplateProgram {
  /// The known bits of a part that always has the same size; nil for another.
  fileprivate func knownBits(of instruction: Instruction) -> [KnownBits]? {
    switch instruction {
    case .literal(let bytes, let ignoringCase): return known(bytes, ignoringCase: ignoringCase)
    case .bits(let layout): return layouts[layout].patterns
    case .pad: return nil
    default: return size(of: instruction, at: 0).map { Array(repeating: .any, count: $0) }
    }
  }

  /// The known bits of a literal.
  func known(_ bytes: Range<Int>, ignoringCase: Bool) -> [KnownBits] {
    literals[bytes].map { ignoringCase ? .ignoringCase($0) : .exactly($0) }
  }
}

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
      guard let bits = instruction.knownBits else { break }
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

extension TemplateProgram.Instruction {
  /// The known bits of a part that always has the same size; nil for another.
  fileprivate var knownBits: [KnownBits]? {
    switch self {
    case .literal(let bytes, let ignoringCase):
      bytes.map { ignoringCase ? KnownBits.ignoringCase($0) : .exactly($0) }
    case .field(_, let encoding): encoding.size.map(Self.unknown)
    case .bits(let layout): layout.patterns
    case .checksum(let checksum, _, _): Self.unknown(checksum.width)
    case .length(let length): length.encoding.size.map(Self.unknown)
    case .skip(let count): Self.unknown(count)
    case .pad, .written, .maybe, .conditional, .repeatBegin, .row, .rowEnd, .repeatDone: nil
    }
  }

  private static func unknown(_ count: Int) -> [KnownBits] { Array(repeating: .any, count: count) }
}

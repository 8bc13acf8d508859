import Framing

/// Compares what is known of a template with the frames of a stream.
///
/// It finds a mismatch only where no frame can be the message, apart from a coincidence of a checksum with other bytes.
struct FrameComparison {
  /// A part at a fixed index.
  struct Part {
    var offset: Int
    var size: Int
    var instruction: TemplateProgram.Instruction
  }

  let program: TemplateProgram
  let fieldNames: [String]
  let sizes: ClosedRange<Int>
  /// The longest frame.
  let limit: Int
  /// The known bits of the first bytes, and of the last.
  private(set) var front: [KnownBits]
  private(set) var back: [KnownBits]
  private(set) var frontParts: [Part] = []
  private(set) var backParts: [TemplateEnding.Part]

  init(_ message: MessageTemplate, limit: Int) {
    (program, sizes, self.limit) = (message.program, message.program.sizes, limit)
    fieldNames = message.fields.map(\.name)
    let (outline, ending) = (message.outline, TemplateEnding(message.program))
    (front, back, backParts) = (outline.bytes, ending.bytes, ending.parts)
    var offset = 0
    for instruction in program.instructions[..<outline.end] {
      let size = program.size(of: instruction, at: offset) ?? 0
      frontParts.append(Part(offset: offset, size: size, instruction: instruction))
      offset += size
    }
    guard let size else { return }
    if outline.end == program.instructions.count {
      backParts = frontParts.reversed().map { part in
        TemplateEnding.Part(distance: size - part.offset, size: part.size, instruction: part.instruction)
      }
    }
    completeBits(of: size)
  }

  /// The size of every message, if it is always the same.
  var size: Int? { sizes.count == 1 ? sizes.lowerBound : nil }

  /// Adds what is known of a message that always has the same size: its bytes count from both ends.
  private mutating func completeBits(of size: Int) {
    guard front.count <= size, back.count <= size else { return }
    var bits = front + repeatElement(.any, count: size - front.count)
    for (index, known) in zip(size - back.count..<size, back) where bits[index].mask == 0 {
      bits[index] = known
    }
    for part in backParts {
      guard let length = length(of: part.instruction), length.measure == .message else { continue }
      var bytes: [UInt8] = []
      try? length.encoding.encode(.integer(Int64(size + length.adding)), into: &bytes)
      for (index, byte) in zip((size - part.distance)..., bytes) where index < size {
        bits[index] = .exactly(byte)
      }
    }
    (front, back) = (bits, bits)
  }

  /// The bytes of a message that always has the same ones.
  var onlyBytes: [UInt8]? {
    guard let size, front.count == size, front.allSatisfy({ $0.mask == 0xFF }) else { return nil }
    return front.map(\.value)
  }

  var hasChecksum: Bool { !program.checks.isEmpty }

  /// What a part gives the length of; nil: it is no length.
  func length(of instruction: TemplateProgram.Instruction?) -> TemplateProgram.Length? {
    if case .length(let length)? = instruction { program.lengths[length] } else { nil }
  }

  func sizeMismatch(with possible: ClosedRange<Int>) -> FrameMismatch? {
    if sizes.lowerBound > possible.upperBound {
      return .tooLong(least: sizes.lowerBound, limit: possible.upperBound)
    }
    if sizes.upperBound < possible.lowerBound {
      return .tooShort(most: sizes.upperBound, least: possible.lowerBound)
    }
    return nil
  }
}

// MARK: Delimiters

extension FrameComparison {
  /// A frame cannot contain its delimiter.
  func mismatch(with delimiter: Delimiter) -> FrameMismatch? {
    let bytes = delimiter.bytes
    let end = bytes.map { KnownBits.exactly($0) }
    if let index = (back + end).firstCertain(bytes), index < back.count {
      return .delimiter(bytes, at: index == back.count - bytes.count ? nil : size.map { _ in index })
    }
    if let index = front.firstCertain(bytes) { return .delimiter(bytes, at: index) }
    for index in program.unconditional {
      guard case .literal(let literal, ignoringCase: false) = program.instructions[index],
        program.known(literal, ignoringCase: false).firstCertain(bytes) != nil
      else { continue }
      return .delimiter(bytes, at: nil)
    }
    return sizeMismatch(with: 0...limit - bytes.count)
  }
}

extension [KnownBits] {
  /// The first index at which these bytes certainly occur.
  func firstCertain(_ pattern: [UInt8], from start: Int = 0) -> Int? {
    guard pattern.count <= count, start <= count - pattern.count else { return nil }
    return (start...count - pattern.count).first { index in
      pattern.indices.allSatisfy { self[index + $0] == .exactly(pattern[$0]) }
    }
  }

  /// Whether the bytes from this index on may be these.
  func mayHave(_ pattern: [UInt8], at index: Int) -> Bool {
    pattern.indices.allSatisfy { offset in
      guard indices.contains(index + offset) else { return true }
      let known = self[index + offset]
      return pattern[offset] & known.mask == known.value
    }
  }

  /// Whether the first bytes may be these, as far as a mask says; an empty one: all bits.
  func mayHave(_ pattern: [UInt8], _ mask: [UInt8]) -> Bool {
    guard !mask.isEmpty else { return mayHave(pattern, at: 0) }
    return zip(self, pattern.indices).allSatisfy { known, index in
      pattern[index] & known.mask == known.value & mask[index]
    }
  }

  /// The bytes from an index on that are known as a whole.
  func constants(from start: Int, atMost count: Int) -> [UInt8] {
    guard start >= 0, start < self.count else { return [] }
    return self[start...].prefix(count).prefix { $0.mask == 0xFF }.map(\.value)
  }
}

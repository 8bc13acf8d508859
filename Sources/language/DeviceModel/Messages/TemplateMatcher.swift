import Framing

/// Matches a frame against a message and finds its fields.
///
/// If the length of a part is unknown, it tries the possible lengths and goes back if the following parts do not
/// match. It gives up after more steps than any sensible message needs, so that no frame takes long.
///
/// One that is used again keeps its memory.
package struct TemplateMatcher: Sendable {
  /// The most steps; a step handles an instruction or 16 bytes.
  static let budget = 65_536

  /// The known facts about a slot, for later parts.
  struct Register {
    enum Fact { case size, count }

    private var size: Int?
    private var count: Int?
    var number: Int64 = 0

    /// Key paths would do, but take 500 instructions.
    subscript(fact: Fact) -> Int? {
      get { fact == .size ? size : count }
      set { if fact == .size { size = newValue } else { count = newValue } }
    }
  }

  /// The state of matching.
  struct State {
    var index = 0
    var position = 0
    /// Empty, if the message needs none.
    var registers: [Register] = []
    var groups = OpenGroups()
  }

  /// A point at which another possibility remains.
  struct Choice {
    var state: State
    var captureCount: Int
    /// The least number of bytes to try next, for a field.
    var least: Int?
  }

  /// What has been found, in the order of the frame.
  enum Capture {
    /// The bytes of a slot.
    case field(Int, Range<Int>)
    /// The bits of a slot.
    case number(Int, Int64)
    case group(Int)
    case row(Int)
    case checksum(Range<Int>)
  }

  var state = State()
  var captures: [Capture] = []
  var choices: [Choice] = []
  var least: Int?
  /// How many steps the last frame has taken.
  package internal(set) var steps = 0

  package init() {}

  /// Whether a frame is a message.
  mutating func matches(_ frame: Span<UInt8>, _ message: MessageTemplate) -> Bool {
    begin(message)
    guard message.program.sizes.contains(frame.count) else { return false }
    while steps <= Self.budget {
      if state.index == message.program.instructions.count {
        if state.position == frame.count { return true }
      } else if perform(message.program.instructions[state.index], of: message, on: frame) {
        continue
      }
      guard let choice = choices.popLast() else { return false }
      state = choice.state
      least = choice.least
      captures.removeLast(captures.count - choice.captureCount)
    }
    return false
  }

  private mutating func begin(_ message: MessageTemplate) {
    (state.index, state.position, steps, least) = (0, 0, 0, nil)
    state.groups = OpenGroups()
    if message.program.registerCount > 0 || !state.registers.isEmpty {
      state.registers = Array(repeating: Register(), count: message.program.registerCount)
    }
    captures.removeLast(captures.count)
    choices.removeLast(choices.count)
  }

  /// Performs one instruction; false if the frame does not match it.
  private mutating func perform(
    _ instruction: TemplateProgram.Instruction, of message: MessageTemplate, on frame: Span<UInt8>
  ) -> Bool {
    steps += 1
    state.index += 1
    switch instruction {
    case .literal(let bytes, let ignoringCase):
      return take(bytes, of: message.program.literals, ignoringCase: ignoringCase, from: frame)
    case .field(let slot): return takeField(slot, of: message, from: frame)
    case .varint(let slot): return takeVarint(slot, of: message, from: frame)
    case .written: return false
    case .bits(let layout): return takeBits(layout, of: message, from: frame)
    case .protobuf(let index, let slot): return takeProtobuf(index, slot, of: message, from: frame)
    case .checksum(let check): return takeChecksum(check, of: message.program.checks, from: frame)
    case .length(let length): return takeLength(length, of: message, from: frame)
    case .pad(let size, let byte): return pad(to: size, with: byte, from: frame)
    case .skip(let count): return take(count, from: frame) != nil
    case .maybe(_, let otherwise): chooseOptional(otherwise, of: message, frame)
    case .conditional(let slot, let otherwise):
      if number(of: slot, message) == 0 { state.index = otherwise }
    case .repeatBegin, .row, .rowEnd, .repeatDone: return takeRepeated(instruction, of: message, frame)
    }
    return true
  }
}

// MARK: Parts

extension TemplateMatcher {
  /// Where the next bytes are; nil: there are not so many.
  mutating func take(_ count: Int, from frame: Span<UInt8>) -> Range<Int>? {
    guard count <= frame.count - state.position else { return nil }
    steps += count / 16
    state.position += count
    return state.position - count..<state.position
  }

  private mutating func take(
    _ literal: Range<Int>, of literals: [UInt8], ignoringCase: Bool, from frame: Span<UInt8>
  ) -> Bool {
    guard let place = take(literal.count, from: frame) else { return false }
    let (bytes, literal) = (frame.extracting(place), literals.span.extracting(literal))
    guard ignoringCase else { return bytes.has(literal, at: 0) }
    for index in literal.indices where literal[index].uppercased != bytes[index].uppercased { return false }
    return true
  }

  private mutating func takeBits(_ layout: Int, of message: MessageTemplate, from frame: Span<UInt8>) -> Bool
  {
    let layout = message.program.layouts[layout]
    guard let place = take(layout.width, from: frame) else { return false }
    let bytes = frame.extracting(place)
    // Most layouts fit one number.
    let bits = layout.width <= 8 ? layout.order.number(in: bytes) : 0
    for part in layout.parts {
      let number = layout.width <= 8 ? bits >> part.shift & part.mask : layout.number(of: part, in: bytes)
      switch part.content {
      case .fixed(let fixed): if number != fixed { return false }
      case .slot(let slot):
        let number = Int64(bitPattern: number)
        if let names = part.names, names.name(of: number) == nil { return false }
        captures.append(.number(slot, number))
        remember(number, of: slot, message)
      }
    }
    return true
  }

  private mutating func takeChecksum(
    _ check: Int, of checks: [TemplateProgram.Check], from frame: Span<UInt8>
  ) -> Bool {
    let checksum = checks[check].checksum
    guard let coverage = checks[check].coverage(after: state.position),
      let place = take(checksum.width, from: frame)
    else { return false }
    steps += coverage.count / 16 + checksum.weight * (1 + coverage.count / 16)
    captures.append(.checksum(place))
    return checksum.isValid(frame.extracting(place), over: frame.extracting(coverage))
  }

  private mutating func pad(to size: Int, with byte: UInt8, from frame: Span<UInt8>) -> Bool {
    guard state.position <= size, let place = take(size - state.position, from: frame) else { return false }
    return place.allSatisfy { frame[$0] == byte }
  }
}

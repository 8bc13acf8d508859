import Framing

/// Fields, and the lengths that give their sizes.
extension TemplateMatcher {
  /// Tries a field with the first possible size, and notes the other sizes for later.
  mutating func takeField(_ slot: Int, of message: MessageTemplate, from frame: Span<UInt8>) -> Bool {
    let tried = least ?? 0
    least = nil
    guard let possible = possibleSizes(slot, message.program.slots[slot].sizes, message, frame),
      tried <= possible.upperBound
    else { return false }
    let most = possible.upperBound
    guard let size = border(max(tried, possible.lowerBound), most, message, frame) else { return false }
    if size < most { addChoice(goingOnAt: state.index - 1, least: size + 1) }
    guard let place = take(size, from: frame) else { return false }
    captures.append(.field(slot, place))
    guard message.program.slots[slot].register == nil else {
      guard let value = message.program.encodings[slot]?.decode(frame.extracting(place)) else { return false }
      if case .integer(let number) = value { remember(number, of: slot, message) }
      return agree(on: size, .size, of: slot, message)
    }
    if message.program.slots[slot].acceptsAllBytes { return true }
    return message.program.encodings[slot]?.accepts(frame.extracting(place)) ?? false
  }

  /// Takes a field whose bytes say where it ends.
  mutating func takeVarint(_ slot: Int, of message: MessageTemplate, from frame: Span<UInt8>) -> Bool {
    guard let (_, size) = Varint.read(frame, at: state.position), let place = take(size, from: frame),
      case let bytes = frame.extracting(place),
      case let value? = message.program.encodings[slot]?.decode(bytes)
    else { return false }
    captures.append(.field(slot, place))
    if case .integer(let number) = value { remember(number, of: slot, message) }
    return agree(on: size, .size, of: slot, message)
  }

  /// The possible sizes of a field here, by its registers and the parts that must follow.
  func possibleSizes(
    _ slot: Int?, _ sizes: ClosedRange<Int>, _ message: MessageTemplate, _ frame: Span<UInt8>
  ) -> ClosedRange<Int>? {
    let remaining = frame.count - state.position
    if let slot, let size = known(.size, of: slot, message) {
      return sizes.contains(size) && size <= remaining ? size...size : nil
    }
    let rest = message.program.rest[state.index]
    let least = max(sizes.lowerBound, remaining - rest.upperBound)
    let most = min(sizes.upperBound, remaining - rest.lowerBound)
    return least <= most ? least...most : nil
  }

  /// The first of these sizes after which the next literal matches, if one must follow.
  mutating func border(
    _ least: Int, _ most: Int, _ message: MessageTemplate, _ frame: Span<UInt8>
  ) -> Int? {
    guard least < most, state.index < message.program.instructions.count,
      case .literal(let bytes, ignoringCase: false) = message.program.instructions[state.index]
    else { return least }
    let places = state.position + least...state.position + most
    let place = frame.first(bytes, of: message.program.literals, in: places)
    let size = place.map { $0 - state.position }
    steps += ((size ?? most + 1) - least) * bytes.count / 16
    return size
  }
}

extension Span<UInt8> {
  /// The first of these places with a literal of a program.
  fileprivate func first(
    _ literal: Range<Int>, of literals: [UInt8], in places: ClosedRange<Int>
  ) -> Int? {
    let pattern = literals.span.extracting(literal)
    for place in places where has(pattern, at: place) { return place }
    return nil
  }
}

extension TemplateMatcher {
  mutating func takeLength(_ length: Int, of message: MessageTemplate, from frame: Span<UInt8>) -> Bool {
    let length = message.program.lengths[length]
    let size = length.encoding.size ?? Varint.read(frame, at: state.position)?.size
    guard let size, let place = take(size, from: frame),
      case .integer(let number)? = length.encoding.decode(frame.extracting(place)),
      let measured = Int(exactly: number).map({ $0.subtractingReportingOverflow(length.adding) }),
      !measured.overflow, measured.partialValue >= 0
    else { return false }
    switch length.measure {
    case .message: return measured.partialValue == frame.count
    case .size(let slot): return agree(on: measured.partialValue, .size, of: slot, message)
    case .count(let slot): return agree(on: measured.partialValue, .count, of: slot, message)
    }
  }

  /// Stores a value in a slot's register; false if the register holds another value.
  mutating func agree(
    on number: Int, _ fact: Register.Fact, of slot: Int, _ message: MessageTemplate
  ) -> Bool {
    guard let register = message.program.slots[slot].register else { return true }
    if let known = state.registers[register][fact] { return known == number }
    state.registers[register][fact] = number
    return true
  }

  func known(_ fact: Register.Fact, of slot: Int, _ message: MessageTemplate) -> Int? {
    message.program.slots[slot].register.flatMap { state.registers[$0][fact] }
  }

  /// Stores the number of a slot, if a later part depends on it.
  mutating func remember(_ number: Int64, of slot: Int, _ message: MessageTemplate) {
    if let register = message.program.slots[slot].register { state.registers[register].number = number }
  }

  func number(of slot: Int, _ message: MessageTemplate) -> Int64 {
    message.program.slots[slot].register.map { state.registers[$0].number } ?? 0
  }
}

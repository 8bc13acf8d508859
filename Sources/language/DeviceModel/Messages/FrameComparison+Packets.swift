import Framing

/// Packets: start, length, size, tail.
extension FrameComparison {
  func mismatch(with format: PacketFormat) -> FrameMismatch? {
    startMismatch(format) ?? sizeMismatch(with: format) ?? lengthMismatch(with: format)
      ?? tailMismatch(with: format) ?? checkMismatch(with: format)
  }

  /// The mismatch with encoded packets, whose size and length field the encoding determines.
  func mismatch(withDecoded format: PacketFormat) -> FrameMismatch? {
    let format = PacketFormat(
      start: format.start, startMask: format.startMask,
      extent: .lengthField(LengthField(at: 0, counts: .frame)), check: format.check,
      tail: format.tail)
    return startMismatch(format) ?? tailMismatch(with: format) ?? checkMismatch(with: format)
  }

  /// The mismatch with the alternative that the message fits best; nil if it fits one.
  func mismatch(with formats: [PacketFormat]) -> FrameMismatch? {
    var best: FrameMismatch?
    for format in formats {
      guard let mismatch = mismatch(with: format) else { return nil }
      if best.map({ $0.progress < mismatch.progress }) ?? true { best = mismatch }
    }
    guard case .start(_, let found)? = best else { return best }
    return .start(expected: formats.map { MaskedBytes($0.start, $0.startMask) }, found: found)
  }

  private func startMismatch(_ format: PacketFormat) -> FrameMismatch? {
    let (start, mask) = (format.start, format.startMask)
    guard !front.mayHave(start, mask) else { return nil }
    return .start(
      expected: [MaskedBytes(start, mask)], found: front.constants(from: 0, atMost: max(1, start.count)))
  }

  private func sizeMismatch(with format: PacketFormat) -> FrameMismatch? {
    let least = format.minimumLength
    let possible: ClosedRange<Int>
    if case .fixed(let size) = format.extent {
      possible = size...size
    } else {
      possible = least...max(least, limit)
    }
    guard !sizes.overlaps(possible) else { return nil }
    if let size, let check = format.check, !hasChecksum, possible.contains(size + check.checksum.width) {
      return .missingCheck(check, isBeforeTail: !format.tail.isEmpty)
    }
    if possible.count == 1 { return .size(expected: possible.lowerBound, found: sizes) }
    return sizeMismatch(with: possible)
  }

  private func tailMismatch(with format: PacketFormat) -> FrameMismatch? {
    let (tail, start) = (format.tail, back.count - format.tail.count)
    if !back.mayHave(tail, at: start) {
      let found = back.constants(from: start, atMost: tail.count)
      if let check = format.check, endsWithChecksum { return .misplacedCheck(check, isBeforeTail: true) }
      return .tail(expected: tail, found: found.count == tail.count ? found : [])
    }
    if !tail.isEmpty, endsWithChecksum {
      return format.check.map { .misplacedCheck($0, isBeforeTail: true) } ?? .tail(expected: tail, found: [])
    }
    guard format.extent == .untilTail else { return nil }
    let earliest = max(0, format.minimumLength - tail.count)
    guard let index = front.firstCertain(tail, from: earliest), index + tail.count < sizes.lowerBound else {
      return nil
    }
    return .earlyTail(tail, at: index)
  }

  private var endsWithChecksum: Bool {
    if case .checksum? = backParts.first?.instruction { true } else { false }
  }
}

/// The length field.
extension FrameComparison {
  private func lengthMismatch(with format: PacketFormat) -> FrameMismatch? {
    guard case .lengthField(let field) = format.extent else { return nil }
    let mismatch = constantMismatch(field, format) ?? computedMismatch(field, format)
    guard mismatch != nil, let size, let check = format.check, !hasChecksum else { return mismatch }
    // With the checksum, the length would be right.
    let whole = field.bytes(for: size + check.checksum.width, in: format)
    guard let whole, front.mayHave(whole, at: field.offset),
      front[field.range(in: front)].contains(where: \.isKnown)
    else { return mismatch }
    return .missingCheck(check, isBeforeTail: !format.tail.isEmpty)
  }

  private func constantMismatch(_ field: LengthField, _ format: PacketFormat) -> FrameMismatch? {
    let found = front.constants(from: field.offset, atMost: field.width)
    let meaning = found.count == field.width ? field.size(for: found, in: format) : nil
    guard let size else {
      guard let meaning, !sizes.contains(meaning) else { return nil }
      return .length(field, found: found, meaning: meaning, sizes: sizes, expected: nil)
    }
    guard let expected = field.bytes(for: size, in: format) else {
      return .unsayableLength(field, size: size)
    }
    if front.mayHave(expected, at: field.offset) { return nil }
    return computedMismatch(field, format, of: .message)
      ?? .length(field, found: found, meaning: meaning ?? size, sizes: sizes, expected: expected)
  }

  /// A `{size}` of a message whose size varies, or of a field.
  private func computedMismatch(_ field: LengthField, _ format: PacketFormat) -> FrameMismatch? {
    guard let length = length(of: part(at: field.offset)?.instruction) else { return nil }
    if size != nil, length.measure == .message { return nil }  // its bytes are known
    return computedMismatch(field, format, of: length.measure)
  }

  private func part(at offset: Int) -> Part? { frontParts.first { $0.offset == offset && $0.size > 0 } }

  /// A `{size}` in place of the field.
  private func computedMismatch(
    _ field: LengthField, _ format: PacketFormat, of measure: TemplateProgram.Length.Measure
  ) -> FrameMismatch? {
    guard let length = length(of: part(at: field.offset)?.instruction), length.measure == measure,
      case .integer(let width, _, let bigEndian) = length.encoding, width == field.width,
      let constant = constantBytes(besides: measure)
    else { return nil }
    if width > 1, bigEndian != (field.byteOrder == .bigEndian) { return .lengthOrder(field) }
    let expected = constant - format.size(for: 0, in: field)
    if length.adding == expected { return nil }
    return .addition(field, of: name(of: measure), found: length.adding, expected: expected)
  }

  private func name(of measure: TemplateProgram.Length.Measure) -> String? {
    if case .size(let slot) = measure { fieldNames[program.slots[slot].field] } else { nil }
  }

  /// The number of bytes that a `{size}` does not measure; nil if it varies.
  private func constantBytes(besides measure: TemplateProgram.Length.Measure) -> Int? {
    switch measure {
    case .message: return 0
    case .count: return nil
    case .size(let slot): return constantBytes(besides: slot)
    }
  }

  private func constantBytes(besides slot: Int) -> Int? {
    let instructions = program.instructions
    guard let start = instructions.firstIndex(where: { $0.begins(slot) }), frontParts.count >= start else {
      return nil
    }
    let end = instructions[start...].firstIndex(of: .repeatDone(slot)) ?? start
    let after = program.rest[end + 1]
    guard after.count == 1 else { return nil }
    return program.rest[0].lowerBound - program.rest[start].lowerBound + after.lowerBound
  }
}

extension TemplateProgram.Instruction {
  fileprivate func begins(_ slot: Int) -> Bool {
    switch self {
    case .field(slot), .varint(slot), .protobuf(_, slot), .repeatBegin(slot): true
    default: false
    }
  }
}

extension KnownBits {
  fileprivate var isKnown: Bool { mask != 0 }
}

extension LengthField {
  /// Its bytes in a frame of this size; nil if it has no such number.
  fileprivate func bytes(for size: Int, in format: PacketFormat) -> [UInt8]? {
    let number = size - format.size(for: 0, in: self)
    guard (0..<(1 << (8 * width))).contains(number) else { return nil }
    return byteOrder.bytes(of: UInt64(number), width: width)
  }

  /// The size of a frame with these bytes in the field.
  fileprivate func size(for bytes: [UInt8], in format: PacketFormat) -> Int {
    let ordered = byteOrder == .bigEndian ? bytes : bytes.reversed()
    return format.size(for: ordered.reduce(0) { $0 << 8 | Int($1) }, in: self)
  }

  fileprivate func range(in bits: [KnownBits]) -> Range<Int> {
    min(offset, bits.count)..<min(offset + width, bits.count)
  }
}

extension PacketFormat {
  fileprivate func size(for number: Int, in field: LengthField) -> Int { frameLength(for: number, in: field) }
}

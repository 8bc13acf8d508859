import DeviceModel

extension HoleReader {
  /// `bits(stable: 1, unit: 2, 0: 5)`: the numbers from the most significant bit down.
  func bits() throws(TextError) -> TemplateNode.Kind {
    let word = hole.name.prefix { $0 != "(" }
    guard hole.name.hasSuffix(")"), word.count < hole.name.count else { throw mistake(.wrongBits) }
    var parts: [TemplateNode.Bits] = []
    for (text, start) in Self.parts(of: hole.name.dropFirst(word.count + 1).dropLast()) {
      parts.append(try bit(text, at: hole.nameStart + word.count + 1 + start))
    }
    let count = parts.reduce(0) { $0 + $1.count }
    guard count % 8 == 0 else { throw mistake(.unevenBits(count)) }
    guard count <= BitLayout.mostBits else { throw mistake(.tooManyBits(count)) }
    return .bits(parts, isLittleEndian: word.trimmed == "bitsle")
  }

  /// The parts between commas outside parentheses, with their offsets in scalars.
  static func parts(of text: Substring) -> [(String, Int)] {
    let scalars = Array(text.unicodeScalars)
    var cuts = [-1]
    var depth = 0
    for (index, scalar) in scalars.enumerated() {
      if scalar == "(" { depth += 1 }
      if scalar == ")" { depth -= 1 }
      if scalar == ",", depth == 0 { cuts.append(index) }
    }
    return zip(cuts, cuts.dropFirst() + [scalars.count]).map { before, end in
      (String(scalars: scalars[before + 1..<end]), before + 1)
    }
  }

  /// `stable: 1`; a number in place of the name is the value itself.
  private func bit(_ text: String, at start: Int) throws(TextError) -> TemplateNode.Bits {
    let scalars = Array(text.unicodeScalars)
    guard let colon = TemplateText.lastColon(in: scalars[...]),
      let count = TemplateNumber.parse(String(scalars: scalars[(colon + 1)...]).trimmed), count > 0
    else { throw mistake(.wrongBits) }
    guard count <= BitLayout.mostBitsOfPart else { throw mistake(.tooManyBitsOfField(count)) }
    let name = String(scalars: scalars[..<colon]).trimmed
    let nameStart = start + scalars.prefix { $0 == " " }.count
    let range = nameStart..<nameStart + max(1, name.unicodeScalars.count)
    if let field = try named(name, at: nameStart, bits: count) {
      return TemplateNode.Bits(count: count, content: .field(field))
    }
    guard let number = IntegerText.parse(name) else {
      return TemplateNode.Bits(
        count: count, content: .field(try field(name, at: range, .bits(count), "bits")))
    }
    guard let value = UInt64(exactly: number), value <= .max >> (64 - UInt64(count)) else {
      throw TextError(.overflowingBits(number, bits: count), range)
    }
    return TemplateNode.Bits(count: count, content: .fixed(value))
  }

  /// `mode(auto: 0, manual: 1)`; nil if the numbers have no names.
  private func named(_ text: String, at start: Int, bits count: Int) throws(TextError) -> TemplateNode.Field?
  {
    let name = text.prefix { $0 != "(" }
    let rest = text.dropFirst(name.count)
    guard rest.contains(":"), rest.hasSuffix(")") else { return nil }
    let encoding = FieldEncoding.bits(count)
    let inside = start + name.unicodeScalars.count + 1
    guard
      let names = try NamedNumberReader.read(
        rest.dropFirst().dropLast(), start: inside, in: encoding.range ?? 0...0, of: "\(count) bits")
    else { return nil }
    let range = start..<start + max(1, name.trimmed.unicodeScalars.count)
    return try field(name.trimmed, at: range, .named(names, encoding), "bits")
  }
}

extension MessageTemplate {
  /// A fixed value for each field, from which a message can be built.
  package func sampleValues() -> [Value?] {
    let sizes = [3, 1, 2, 0] + (2...12).map { 1 << $0 }
    let samples = sizes.lazy.map { [fields] size in
      fields.enumerated().map { $1.sample(ordinal: $0 + 1, size: size) }
    }
    let fitting = samples.first { values in
      guard let frame = try? build(values) else { return false }
      return match(frame) != nil
    }
    return fitting ?? samples[0]
  }

  /// A random value for each field within its limits; nil for fields of an omitted optional part.
  package func randomValues(using random: inout some RandomNumberGenerator) -> [Value?] {
    var values: [Value?] = fields.map { $0.random(using: &random) }
    for case .maybe(let slots, _) in program.instructions {
      guard let first = slots.first else { continue }
      let columns = program.filled(slots).map {
        program.slots[$0].group == nil ? program.slots[$0].field : program.slots[$0].column
      }
      values = Self.without(columns, in: program.way(to: first)[...], values, using: &random)
    }
    return values
  }

  /// The values without random ones of those at some indices, in each row at the end of the path, which has the indices of
  /// the groups from the outermost on.
  private static func without(
    _ indices: [Int], in way: ArraySlice<Int>, _ values: [Value?],
    using random: inout some RandomNumberGenerator
  ) -> [Value?] {
    var values = values
    if let group = way.first {
      guard case .group(let rows) = values[group] else { return values }
      values[group] = .group(rows.map { without(indices, in: way.dropFirst(), $0, using: &random) })
    } else if Bool.random(using: &random) {
      for index in indices { values[index] = nil }
    }
    return values
  }
}

extension MessageTemplate.Field {
  fileprivate func sample(ordinal: Int, size: Int) -> Value {
    switch content {
    case .value(let encoding): return encoding.sample(ordinal: ordinal, size: size)
    case .group(let columns, let counts):
      return .group(
        (1...max(1, min(max(2, counts.lowerBound), counts.upperBound))).map { row in
          columns.enumerated().map { $1.sample(ordinal: row + $0, size: size) }
        })
    }
  }

  fileprivate func random(using random: inout some RandomNumberGenerator) -> Value {
    switch content {
    case .value(let encoding): return encoding.random(using: &random)
    case .group(let columns, let counts):
      let count = Int.random(in: counts.clamped(to: 0...max(8, counts.lowerBound)), using: &random)
      var rows: [[Value?]] = []
      for _ in 0..<count { rows.append(columns.map { $0.random(using: &random) }) }
      return .group(rows)
    }
  }
}

extension FieldEncoding {
  /// A small number, or so many bytes or letters.
  fileprivate func sample(ordinal: Int, size: Int) -> Value {
    switch self {
    case .bytes(let counts, _), .hexBytes(let counts, _):
      let count = counts.count == 1 ? counts.lowerBound : min(max(size, counts.lowerBound), counts.upperBound)
      return .bytes((0..<count).map { UInt8(truncatingIfNeeded: ordinal + $0) })
    case .text(let counts, _):
      let count = min(max(size, counts.lowerBound), counts.upperBound)
      return .text(String(decoding: (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }, as: UTF8.self))
    case .mac, .macText: return .bytes((0..<Self.macSize).map { UInt8(truncatingIfNeeded: ordinal + $0) })
    case .float: return .decimal(Double(ordinal))
    case .boolean: return .boolean(true)
    case .medical(let float): return .decimal(min(Double(ordinal), float.bounds.upperBound))
    case .named(let names, _): return .text(names.names[(ordinal - 1) % names.names.count])
    default:
      let range = range ?? 0...0
      return .integer(min(max(Int64(ordinal), range.lowerBound), range.upperBound))
    }
  }

  fileprivate func random(using random: inout some RandomNumberGenerator) -> Value {
    switch self {
    case .bytes(let counts, _), .hexBytes(let counts, _):
      let count = Int.random(in: counts.clamped(to: 0...max(12, counts.lowerBound)), using: &random)
      return .bytes((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    case .text(let counts, let pad): return .text(Self.randomText(counts, notEndingIn: pad, using: &random))
    case .mac, .macText:
      return .bytes((0..<Self.macSize).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .float(let width, _):
      return .decimal(BinaryFloat.number(of: random.next() >> (64 - 8 * width), width: width))
    case .medical(let float): return .decimal(float.random(using: &random))
    case .boolean: return .boolean(.random(using: &random))
    case .named(let names, _): return .text(names.names.randomElement(using: &random)!)
    default:
      // Small numbers as well, for fields with few values.
      let range = range ?? 0...0
      let few = Bool.random(using: &random) ? range : range.clamped(to: -3...3)
      return .integer(Int64.random(in: few, using: &random))
    }
  }

  /// This many bytes of letters that take one to four bytes each.
  private static func randomText(
    _ counts: ClosedRange<Int>, notEndingIn pad: UInt8, using random: inout some RandomNumberGenerator
  ) -> String {
    let least = counts.count == 1 ? 0 : counts.lowerBound
    let count = Int.random(in: (least...counts.upperBound).clamped(to: 0...max(12, least)), using: &random)
    var text = ""
    while text.utf8.count < count {
      let letter = "aZ7 é≤😀".randomElement(using: &random)!
      text.append(text.utf8.count + letter.utf8.count <= count ? letter : "x")
    }
    while text.utf8.last == pad { text.removeLast() }
    return text
  }
}

extension MedicalFloat {
  fileprivate func random(using random: inout some RandomNumberGenerator) -> Double {
    let special = [Double.nan, .notAtThisResolution, .infinity, -.infinity].randomElement(using: &random)!
    if UInt8.random(in: 0...7, using: &random) == 0 { return special }
    let bounds = Bool.random(using: &random) ? bounds : bounds.clamped(to: -300...300)
    let number = Double.random(in: bounds, using: &random)
    return Bool.random(using: &random) ? number : (number * 10).rounded() / 10
  }
}

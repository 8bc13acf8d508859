import DeviceModel

/// Reads names for the numbers of a field: `on: 0x23, off: 0x24`.
struct NamedNumberReader {
  /// The numbers that the field's type has, by its name in the file.
  let range: ClosedRange<Int64>
  let type: String

  private var pairs: [(name: String, number: Int64)] = []

  /// The names in the text between parentheses, which begins `start` scalars into another.
  ///
  /// - Returns: nil if it is something else.
  static func read(
    _ text: Substring, start: Int, in range: ClosedRange<Int64>, of type: String
  ) throws(TextError) -> NamedNumbers? {
    var reader = NamedNumberReader(range: range, type: type)
    var start = start
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard try reader.take(String(part), start: start) else { return nil }
      start += part.unicodeScalars.count + 1
    }
    return NamedNumbers(reader.pairs)
  }

  private init(range: ClosedRange<Int64>, type: String) {
    (self.range, self.type) = (range, type)
  }

  /// `on: 0x23`; false if it is something else.
  private mutating func take(_ text: String, start: Int) throws(TextError) -> Bool {
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, let number = IntegerText.parse(halves[1].trimmed) else { return false }
    let name = halves[0].trimmed
    let first = start + text.unicodeScalars.prefix { $0 == " " || $0 == "\n" }.count
    let place = first..<start + max(1, text.unicodeScalars.count)
    guard Identifier.isValid(name) else { throw TextError(.notName(name), place) }
    try add(name, Int64(number), at: place)
    return true
  }

  private mutating func add(_ name: String, _ number: Int64, at place: Range<Int>) throws(TextError) {
    guard !pairs.contains(where: { $0.name == name }) else {
      throw TextError(.doubledNumberName(name), place)
    }
    if let other = pairs.first(where: { $0.number == number }) {
      throw TextError(.doubledNumber(number, other.name, name), place)
    }
    guard range.contains(number) else {
      throw TextError(.unfitNumber(number, type: type, range), place)
    }
    guard pairs.count < NamedNumbers.most else {
      throw TextError(.tooManyNames(most: NamedNumbers.most), place)
    }
    pairs.append((name, number))
  }
}

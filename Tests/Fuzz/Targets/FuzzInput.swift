/// Reads decisions from the front of the fuzzer's bytes until they are used up.
///
/// A digit stands for its number, so that people can write inputs, as in `Corpus`.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>
  private var drawCount: UInt64 = 0

  init(_ bytes: some Sequence<UInt8>) {
    rest = ArraySlice(Array(bytes))
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  /// Takes up to `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return bytes
  }

  /// Takes the bytes up to and including `end`, which is not returned; all bytes if there is no `end`.
  mutating func bytes(upTo end: UInt8) -> [UInt8] {
    let bytes = Array(rest.prefix { $0 != end })
    rest = rest.dropFirst(bytes.count + 1)
    return bytes
  }

  /// A number from 0 up to but not including `limit`; 0 if the bytes are used up.
  mutating func number(below limit: Int) -> Int {
    Int((byte() ?? UInt8(ascii: "0")) &- UInt8(ascii: "0")) % max(1, limit)
  }

  /// An element, chosen by one byte.
  mutating func element<C: RandomAccessCollection>(of choices: C) -> C.Element? {
    choices.isEmpty ? nil : choices[choices.index(choices.startIndex, offsetBy: number(below: choices.count))]
  }

  /// An element, chosen by two bytes.
  mutating func element<Element>(ofMany choices: [Element]) -> Element? {
    let number = number(below: 256) << 8 | self.number(below: 256)
    return choices.isEmpty ? nil : choices[number % choices.count]
  }
}

/// Random numbers come from the fuzzer's bytes, two for each number.
extension FuzzInput: RandomNumberGenerator {
  mutating func next() -> UInt64 {
    drawCount += 1
    let chosen = bytes(2).reduce(0) { $0 << 8 | UInt64($1) }
    // Never the same number twice: a loop that draws until the number changes would never end.
    let mixed = (chosen << 32 | drawCount) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 32
  }
}

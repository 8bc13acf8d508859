/// Reads decisions from the front of a fuzzer's bytes. When they are used up, there are no more.
///
/// A digit stands for its number, so that a person can write inputs: see `Corpus`.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>
  private var drawCount: UInt64 = 0

  init(_ bytes: some Sequence<UInt8>) {
    rest = ArraySlice(Array(bytes))
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  /// Up to `count` bytes as they are.
  mutating func bytes(_ count: Int) -> [UInt8] {
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return bytes
  }

  /// Everything up to a byte, which is taken, too; all that remains when it does not come.
  mutating func bytes(upTo end: UInt8) -> [UInt8] {
    let bytes = Array(rest.prefix { $0 != end })
    rest = rest.dropFirst(bytes.count + 1)
    return bytes
  }

  /// A number from 0 to below `limit`; 0 when the bytes are used up. The digits are 0 to 9.
  mutating func number(below limit: Int) -> Int {
    Int((byte() ?? UInt8(ascii: "0")) &- UInt8(ascii: "0")) % max(1, limit)
  }

  /// One of some, if there are any.
  mutating func element<C: RandomAccessCollection>(of choices: C) -> C.Element? {
    choices.isEmpty ? nil : choices[choices.index(choices.startIndex, offsetBy: number(below: choices.count))]
  }

  /// One of many: two bytes choose.
  mutating func element<Element>(ofMany choices: [Element]) -> Element? {
    let number = number(below: 256) << 8 | self.number(below: 256)
    return choices.isEmpty ? nil : choices[number % choices.count]
  }
}

/// Values at random are those that the fuzzer has chosen; two bytes are a number.
extension FuzzInput: RandomNumberGenerator {
  mutating func next() -> UInt64 {
    drawCount += 1
    let chosen = bytes(2).reduce(0) { $0 << 8 | UInt64($1) }
    // Never the same twice: who draws again until something else comes would do so for ever.
    let mixed = (chosen << 32 | drawCount) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 32
  }
}

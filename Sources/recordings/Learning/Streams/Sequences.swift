import Framing

extension Sequence where Element: Hashable {
  /// Each element once, in order.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Collection where Element: Comparable {
  /// The middle element of the sorted ones; the lesser one of two.
  var median: Element? { isEmpty ? nil : sorted()[(count - 1) / 2] }
}

extension Array {
  /// At most `limit` elements, from all of the array.
  func spread(over limit: Int) -> [Element] {
    count <= limit ? self : (0..<limit).map { self[$0 * count / limit] }
  }

  /// The element that occurs most often by its key, with how often; of several the first.
  func mostCommon<Key: Hashable>(_ key: (Element) -> Key) -> (key: Key, count: Int)? {
    var counts: [Key: Int] = [:]
    for element in self { counts[key(element), default: 0] += 1 }
    guard let most = counts.values.max(), let first = first(where: { counts[key($0)] == most }) else {
      return nil
    }
    return (key(first), most)
  }
}

extension Collection where Element == [UInt8] {
  /// How many bytes at the end all have in common.
  func commonEnd(atMost limit: Int) -> Int {
    guard let first else { return 0 }
    return reduce(Swift.min(limit, first.count)) { length, bytes in
      zip(first.suffix(length).reversed(), bytes.suffix(length).reversed()).prefix { $0 == $1 }.count
    }
  }

  /// The byte that all have at a place; nil: they differ there, or some end before.
  func commonByte(at place: Int) -> UInt8? {
    guard let first, place < first.count else { return nil }
    return allSatisfy { $0.count > place && $0[place] == first[place] } ? first[place] : nil
  }

  /// What all begin with.
  func commonStart(atMost limit: Int) -> [UInt8] {
    guard let first else { return [] }
    let length = reduce(Swift.min(limit, first.count)) { length, bytes in
      zip(first.prefix(length), bytes).prefix { $0 == $1 }.count
    }
    return Array(first.prefix(length))
  }
}

extension ByteOrder {
  /// The number in at most eight bytes.
  func number(_ bytes: some Collection<UInt8>, isSigned: Bool = false) -> Int64 {
    let ordered = self == .bigEndian ? Array(bytes) : bytes.reversed()
    let number = ordered.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard isSigned, let first = ordered.first, first >= 0x80, ordered.count < 8 else { return number }
    return number - 1 << (8 * Int64(ordered.count))
  }
}

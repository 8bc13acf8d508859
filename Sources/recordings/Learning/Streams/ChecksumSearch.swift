import Framing

/// A checksum that frames have, with how many of the different frames have it.
struct FoundChecksum {
  var field: CheckField
  var agreeing: Int
  var cases: Int
}

/// Tries every registered checksum, in both byte orders, from each of the first bytes on, and at the end or before what all
/// frames end with.
struct ChecksumSearch {
  private let frames: [[UInt8]]
  /// How many bytes at the end are the same in all frames.
  private let constantEnd: Int

  /// Further frames of a long recording would not change what they show.
  private static let enough = 48
  private static let furthestStart = 8
  private static let longestTail = 2

  init(_ frames: some Sequence<[UInt8]>) {
    self.frames = frames.distinct.spread(over: Self.enough)
    constantEnd = self.frames.commonEnd(atMost: Self.longestTail)
  }

  /// The checksum that nine in ten of the different frames have, if this cannot be chance.
  func find() -> FoundChecksum? {
    guard frames.count > 1 else { return nil }
    var best: FoundChecksum?
    for pivot in pivots {
      for trailing in 0...constantEnd {
        for checksum in Self.candidates {
          for start in 0...Self.furthestStart {
            for found in matches(checksum, from: start, trailing: trailing, pivot) {
              if found.agreeing > best?.agreeing ?? 0 { best = found }
            }
          }
        }
      }
      if let best, best.agreeing == best.cases { break }
    }
    return best
  }

  /// How many of the frames have a certain checksum.
  func agreeing(with field: CheckField) -> Int {
    frames.count { $0.has(field) }
  }

  /// Frames to try each checksum with first: more than one, as one may be damaged.
  private var pivots: [[UInt8]] {
    let sorted = frames.sorted { $0.count < $1.count }
    return [sorted[sorted.count / 2], sorted[sorted.count / 4], sorted[sorted.count * 3 / 4]].distinct
  }

  private func matches(_ checksum: Checksum, from start: Int, trailing: Int, _ pivot: [UInt8])
    -> [FoundChecksum]
  {
    let end = pivot.count - trailing - checksum.width
    guard end >= start + 2 else { return [] }
    guard let value = try? checksum.value(of: pivot.span.extracting(start..<end)) else { return [] }
    let found = pivot[end..<(end + checksum.width)]
    return ByteOrder.allCases.compactMap { order in
      guard checksum.width > 1 || order == .bigEndian,
        order.bytes(of: UInt64(value), width: checksum.width).elementsEqual(found)
      else { return nil }
      let ordered = Checksum(
        name: checksum.name, algorithm: checksum.algorithm,
        byteOrder: checksum.width > 1 ? order : nil)
      return verified(CheckField(ordered, from: start, trailing: trailing))
    }
  }

  private func verified(_ field: CheckField) -> FoundChecksum? {
    var misses = 0
    var agreeing: [[UInt8]] = []
    for frame in frames {
      if frame.has(field) {
        agreeing.append(frame)
      } else {
        misses += 1
        guard misses * 10 <= frames.count else { return nil }
      }
    }
    guard isConvincing(field, agreeing) else { return nil }
    return FoundChecksum(field: field, agreeing: agreeing.count, cases: frames.count)
  }

  /// Each different check value excludes all but one in 256 of the algorithms, of which there are a thousand with their
  /// places. A sum of one changing byte is nearly a copy of it.
  private func isConvincing(_ field: CheckField, _ frames: [[UInt8]]) -> Bool {
    let values = Set(frames.map { Array($0.suffix(field.size).prefix(field.checksum.width)) })
    guard values.count >= field.checksum.algorithm.neededValues else { return false }
    guard field.checksum.algorithm.isSimple else { return true }
    let covered = frames.map { Array($0[field.start..<($0.count - field.size)]) }
    guard Set(covered.map(\.count)).count == 1, let first = covered.first else { return true }
    let changing = first.indices.filter { index in covered.contains { $0[index] != first[index] } }
    guard changing.count == 1, let place = changing.first else { return true }
    let isCopy = zip(frames, covered).allSatisfy { frame, bytes in
      Array(frame.suffix(field.size).prefix(field.checksum.width)).last == bytes[place]
    }
    return !isCopy && values.count > field.checksum.algorithm.neededValues
  }

  /// One for each algorithm.
  static let candidates: [Checksum] = Checksum.names.compactMap { Checksum.named($0) }.distinct
}

extension ChecksumAlgorithm {
  fileprivate var isSimple: Bool {
    switch self {
    case .sum, .xor: true
    case .crc, .fletcher, .defined: false
    }
  }

  /// How many different check values show that it is no chance.
  fileprivate var neededValues: Int { isSimple || width == 1 ? 3 : 2 }
}

extension [UInt8] {
  func has(_ check: CheckField) -> Bool {
    let end = count - check.size
    guard end > check.start else { return false }
    return (try? check.checksum.compute(self[check.start..<end]))
      .map { $0.elementsEqual(self[end..<(end + check.checksum.width)]) } ?? false
  }
}

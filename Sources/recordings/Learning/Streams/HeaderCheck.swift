import Framing

/// A checksum of all bytes after it.
struct HeaderCheck: Hashable {
  var place: Int
  var checksum: Checksum

  /// The first byte that it covers.
  private var start: Int { place + checksum.width }

  /// Whether a frame has it; nil: nothing comes after it.
  func holds(for frame: [UInt8]) -> Bool? {
    guard frame.count > start else { return nil }
    return (try? checksum.compute(frame[start...])).map { $0.elementsEqual(frame[place..<start]) } ?? false
  }

  func claim(about frames: [[UInt8]]) -> Layout.Claim {
    let cases = frames.compactMap(holds)
    return Layout.Claim(
      "\(checksum) at byte \(place) over byte \(start) to the end", cases.count { $0 }, of: cases.count)
  }
}

extension HeaderCheck {
  private static let furthest = 12
  /// Bytes.
  private static let shortest = 8
  /// Further frames would not change what they show.
  private static let enough = 48

  /// Tries every registered checksum, in both byte orders, at each place near the start; nil: none fits nine in ten of the
  /// different frames, or this may be chance.
  init?(in frames: [[UInt8]]) {
    let frames = frames.distinct.spread(over: Self.enough)
    let sizes = frames.map(\.count)
    let size = sizes.filter { $0 >= Self.furthest + 4 }.min() ?? sizes.max() ?? 0
    guard frames.count > 3, size >= Self.shortest, let pivot = frames.first(where: { $0.count == size })
    else { return nil }
    for checksum in ChecksumSearch.candidates {
      for place in 1...Self.furthest where place + checksum.width + 2 <= pivot.count {
        for order in ByteOrder.allCases where checksum.width > 1 || order == .bigEndian {
          let ordered = Checksum(name: checksum.name, algorithm: checksum.algorithm, byteOrder: order)
          let check = Self(place: place, checksum: ordered)
          guard check.holds(for: pivot) == true, check.isProven(by: frames) else { continue }
          self = check
          return
        }
      }
    }
    return nil
  }

  /// A check value of one byte fits one frame in 256 by chance.
  private func isProven(by frames: [[UInt8]]) -> Bool {
    let covered = frames.filter { holds(for: $0) != nil }
    let right = covered.filter { holds(for: $0) == true }
    let values = Set(right.map { $0[place..<start] })
    return right.count * 10 >= covered.count * 9 && values.count >= (checksum.width > 1 ? 3 : 6)
  }
}

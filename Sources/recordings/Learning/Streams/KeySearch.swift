import Framing

/// Looks for a constant key with which each value is xored. The proof is a checksum that frames have only without the key.
///
/// A key shows where plain bytes are often zero: there, the key itself is sent.
struct KeySearch {
  private let values: [ValueStream.Item]
  private let bytes: [[UInt8]]

  private static let longestKey = 16
  /// Frames that show a key by the sum at their end.
  private static let pivots = 4

  /// - Parameter plain: the layout without an encoding.
  init(_ values: [ValueStream.Item], _ plain: Layout) {
    self.values = plain.check == nil && plain.rule == nil ? Array(values.prefix(Layout.sampleSize)) : []
    bytes = self.values.map(\.bytes).distinct
  }

  func find() -> FoundEncoding? {
    guard bytes.count > 3 else { return nil }
    if let found = summedKeys.lazy.compactMap(checked).first { return found }
    let keys = frequentKeys
    return keys.lazy.compactMap(checked).first ?? keys.first.flatMap(packets)
  }

  /// The key, if the values have a checksum without it.
  private func checked(_ key: [UInt8]) -> FoundEncoding? {
    let plain = StreamEncoding.xor(key).plain(values).map(\.bytes)
    return proven(key, ChecksumSearch(plain).find().map { Layout(rule: nil, check: $0) })
  }

  /// The key, if packets in several values have a checksum without it.
  private func packets(_ key: [UInt8]) -> FoundEncoding? {
    proven(key, Layout(packetsIn: StreamEncoding.xor(key).plain(values)))
  }

  private func proven(_ key: [UInt8], _ layout: Layout?) -> FoundEncoding? {
    guard let layout, let check = layout.check, check.cases > 3, check.agreeing * 20 >= check.cases * 19
    else { return nil }
    return FoundEncoding(encoding: .xor(key), layout: layout)
  }

  // MARK: Keys of one byte

  /// The bytes with which several frames end with a sum of their bytes.
  private var summedKeys: [[UInt8]] {
    let frames = bytes.filter { $0.count > 3 }.spread(over: Self.pivots)
    guard frames.count == Self.pivots, Set(frames.map(\.last)).count > 2 else { return [] }
    return (1...255).filter { key in
      (0...4).contains { start in
        let rests = frames.map { frame in
          frame.dropFirst(start).dropLast().reduce(0) { $0 &+ ($1 ^ key) } &- ((frame.last ?? 0) ^ key)
        }
        return Set(rests) == [0]
      }
    }.map { [$0] }
  }
}

// MARK: Keys of zeros

extension KeySearch {
  /// The keys that would be sent for zeros, the most likely first.
  private var frequentKeys: [[UInt8]] {
    let all = bytes.joined()
    guard let most = Array(all).mostCommon({ $0 }), most.key != 0 else { return [] }
    return periods.flatMap { period in
      [0, 4].map { start in key(period, from: start) }
    }.distinct.filter { Set($0) != [0] }
  }

  /// Bytes of a value that are the same with this distance, of all such bytes.
  private func repetition(_ distance: Int) -> Double {
    let pairs = bytes.map { zip($0, $0.dropFirst(distance)) }
    let same = pairs.reduce(0) { $0 + $1.count { $0 == $1 } }
    return Double(same) / Double(max(1, bytes.reduce(0) { $0 + max(0, $1.count - distance) }))
  }

  /// The least distances at which bytes are often the same; none if they never are.
  private var periods: [Int] {
    let all = (1...Self.longestKey).map { (period: $0, share: repetition($0)) }
    guard let most = all.map(\.share).max(), most > 0.05 else { return [] }
    return all.filter { $0.share * 4 >= most * 3 }.prefix(2).map(\.period)
  }

  /// The most common byte at each place of the key, without the start of values: what is constant there is often no zero.
  private func key(_ period: Int, from start: Int) -> [UInt8] {
    (0..<period).map { place in
      let own = bytes.flatMap { value in
        value.indices.filter { $0 >= start && $0 % period == place }.map { value[$0] }
      }
      return own.mostCommon { $0 }?.key ?? 0
    }
  }
}

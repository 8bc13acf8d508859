import Framing

/// The bytes that packets may start with, by how many values do.
struct PacketStarts {
  let candidates: [[UInt8]]

  private static let longest = 4
  private static let most = 6

  init(_ values: [ValueStream.Item]) {
    let values = values.map(\.bytes)
    let starts = [2, 1].flatMap { length in
      Dictionary(grouping: values.filter { $0.count > length }) { Array($0.prefix(length)) }.values
        .filter { $0.count > 2 }
        .map { (start: Self.start(of: $0), count: $0.count) }
    }
    let firsts = Set(values.prefix(1).map { Array($0.prefix(1)) })
    func weight(_ start: (start: [UInt8], count: Int)) -> Int {
      start.count * min(2, start.start.count) * (firsts.contains(Array(start.start.prefix(1))) ? 2 : 1)
    }
    candidates =
      starts.filter { Self.isPlain($0.start) }
      .sorted { (weight($0), $1.start.lexicographicKey) > (weight($1), $0.start.lexicographicKey) }
      .map(\.start).distinct.prefix(Self.most).map { $0 }
  }

  /// What the values have in common, without zeros at its end: these are often the high bytes of numbers.
  private static func start(of values: [[UInt8]]) -> [UInt8] {
    var start = values.commonStart(atMost: longest)
    while start.count > 1, start.last == 0 { start.removeLast() }
    return start
  }

  /// Zeros and repetitions are content.
  private static func isPlain(_ start: [UInt8]) -> Bool {
    start != [0] && (start.count < 2 || Set(start).count > 1)
  }
}

extension [UInt8] {
  fileprivate var lexicographicKey: String { HexText.format(self) }
}

/// Values from one packet start up to the next.
struct PacketGroups {
  fileprivate struct Group {
    let bytes: ArraySlice<UInt8>
    /// Where a packet from its first byte may end, counted from there.
    let ends: [Int]
    let isComplete: Bool
  }

  private let start: [UInt8]
  private let groups: [Group]

  private static let mostGroups = 200
  private static let mostEnds = 64

  init(_ joined: JoinedValues, start: [UInt8]) {
    self.start = start
    groups = Array(
      joined.runs.flatMap { run -> [Group] in
        let heads = run.starts.filter { run.begins(with: start, at: $0) }
        return heads.indices.map { index in
          let end = index + 1 < heads.count ? heads[index + 1] : run.bytes.count
          return Group(
            run, from: heads[index], to: end, start: start, isComplete: index + 1 < heads.count,
            mostEnds: Self.mostEnds)
        }
      }.prefix(Self.mostGroups))
  }

  /// Formats that most of the packets may have, without their checksum.
  var formats: [PacketFormat] {
    groups.count > 2 ? fixedSizes + lengthFields + tails : []
  }

  private var fixedSizes: [PacketFormat] {
    var counts: [Int: Int] = [:]
    for group in groups { for end in group.ends { counts[end, default: 0] += 1 } }
    return counts.filter { $0.value * 10 >= groups.count * 6 && $0.key > start.count && $0.key <= 512 }
      .sorted { ($0.value * $0.key, $0.key) > ($1.value * $1.key, $1.key) }.prefix(3)
      .map { PacketFormat(start: start, extent: .fixed($0.key)) }
  }

  private var tails: [PacketFormat] {
    let whole = groups.filter(\.isComplete).map { Array($0.bytes) }
    let length = whole.commonEnd(atMost: 2)
    guard whole.count > 2, length > 0, let tail = whole.first?.suffix(length), tail.last != 0,
      Set(whole.map(\.count)).count > 1
    else { return [] }
    return [PacketFormat(start: start, extent: .untilTail, tail: Array(tail))]
  }
}

extension PacketGroups {
  private var lengthFields: [PacketFormat] {
    var found: [(format: PacketFormat, count: Int)] = []
    for width in 1...2 {
      for order in ByteOrder.allCases where width > 1 || order == .bigEndian {
        for place in 1...(start.count + 8) {
          if let field = lengthField(at: place, width: width, order) { found.append(field) }
        }
      }
    }
    guard let most = found.map(\.count).max() else { return [] }
    return found.filter { $0.count == most }.prefix(3).map(\.format)
  }

  private func lengthField(at place: Int, width: Int, _ order: ByteOrder) -> (
    format: PacketFormat, count: Int
  )? {
    var counts: [Int: Int] = [:]
    var numbers: [Int: Set<Int>] = [:]
    for group in groups where group.bytes.count >= place + width {
      let begin = group.bytes.startIndex + place
      let number = Int(order.number(group.bytes[begin..<(begin + width)]))
      for end in group.ends where -255...512 ~= end - number - place - width {
        counts[end - number, default: 0] += 1
        numbers[end - number, default: []].insert(number)
      }
    }
    func distance(_ sum: Int) -> Int { abs(sum - place - width) }
    let best = counts.filter { (numbers[$0.key]?.count ?? 0) > 1 }
      .max { ($0.value, distance($1.key), $1.key) < ($1.value, distance($0.key), $0.key) }
    guard let best, best.value > 2, best.value >= groups.count - max(1, groups.count / 10) else { return nil }
    let isFrame = best.key == 0
    let adjust = isFrame ? 0 : best.key - place - width
    guard -255...255 ~= adjust else { return nil }
    let field = LengthField(
      at: place, width: width, byteOrder: order, counts: isFrame ? .frame : .rest, adjust: adjust)
    return (
      PacketFormat(start: Array(start.prefix(place)), extent: .lengthField(field)), best.value
    )
  }
}

extension PacketGroups.Group {
  init(
    _ run: JoinedValues.Run, from head: Int, to end: Int, start: [UInt8], isComplete: Bool, mostEnds: Int
  ) {
    bytes = run.bytes[head..<end]
    self.isComplete = isComplete
    let values = run.starts.lazy.filter { $0 > head && $0 <= end }.map { $0 - head }
    let inside = ((head + 1)..<max(head + 1, min(end, head + 4096))).lazy
      .filter { run.begins(with: start, at: $0) }.map { $0 - head }
    ends = Set(Array(values.prefix(mostEnds)) + Array(inside.prefix(mostEnds))).sorted()
  }
}

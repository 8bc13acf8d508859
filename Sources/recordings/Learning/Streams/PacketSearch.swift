import Framing

/// Looks for packets that do not begin or end where values do: in several values, or several in one.
struct PacketSearch {
  private let values: [ValueStream.Item]
  private let joined: JoinedValues
  private let total: Int

  private static let mostFormats = 4

  init(_ values: [ValueStream.Item]) {
    self.values = values
    joined = JoinedValues(values)
    total = joined.runs.reduce(0) { $0 + $1.bytes.count }
  }

  /// The formats of the packets; nil: each value may well be a frame.
  func find() -> [FoundFormat]? {
    guard values.count > 2 else { return nil }
    let trials = PacketStarts(values).candidates.flatMap { start in
      PacketGroups(joined, start: start).formats.compactMap { Trial($0, values, total: total) }
    }
    guard let best = trials.max(by: { $0.score < $1.score }) else { return nil }
    return further(after: [best.found])
  }

  /// Adds formats of what is between the packets that are known.
  private func further(after known: [FoundFormat]) -> [FoundFormat] {
    let rests = FrameCut(values, by: FramingRule(known, maxLength: 4096)).rests
    guard known.count < Self.mostFormats, let first = known.first,
      let next = RestFormats(rests, like: first).format,
      !known.contains(where: { $0.format.start.starts(with: next.format.start) })
    else { return known }
    return further(after: known + [next])
  }
}

/// Packets cut by a format, and how well it explains the values.
private struct Trial {
  let found: FoundFormat
  let score: Double

  init?(_ format: PacketFormat, _ values: [ValueStream.Item], total: Int) {
    let cut = FrameCut(values, by: FramingRule(.packet(format), maxLength: 4096))
    guard cut.frames.count > 2,
      cut.frames.contains(where: { $0.values.count > 1 })
        || cut.frames.count > values.count - cut.unframed.count
    else { return nil }
    let share = Double(cut.covered) / Double(max(1, total))
    if let check = ChecksumSearch(cut.frames.map(\.bytes)).find(), share >= 0.3 {
      guard let checked = format.with(check.field, in: cut.frames) else { return nil }
      found = FoundFormat(format: checked, check: check)
      score = 1 + share
    } else {
      guard share >= 0.9, Self.isConvincing(format, cut.frames, values) else { return nil }
      found = FoundFormat(format: format)
      score = share
    }
  }

  /// Without a checksum, several lengths that agree with the frames are needed, or full values before the last of each frame.
  private static func isConvincing(
    _ format: PacketFormat, _ frames: [StreamAnalysis.Frame], _ values: [ValueStream.Item]
  ) -> Bool {
    let lengths = Set(frames.map(\.bytes.count)).count
    let joined = frames.filter { $0.values.count > 1 }
    let fullSize = values.map(\.bytes.count).max() ?? 0
    let isFull = joined.allSatisfy { frame in
      values[frame.values.dropLast()].allSatisfy { $0.bytes.count == fullSize }
    }
    switch format.extent {
    case .lengthField:
      return lengths > 2 || lengths == 2 && (joined.count > 2 && isFull || format.start.count > 1)
    case .fixed: return joined.count > 2 && format.start.count > 1 && isFull
    case .untilTail: return lengths > 2 && format.start.count + format.tail.count > 2
    }
  }
}

extension PacketFormat {
  /// The same packets with their checksum; nil: it would be in the start. What follows the checksum is the tail.
  func with(_ check: CheckField, in frames: [StreamAnalysis.Frame]) -> PacketFormat? {
    var extent = extent
    var tail = tail
    var field = check
    if tail.isEmpty, check.trailing > 0 { tail = Array(frames.first?.bytes.suffix(check.trailing) ?? []) }
    field.trailing = max(0, check.trailing - tail.count)
    if case .lengthField(var length) = extent, length.counts == .rest,
      length.adjust == field.size + tail.count
    {
      (length.counts, length.adjust) = (.payload, 0)
      extent = .lengthField(length)
    }
    let size = max(start.count, field.start) + field.size + tail.count
    if case .fixed(let length) = extent, length < size { return nil }
    return PacketFormat(start: start, extent: extent, check: field, tail: tail)
  }
}

/// The format of what lies between packets of another one.
private struct RestFormats {
  let format: FoundFormat?

  init(_ rests: [[UInt8]], like known: FoundFormat) {
    let length = max(1, known.format.start.count)
    let common = rests.filter { $0.count > length }.mostCommon { Array($0.prefix(length)) }
    let alike = rests.filter { $0.starts(with: common?.key ?? []) }
    guard let common, common.count > 1, let size = alike.mostCommon(\.count), size.count > 1,
      size.count * 10 >= alike.count * 6, 1...512 ~= size.key
    else {
      format = nil
      return
    }
    let frames = alike.map { Array($0.prefix(size.key)) }.filter { $0.count == size.key }
    let start = common.key
    let bare = PacketFormat(start: start, extent: .fixed(size.key))
    if let check = known.check, size.key > start.count + check.field.checksum.width + check.field.trailing,
      frames.allSatisfy({
        $0.has(check.field)
      })
    {
      let agreeing = frames.distinct.count
      let frame = StreamAnalysis.Frame(frames[0], at: Instant(), conversation: 0, values: 0..<0)
      format = bare.with(check.field, in: [frame]).map {
        FoundFormat(format: $0, check: FoundChecksum(field: check.field, agreeing: agreeing, cases: agreeing))
      }
    } else {
      format = known.check == nil && frames.count > 2 && start.count > 1 ? FoundFormat(format: bare) : nil
    }
  }
}

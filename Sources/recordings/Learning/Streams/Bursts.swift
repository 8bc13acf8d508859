import Framing

/// Values that are pieces of frames, such as single bytes: those of a frame follow each other closely, and frames do not.
///
/// What the values show by themselves comes first: this is for values that show nothing.
struct Bursts {
  private let values: [ValueStream.Item]

  /// Every link carries values of this size: shorter ones are pieces because the device makes them so.
  static let fullSize = 20
  private static let fewest = 3
  /// A pause is so many times as long as a gap between pieces.
  private static let ratio = 3.0
  private static let shortestPause = Duration.milliseconds(10)
  private static let mostPauses = 5

  init(_ values: [ValueStream.Item]) {
    let values = values.filter { !$0.bytes.isEmpty }
    let arePieces = values.count > Self.fewest && values.allSatisfy { $0.bytes.count < Self.fullSize }
    self.values = arePieces ? values : []
  }

  /// Where the frames that are made of these values end; nil: the values are not clearly pieces.
  var layout: Layout? {
    guard !values.isEmpty else { return nil }
    return candidates.lazy.compactMap(layout).first
  }

  // MARK: Bursts

  private typealias Burst = ArraySlice<ValueStream.Item>

  /// The values in bursts, by what may separate these: other traffic on the link, a pause, or both.
  private var candidates: [[Burst]] {
    let pauses: [Duration?] = [nil] + pauses
    return pauses.flatMap { pause in [true, false].map { bursts(after: pause, endedByTraffic: $0) } }
      .distinct.filter(isPlausible)
  }

  private func gap(before index: Int) -> Duration { values[index - 1].time.duration(to: values[index].time) }

  private func isOneLink(_ index: Int) -> Bool {
    values[index - 1].conversation == values[index].conversation
  }

  /// The least pauses that are clearly longer than all shorter gaps.
  private var pauses: [Duration] {
    let gaps = values.indices.dropFirst().filter(isOneLink).map { max(.milliseconds(1), gap(before: $0)) }
      .sorted()
    return zip(gaps, gaps.dropFirst()).filter { $1 / $0 >= Self.ratio && $1 >= Self.shortestPause }
      .map(\.1).prefix(Self.mostPauses).map { $0 }
  }

  private func bursts(after pause: Duration?, endedByTraffic: Bool) -> [Burst] {
    var (bursts, start) = ([Burst](), 0)
    for index in values.indices.dropFirst() {
      let isNew =
        !isOneLink(index) || pause.map { gap(before: index) >= $0 } == true
        || endedByTraffic && values[index - 1].exchange + 1 != values[index].exchange
      if isNew {
        bursts.append(values[start..<index])
        start = index
      }
    }
    return bursts + [values[start...]]
  }

  /// Pieces of one frame do not come further apart.
  private static let longestGap = Duration.milliseconds(150)

  /// Whether nearly all bursts have several values, close together.
  private func isPlausible(_ bursts: [Burst]) -> Bool {
    bursts.count >= Self.fewest
      && bursts.count {
        $0.count > 1 && $0.dropFirst().indices.allSatisfy { gap(before: $0) <= Self.longestGap }
      }
        * 10 >= bursts.count * 9
  }

  // MARK: Frames

  private func layout(of bursts: [Burst]) -> Layout? {
    let joined = bursts.map { burst in
      var item = burst[burst.startIndex]
      item.bytes = burst.flatMap(\.bytes)
      return item
    }
    let frames = joined.map(\.bytes)
    let found = ChecksumSearch(frames).find()
    if found == nil, let packets = Layout(packetsIn: joined) { return packets }
    guard let format = format(of: frames, found) else { return nil }
    let layout = Layout([FoundFormat(format: format, check: found)], values)
    let cut = Set(FrameCut(values, by: layout.rule).frames.map(\.bytes))
    return frames.count(where: cut.contains) * 10 >= frames.count * 9 ? layout : nil
  }

  /// The packets that are these frames, proven by a checksum, or by what they begin with together with their size or end.
  private func format(of frames: [[UInt8]], _ found: FoundChecksum?) -> PacketFormat? {
    guard Set(frames).count > 1 || frames.count > Self.fewest else { return nil }
    let check = found?.field
    let covered = check.map(\.start) ?? 0
    let start = frames.commonStart(atMost: covered > 0 ? covered : 2)
    let tail = check.map(\.trailing) ?? frames.commonEnd(atMost: 1)
    let end = Array(frames[0].suffix(tail))
    guard !start.isEmpty else { return nil }
    let sizes = Set(frames.map(\.count))
    var extent: PacketFormat.Extent?
    if sizes.count == 1 {
      extent = .fixed(frames[0].count)
    } else if let size = MessageFormat(frames, Layout(check: found)).size {
      extent = .lengthField(
        LengthField(
          at: size.place, width: size.width, byteOrder: size.order, counts: .frame, adjust: -size.adjust))
    } else if !end.isEmpty {
      extent = .untilTail
    }
    guard let extent else { return nil }
    var field = check
    field?.trailing = 0
    return PacketFormat(start: start, extent: extent, check: field, tail: end)
  }
}

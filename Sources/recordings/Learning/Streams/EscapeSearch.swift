import Framing

/// An encoding that a checksum proves, with where the plain frames end.
struct FoundEncoding {
  var encoding: StreamEncoding
  var layout: Layout
}

/// Looks for frames between delimiters that are escaped inside. The proof is a checksum that frames with escapes have once they
/// are decoded, and do not have before.
struct EscapeSearch {
  private let values: [ValueStream.Item]

  /// - Parameter plain: the layout without an encoding.
  init(_ values: [ValueStream.Item], _ plain: Layout) {
    let isExplained = plain.check.map { $0.agreeing == $0.cases } ?? false
    self.values = isExplained ? [] : Array(values.prefix(Layout.sampleSize))
  }

  func find() -> FoundEncoding? {
    [.slip(isOpened: true), .stuffed(special: [0x7E], isOpened: true)].lazy.compactMap(proven).first
  }

  private func proven(_ kind: StreamEncoding) -> FoundEncoding? {
    guard let frames = EscapedFrames(values, kind), frames.plain.count > 2,
      let check = ChecksumSearch(frames.plain).find()
    else { return nil }
    let escaped = zip(frames.plain, frames.raw).filter { $0 != $1 }
    let right = escaped.count { $0.0.has(check.field) && !$0.1.has(check.field) }
    guard right * check.field.checksum.width > 1, right * 10 >= escaped.count * 9 else { return nil }
    return FoundEncoding(
      encoding: frames.encoding, layout: Layout(rule: frames.framing, check: check))
  }
}

/// The different frames between delimiters, raw and plain.
struct EscapedFrames {
  let raw: [[UInt8]]
  let plain: [[UInt8]]
  /// The encoding with what the frames show of it.
  let encoding: StreamEncoding
  let framing: FramingRule

  /// nil: values do not end with the delimiter, or some frame cannot be decoded.
  init?(_ values: [ValueStream.Item], _ kind: StreamEncoding) {
    guard let delimiter = kind.delimiter, let escape = kind.escape, let rule = kind.framing,
      values.contains(where: { $0.bytes.last == delimiter })
    else { return nil }
    let cut = FrameCut(values, by: rule)
    let frames = cut.frames.map(\.bytes)
    let raw = frames.filter { !$0.isEmpty }
    let plain = raw.compactMap(kind.plain(frame:))
    guard plain.count == raw.count, cut.unframed.count * 10 <= values.count else { return nil }
    self.raw = raw.distinct
    self.plain = self.raw.compactMap(kind.plain(frame:))
    framing = FramingRule(
      .delimited(Delimiter([delimiter])), maxLength: Layout.limit(for: (raw.map(\.count).max() ?? 0) + 1))
    let isOpened = (frames.count - raw.count) * 2 >= raw.count
    switch kind {
    case .stuffed:
      let changed = self.raw.flatMap { raw in
        zip(raw, raw.dropFirst()).filter { $0.0 == escape }.map { $0.1 ^ 0x20 }
      }
      let untouched = Set(self.raw.joined())
      let special = Set(changed).subtracting(untouched).union([delimiter])
      encoding = .stuffed(special: special.sorted(), isOpened: isOpened)
    case .slip, .xor: encoding = .slip(isOpened: isOpened)
    }
  }
}

import Bluetooth
import Framing

extension StreamAnalysis {
  /// Infers framing, encoding, messages and fields from the values of a stream alone.
  package init(_ stream: ValueStream) {
    let plain = Layout(of: stream.values)
    let encoded = EscapeSearch(stream.values, plain).find() ?? KeySearch(stream.values, plain).find()
    self.init(stream, encoded?.layout ?? plain, encoded?.encoding)
  }

  /// What a stream shows if it has this layout, once it is decoded.
  init(_ stream: ValueStream, _ layout: Layout, _ encoding: StreamEncoding?) {
    self.init(unexamined: stream)
    (framing, check, self.encoding) = (layout.rule, layout.check?.field, encoding)
    let cut = FrameCut(stream.values, by: framing, encoding)
    (frames, unframed) = (cut.frames, cut.unframed)
    let isRequest = stream.direction == .fromCentral
    let texts = TextMessages(
      frames.map(\.bytes), prefix: stream.prefix, id: stream.id, isRequest: isRequest)
    if check == nil, let texts {
      messages = texts.messages
      claims = layout.claims + layout.claims(about: self)
      claims.append(
        Layout.Claim("text: \(messages.count) kinds of lines", frames.count, of: frames.count))
      return
    }
    let format = MessageFormat(frames.map(\.bytes), layout)
    let groups = MessageGroups(frames.map(\.bytes), format, prefix: stream.prefix, id: stream.id)
    claims = layout.claims + layout.claims(about: self) + format.claims + groups.claims
    for group in groups.groups { add(group, format) }
  }

  private mutating func add(_ group: MessageGroups.Group, _ format: MessageFormat) {
    let frames = group.frames.map { self.frames[$0] }
    var ends = format.ends(of: frames.map(\.bytes))
    ends.isRequest = stream.direction == .fromCentral
    var fields = FieldSearch(frames, of: messages.count, ends)
    messages.append(LearntMessage(group.name, fields.parts(), frames: group.frames))
    claims += fields.claims
  }
}

extension ValueStream {
  /// As in ``Evidence``: `FFE1 ->`.
  package var place: String { "\(id) \(direction == .fromDevice ? "->" : "<-")" }

  fileprivate var prefix: String { direction == .fromDevice ? "value" : "request" }
}

extension Layout {
  /// What the framing and the checksum explain.
  func claims(about analysis: StreamAnalysis) -> [Claim] {
    let values = analysis.stream.values.count
    let frames = analysis.frames
    var claims: [Claim] = []
    if let rule {
      claims += rule.claims(about: frames.map(\.bytes))
      claims.append(Claim("values with all bytes in frames", values - analysis.unframed.count, of: values))
      let joined = frames.count { $0.values.count > 1 }
      if joined > 0 {
        claims.append(
          Claim(
            "frames sent in several values, at most \(frames.map(\.values.count).max() ?? 0)", joined,
            of: frames.count))
      }
    }
    if let check {
      let agreeing = frames.count { $0.bytes.has(check.field) }
      if let encoding = analysis.encoding {
        claims.append(Claim("\(encoding): with it, \(check.field.checksum) fits", agreeing, of: frames.count))
      }
      claims.append(Claim(check.field.text(in: frames.map(\.bytes)), agreeing, of: frames.count))
    }
    return claims
  }
}

extension CheckField {
  /// As in `sum8 over bytes 0 to 298`.
  fileprivate func text(in frames: [[UInt8]]) -> String {
    let sizes = Set(frames.filter { $0.has(self) }.map(\.count))
    guard sizes.count == 1, let size = sizes.first else {
      return "\(checksum) over byte \(start) to the checksum"
    }
    return "\(checksum) over bytes \(start) to \(size - self.size - 1)"
  }
}

extension FramingRule {
  fileprivate func claims(about frames: [[UInt8]]) -> [Layout.Claim] {
    let formats: [PacketFormat] =
      switch shape {
      case .packet(let format): [format]
      case .alternatives(let formats): formats
      case .raw, .delimited, .idle: []
      }
    return formats.map { format in
      let own = frames.count { $0.starts(with: format.start) }
      return Layout.Claim(
        "frames that start with \(HexText.format(format.start)): \(format.extent.text)", own, of: frames.count
      )
    }
  }
}

extension PacketFormat.Extent {
  fileprivate var text: String {
    switch self {
    case .fixed(let size): "\(size) bytes"
    case .untilTail: "up to their tail"
    case .lengthField(let field):
      "\(field.width * 8)-bit length\(field.width > 1 ? " (\(field.byteOrder.rawValue))" : "") at byte \(field.offset)"
    }
  }
}

extension [StreamAnalysis] {
  /// Analyses the streams of a device. What proves an encoding is often in one direction only: the others have it too if their
  /// frames then have the same checksum.
  init(of values: [ValueStream]) {
    let alone = values.map { StreamAnalysis($0) }
    let encoded = alone.filter { $0.encoding != nil }
    self = alone.map { analysis in
      analysis.encoding == nil ? encoded.lazy.compactMap(analysis.decoded).first ?? analysis : analysis
    }
  }
}

extension StreamAnalysis {
  /// The same values with the encoding of another stream; nil: they do not have it.
  fileprivate func decoded(like other: StreamAnalysis) -> StreamAnalysis? {
    guard let known = other.encoding, let check = other.check else { return nil }
    let frames = EscapedFrames(stream.values, known)
    guard known.delimiter == nil ? self.check == nil : frames != nil else { return nil }
    let encoding = frames?.encoding ?? known
    for rule in frames.map({ [$0.framing] }) ?? [other.framing, nil].distinct {
      let cut = FrameCut(stream.values, by: rule, encoding)
      let frames = cut.frames.map(\.bytes).distinct
      guard cut.unframed.isEmpty, frames.count * check.checksum.width > 1,
        frames.allSatisfy({ $0.has(check) })
      else { continue }
      let found = FoundChecksum(field: check, agreeing: frames.count, cases: frames.count)
      return StreamAnalysis(stream, Layout(rule: rule, check: found), encoding)
    }
    return nil
  }
}

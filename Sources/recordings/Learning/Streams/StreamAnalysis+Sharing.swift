import Framing

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

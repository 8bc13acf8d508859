extension MessageTemplate {
  /// Where a frame that is this message has its checksums; empty: it has none, or is another message.
  package func checksums(in frame: [UInt8]) -> [Range<Int>] {
    guard hasChecksum else { return [] }
    var matcher = TemplateMatcher(program, frame: frame)
    matcher.notesChecksums = true
    return matcher.run() ? matcher.state.checksums : []
  }

  private var hasChecksum: Bool {
    program.instructions.contains { if case .checksum = $0 { true } else { false } }
  }
}

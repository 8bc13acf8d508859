import Framing

extension DefinitionDecoder {
  func decodeFraming() {
    for entry in root["framing"]?.entries ?? [] {
      if entry.key.text == "wire" {
        definition.wire.framing = rule(entry.value)
        continue
      }
      guard let index = characteristic(entry.key), let rule = rule(entry.value) else { continue }
      let owner = definition.characteristics[index]
      if !owner.canBeWritten, !owner.canNotify {
        log.error(
          "no bytes go in or out at '\(owner.id)', so there are no frames", at: entry.key.range,
          hint: "it is neither written nor notified")
      }
      definition.characteristics[index].framing = rule
    }
  }

  private func rule(_ node: YAMLNode) -> FramingRule? {
    let gap = duration(node["gap"]).map { Duration.milliseconds($0) }
    let limit = integer(node["max"]) ?? FramingRule.defaultMaxLength
    return shape(node).map { FramingRule($0, gap: gap, maxLength: limit) }
  }

  /// A delimiter, a silence, or the outline of a packet.
  private func shape(_ node: YAMLNode) -> FramingRule.Shape? {
    if let bytes = node["delimiter"] { return delimiter(bytes) }
    if let silence = node["idle"] { return duration(silence).map { .idle(.milliseconds($0)) } }
    return packet(node).map(FramingRule.Shape.packet)
  }

  private func delimiter(_ node: YAMLNode?) -> FramingRule.Shape? {
    guard let bytes = fixedBytes(node) else { return nil }
    return .delimited(Delimiter(bytes))
  }

  /// At least one byte, without holes.
  private func fixedBytes(_ node: YAMLNode?) -> [UInt8]? {
    let bytes = read(node) { text throws(TextError) in try HexLiteral.parse(text, start: 0) }
    if let node, bytes?.isEmpty == true { log.error("expected at least one byte in hex", at: node.range) }
    return bytes?.isEmpty == true ? nil : bytes
  }

  private func packet(_ node: YAMLNode) -> PacketFormat? {
    guard let extent = extent(node) else { return nil }
    var check: CheckField?
    if let name = node["check"]?.text, let checksum = Checksum.named(name) {
      check = CheckField(checksum, from: integer(node["check-from"]) ?? 0)
    }
    let start = fixedBytes(node["start"])
    let tail = fixedBytes(node["tail"])
    guard (start == nil) == (node["start"] == nil), (tail == nil) == (node["tail"] == nil) else { return nil }
    if case .fixed(let size) = extent {
      let outline = PacketFormat(
        start: start ?? [], extent: .fixed(.max), check: check, tail: tail ?? [])
      if size < outline.minimumLength {
        log.error(
          "\(size) bytes have no room for start, check and tail", at: node["size"]!.range,
          hint: "they take \(outline.minimumLength)")
        return nil
      }
    }
    return PacketFormat(start: start ?? [], extent: extent, check: check, tail: tail ?? [])
  }

  private func extent(_ node: YAMLNode) -> PacketFormat.Extent? {
    if let size = node["size"] { return integer(size).map(PacketFormat.Extent.fixed) }
    guard let length = node["length"] else { return node["tail"] == nil ? nil : .untilTail }
    guard let offset = integer(length["at"]),
      let counts = length["counts"]?.text.flatMap(LengthField.Counts.init)
    else { return nil }
    return .lengthField(
      LengthField(
        at: offset, width: integer(length["width"]) ?? 1,
        byteOrder: length["order"]?.text == "little-endian" ? .littleEndian : .bigEndian, counts: counts,
        adjust: integer(length["adjust"]) ?? 0))
  }

  /// The number that stands there; nil also when it is out of range, which has been reported.
  func integer(_ node: YAMLNode?) -> Int? {
    guard let node, !log.hasError(at: node.range) else { return nil }
    return node.text.flatMap(IntegerText.parse)
  }
}

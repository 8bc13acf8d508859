import DeviceModel
import Framing

// Checksums, framing, and messages.
extension DefinitionWriter {
  func framing() throws -> [YAMLValue.Entry] {
    let places =
      device.characteristics.indices.map { Rule.Endpoint.characteristic($0) }
      + device.channels.indices.map { .channel($0) } + device.sought.indices.map { .sought($0) }
      + device.layers.indices.map { .layer($0) } + [.wire]
    return try places.compactMap { place in
      let (rule, coding) = (device.framing(of: place), device.coding(of: place))
      if let out = device.outFraming(of: place) {
        return .init(device.name(of: place), try framings(rule, out, coding, at: place))
      }
      guard rule != nil || coding != nil else { return nil }
      let name = device.name(of: place)
      let formats = try rule.map { try Self.formats($0, coding?.packet, at: name) } ?? [[]]
      let codings = try self.coding(coding)
      return .init(name, .oneOrMore(formats.map { .object($0 + codings, .compact) }, .block))
    }
  }

  /// A framing for each direction.
  private func framings(
    _ rule: FramingRule?, _ out: FramingRule, _ coding: StreamCoding?, at place: Rule.Endpoint
  ) throws -> YAMLValue {
    let (codings, name) = (try self.coding(coding), device.name(of: place))
    func direction(
      _ rule: FramingRule?, _ packet: PacketFormat?, _ keys: [String]
    ) throws -> YAMLValue? {
      let formats = try rule.map { try Self.formats($0, packet, at: name) } ?? [[]]
      let objects = formats.map { $0 + codings.filter { keys.contains($0.key) } }
      guard objects.contains(where: { !$0.isEmpty }) else { return nil }
      return .oneOrMore(objects.map { .object($0, .compact) }, .block)
    }
    var entries: [YAMLValue.Entry] = []
    entries.add("in", try direction(rule, coding?.packet, ["decode", "decode-frame"]))
    entries.add("out", try direction(out, coding?.sentPacket, ["encode", "encode-frame"]))
    return .object(entries, .compact)
  }

  /// The keys of each format of a place's frames.
  private static func formats(
    _ rule: FramingRule, _ packet: PacketFormat?, at place: String
  ) throws -> [[YAMLValue.Entry]] {
    var limits: [YAMLValue.Entry] = []
    let standard = FramingRule(rule.shape, gap: rule.gap)
    if rule.maxLength != standard.maxLength { limits.add("max", .number(rule.maxLength)) }
    let gap = rule.gap.map { YAMLValue.Entry("gap", duration($0)) }
    switch rule.shape {
    case .raw: throw WritingError.noFraming(place: place)
    case .delimited(let delimiter):
      return [[.init("delimiter", bytes(delimiter.bytes))] + [gap].compactMap(\.self) + limits]
    case .idle(let silence): return [[.init("idle", duration(silence))] + limits]
    case .packet(let format):
      // Where frames are decoded, their framer does not check them.
      return [Self.packet(packet ?? format) + [gap].compactMap(\.self) + limits]
    case .alternatives(let formats):
      return formats.enumerated().map { index, format in
        Self.packet(format) + (index == 0 ? [gap].compactMap(\.self) : []) + limits
      }
    }
  }

  private static func packet(_ format: PacketFormat) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    if !format.start.isEmpty {
      entries.add("start", .quoted(MaskedBytes(format.start, format.startMask).text))
    }
    switch format.extent {
    case .fixed(let size): entries.add("size", .number(size))
    case .lengthField(let field): entries.add("length", length(field))
    case .untilTail: break
    }
    if !format.tail.isEmpty { entries.add("tail", bytes(format.tail)) }
    if let check = format.check {
      entries.add("check", .text(check.checksum.description))
      if check.start > 0 { entries.add("check-from", .number(check.start)) }
    }
    if let condition = format.condition { entries.add("check", .text(condition.source)) }
    return entries
  }

  private static func length(_ field: LengthField) -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("at", .number(field.offset))]
    if field.width != 1 { entries.add("width", .number(field.width)) }
    if field.byteOrder == .littleEndian { entries.add("order", .word("little-endian")) }
    entries.add("counts", .word(field.counts.rawValue))
    if field.adjust != 0 { entries.add("adjust", .number(field.adjust)) }
    return .object(entries, .compact)
  }

  private func coding(_ coding: StreamCoding?) throws -> [YAMLValue.Entry] {
    guard let coding else { return [] }
    let value = ExpressionWriter(device: device, names: names.adding([.value]))
    let frame = ExpressionWriter(device: device, names: names.adding([.frame]))
    var entries: [YAMLValue.Entry] = []
    entries.add("decode", try coding.valueDecoder.map { try value.value($0) })
    entries.add("encode", try coding.valueEncoder.map { try value.value($0) })
    entries.add("decode-frame", try coding.frameDecoder.map { try frame.value($0) })
    entries.add("encode-frame", try coding.frameEncoder.map { try frame.value($0) })
    return entries
  }

  /// nil: blemu has it.
  func checksum(_ checksum: Checksum) -> YAMLValue.Entry? {
    guard let defined = checksum.definition else { return nil }
    let isLittle = defined.byteOrder == .littleEndian
    guard defined.width > 1 || isLittle else { return .init(checksum.name, .text(defined.source)) }
    var entries: [YAMLValue.Entry] = [.init("expression", .text(defined.source))]
    if defined.width > 1 { entries.add("width", .number(defined.width)) }
    if isLittle { entries.add("order", .word("little-endian")) }
    return .init(checksum.name, .object(entries, .compact))
  }

  private static func bytes(_ bytes: [UInt8]) -> YAMLValue { .quoted(HexText.format(bytes)) }

  // MARK: Messages

  func message(_ message: MessageTemplate) -> YAMLValue.Entry {
    .init(
      message.name,
      message.form == .bytes ? .quoted(message.source) : Self.message(message.source, message.form))
  }

  /// A message that is written where it is used.
  static func message(_ source: String, _ form: MessageTemplate.Form) -> YAMLValue {
    switch form {
    case .bytes: .object([.init("bytes", .quoted(source))], .compact)
    case .text(ignoringCase: false): .object([.init("text", .quoted(source))], .compact)
    case .text(ignoringCase: true):
      .object([.init("text", .quoted(source)), .init("ignore-case", .flag(true))], .compact)
    }
  }
}

import DeviceModel
import Framing

/// Reads how bytes become frames.
struct FramingDecoder {
  /// How the bytes of a place become frames; nil: each value is one.
  struct Framing {
    let endpoint: Rule.Endpoint
    var rule: FramingRule?
    /// How a central joins what is sent there, if that differs.
    var outRule: FramingRule?
    var coding: StreamCoding?
  }

  let finder: CharacteristicFinder
  var names: NameScope
  let log: DiagnosticLog

  func framing(_ entries: [Entry<[Node<Language.Framing>]>]) -> [Framing] {
    entries.compactMap { entry in
      if entry.value.isEmpty, !log.hasErrors { log.error(.noFormats, at: entry.key.range) }
      guard let endpoint = endpoint(entry.key) else { return nil }
      var decoder = self
      // What goes through a layer comes from a central or goes to one.
      if case .layer = endpoint { decoder.names.hasCentral = true }
      return decoder.framing(entry.value, of: endpoint)
    }
  }

  private func framing(_ formats: [Node<Language.Framing>], of endpoint: Rule.Endpoint) -> Framing? {
    if let both = formats.first(where: { !$0.incoming.isEmpty || !$0.outgoing.isEmpty }) {
      return framing(both, isAlone: formats.count == 1, of: endpoint)
    }
    if formats.count == 1, formats[0].isCoding {
      return Framing(endpoint: endpoint, coding: coding(formats[0], .raw))
    }
    guard let rule = rule(formats) else { return nil }
    let coding = formats.count == 1 ? coding(formats[0], rule.shape) : nil
    return Framing(
      endpoint: endpoint, rule: coding?.frameDecoder == nil ? rule : rule.unchecked, coding: coding)
  }

  /// A framing for each direction.
  private func framing(
    _ node: Node<Language.Framing>, isAlone: Bool, of endpoint: Rule.Endpoint
  ) -> Framing? {
    guard isAlone else {
      log.error(.directedAlternative, at: node.range)
      return nil
    }
    let (into, out) = (node.incoming, node.outgoing)
    check(into.first, out.first, of: endpoint)
    var framing = Framing(endpoint: endpoint)
    if !into.isEmpty, !(into.count == 1 && into[0].isCoding) {
      guard let rule = rule(into) else { return nil }
      framing.rule = rule
    }
    if !out.isEmpty, !(out.count == 1 && out[0].isCoding) {
      guard let rule = rule(out) else { return nil }
      framing.outRule = rule
    }
    guard (into + out).contains(where: { !$0.coding.isEmpty }) else { return framing }
    framing.coding = coding(
      into.count == 1 ? into[0] : nil, out.count == 1 ? out[0] : nil, framing.rule?.shape ?? .raw,
      framing.outRule?.shape)
    if framing.coding?.frameDecoder != nil { framing.rule = framing.rule?.unchecked }
    if framing.coding?.joinsAtPeer == true { framing.outRule = framing.outRule?.unchecked }
    return framing
  }

  /// Whether the place has both directions, and each one its own expressions.
  private func check(
    _ into: Node<Language.Framing>?, _ out: Node<Language.Framing>?, of endpoint: Rule.Endpoint
  ) {
    if let encode = into?.encode ?? into?.encodeFrame {
      log.error(.otherDirection(isSent: true), at: encode.range)
    }
    if let decode = out?.decode ?? out?.decodeFrame {
      log.error(.otherDirection(isSent: false), at: decode.range)
    }
    switch endpoint {
    case .wire, .layer:
      if let out { log.error(.unjoinedPlace(isLayer: endpoint != .wire), at: out.range) }
    case .characteristic(let index):
      if let into, !finder.all[index].canBeWritten {
        log.error(.notWritable(id: finder.all[index].id), at: into.range)
      }
      if let out, !finder.all[index].canNotify {
        log.error(.notNotifying(id: finder.all[index].id), at: out.range)
      }
    case .channel, .sought: break
    }
  }

  private func endpoint(_ name: Scalar) -> Rule.Endpoint? {
    if name.text == "wire" { return .wire }
    let place = finder.place(name) { finder.characteristic($0, orAt: $1) }
    if case .characteristic(let index) = place, !finder.all[index].canBeWritten, !finder.all[index].canNotify
    {
      log.error(.noFrames(id: name.text), at: name.range)
    }
    return place
  }

  /// The longest silence and the longest frame of alternatives hold for all of them.
  private func rule(_ nodes: [Node<Language.Framing>]) -> FramingRule? {
    let gap = nodes.compactMap { log.duration($0.gap) }.max().map { Duration.milliseconds($0) }
    let limits = nodes.map { $0.max?.value ?? FramingRule.defaultMaxLength }
    let shape = nodes.count == 1 ? shape(nodes[0]) : alternatives(nodes)
    guard let shape, let limit = limits.max() else { return nil }
    return FramingRule(shape, gap: gap, maxLength: limit)
  }

  /// Packets of several formats.
  private func alternatives(_ nodes: [Node<Language.Framing>]) -> FramingRule.Shape? {
    let packets = nodes.compactMap { node -> PacketFormat? in
      if let coding = node.coding.first {
        log.error(.codedAlternative, at: coding.range)
        return nil
      }
      if let end = node.delimiter ?? node.idle {
        log.error(.noAlternative(isSilence: node.idle != nil), at: end.range)
        return nil
      }
      return packet(node)
    }
    return packets.count == nodes.count ? .alternatives(packets) : nil
  }

  /// How its bytes are encoded; nil: they are not encoded.
  private func coding(_ node: Node<Language.Framing>, _ shape: FramingRule.Shape) -> StreamCoding? {
    node.coding.isEmpty ? nil : coding(node, node, shape, nil)
  }

  private func coding(
    _ into: Node<Language.Framing>?, _ out: Node<Language.Framing>?, _ shape: FramingRule.Shape,
    _ outShape: FramingRule.Shape?
  ) -> StreamCoding {
    let value = names.adding([.value])
    let frame = names.adding([.frame])
    return StreamCoding(
      valueDecoder: expression(into?.decode, value), valueEncoder: expression(out?.encode, value),
      frameDecoder: expression(into?.decodeFrame, frame), frameEncoder: expression(out?.encodeFrame, frame),
      shape: shape, outShape: outShape)
  }

  /// For bytes, or for text, which counts as UTF-8.
  private func expression(_ scalar: Scalar?, _ names: NameScope) -> Expression? {
    log.read(scalar) { text throws(TextError) in
      let typed = try ExpressionChecker.check(text, in: names)
      guard typed.type == .bytes || typed.type == .text else {
        throw TextError(.mismatchedType(typed.type, expected: .bytes), 0..<text.unicodeScalars.count)
      }
      return typed.expression
    }
  }

  /// A delimiter, a silence, or the outline of a packet.
  private func shape(_ node: Node<Language.Framing>) -> FramingRule.Shape? {
    if let delimiter = node.delimiter { return bytes(delimiter).map { .delimited(Delimiter($0)) } }
    if let silence = node.idle { return log.duration(silence).map { .idle(.milliseconds($0)) } }
    return packet(node).map(FramingRule.Shape.packet)
  }

  /// At least one byte, without holes.
  private func bytes(_ scalar: Scalar?) -> [UInt8]? {
    let bytes = log.read(scalar) { text throws(TextError) in try HexLiteral.parse(text, start: 0) }
    guard let scalar, bytes?.isEmpty == true else { return bytes }
    log.error(.emptyBytes(control: scalar.text.utf8.filter { $0 < 0x20 }), at: scalar.range)
    return nil
  }

  /// At least one byte. `*` is a digit of any value, and a mask may follow a byte, after `/`.
  private func maskedBytes(_ scalar: Scalar?) -> MaskedBytes? {
    if let masked = scalar.flatMap({ MaskedBytes($0.text) }) { return masked }
    return bytes(scalar).map { MaskedBytes($0, []) }
  }

  private func packet(_ node: Node<Language.Framing>) -> PacketFormat? {
    let (start, tail) = (maskedBytes(node.start), bytes(node.tail))
    guard (start == nil) == (node.start == nil), (tail == nil) == (node.tail == nil),
      let extent = extent(node)
    else { return nil }
    var (check, condition): (CheckField?, FrameCondition?)
    if let source: Scalar = node.check {
      if source.text.hasPart("frame") {
        condition = self.condition(source, node)
      } else {
        check = checksum(source).map { CheckField($0, from: node.checkStart?.value ?? 0) }
      }
      if check == nil, condition == nil { return nil }
    }
    let packet = { [check, condition] (extent: PacketFormat.Extent) -> PacketFormat in
      PacketFormat(
        start: start?.bytes ?? [], startMask: start?.mask ?? [], extent: extent, check: check,
        condition: condition, tail: tail ?? [])
    }
    let least = packet(.fixed(.max)).minimumLength
    if let size = node.size, size.value < least {
      log.error(.tooShortPacket(size: size.value, least: least), at: size.range)
      return nil
    }
    return packet(extent)
  }

  /// What an expression over the whole `frame` requires.
  private func condition(_ source: Scalar, _ node: Node<Language.Framing>) -> FrameCondition? {
    if let start = node.checkStart { log.error(.checkOfWholeFrame, at: start.range) }
    return ChecksumDecoder(log: log).condition(source, names)
  }

  /// - Parameter name: the name of a checksum, or the expression of one.
  private func checksum(_ name: Scalar) -> Checksum? {
    if let checksum = Checksum.named(name.text, or: names.checksums) { return checksum }
    if name.text.hasPart("bytes"), !Identifier.isValid(name.text) {
      return ChecksumDecoder(log: log).checksum(name, names)
    }
    if !log.gaps.hides(name.text, in: Language.Definition.outline.keys.checksums) {
      log.error(.unknownCheck(name.text, own: names.checksums), at: name.range)
    }
    return nil
  }

  private func extent(_ node: Node<Language.Framing>) -> PacketFormat.Extent? {
    if let size = node.size { return .fixed(size.value) }
    guard let length = node.length else { return node.tail == nil ? nil : .untilTail }
    guard let offset = length.at,
      let counts = length.counts.flatMap({ LengthField.Counts(rawValue: $0.text) })
    else { return nil }
    return .lengthField(
      LengthField(
        at: offset.value, width: length.width?.value ?? 1,
        byteOrder: length.order?.text == "little-endian" ? .littleEndian : .bigEndian, counts: counts,
        adjust: length.adjust?.value ?? 0))
  }
}

extension Node where Keys == Language.Framing {
  /// The expressions that encode and decode.
  fileprivate var coding: [Scalar] {
    [self.decode, self.encode, self.decodeFrame, self.encodeFrame].compactMap { $0 }
  }

  /// Whether it has no other keys.
  fileprivate var isCoding: Bool {
    !coding.isEmpty && self.delimiter == nil && self.idle == nil && self.size == nil && self.length == nil
      && self.tail == nil
  }
}

extension FramingRule {
  /// The same frames, without a check of their checksums.
  fileprivate var unchecked: Self {
    guard case .packet(let format) = shape else { return self }
    return Self(.packet(format.unchecked), gap: gap, maxLength: maxLength)
  }
}

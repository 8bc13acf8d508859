import Framing

/// Messages of Protocol Buffers: the known fields in any order, of which the last one counts.
extension TemplateMatcher {
  /// Tries a message with the first possible size, and notes the other sizes for later.
  ///
  /// - Parameter slot: that of the one row that has its fields; nil: they are fields of the template.
  mutating func takeProtobuf(
    _ index: Int, _ slot: Int?, of message: MessageTemplate, from frame: Span<UInt8>
  ) -> Bool {
    let tried = least ?? 0
    least = nil
    let sizes = 0...MessageTemplate.maximumSize
    guard let possible = possibleSizes(slot, sizes, message, frame), tried <= possible.upperBound else {
      return false
    }
    let most = possible.upperBound
    guard let size = border(max(tried, possible.lowerBound), most, message, frame) else { return false }
    if size < most { addChoice(goingOnAt: state.index - 1, least: size + 1) }
    guard let place = take(size, from: frame) else { return false }
    if let slot { captures += [.group(slot), .row(slot)] }
    guard takeFields(message.program.protobufs[index], in: place, of: message, from: frame) else {
      return false
    }
    return slot.map { agree(on: size, .size, of: $0, message) } ?? true
  }

  private mutating func takeFields(
    _ layout: ProtobufLayout, in place: Range<Int>, of message: MessageTemplate, from frame: Span<UInt8>
  ) -> Bool {
    var all = ProtobufReader(place)
    while all.next(in: frame, &steps) != nil {}
    if all.isBroken { return false }
    for field in layout.fields {
      guard steps <= Self.budget, take(field, in: place, of: message, from: frame) else { return false }
    }
    return true
  }

  private mutating func take(
    _ field: ProtobufLayout.Field, in place: Range<Int>, of message: MessageTemplate, from frame: Span<UInt8>
  ) -> Bool {
    if let group = field.group { captures.append(.group(group)) }
    var last: Range<Int>?
    var reader = ProtobufReader(place)
    while let entry = reader.next(in: frame, &steps) {
      guard entry.number == field.number else { continue }
      // Packed values come in any number of pieces.
      if field.isPacked, entry.type == .length {
        guard takePacked(field, in: entry.place, of: message, from: frame) else { return false }
      } else if entry.type != field.wireType {
        continue  // a field of another type, which is as good as unknown
      } else if field.isRepeated {
        guard takeValue(of: field, at: entry.place, message, frame) else { return false }
      } else {
        last = entry.place
      }
    }
    if let last { return takeValue(of: field, at: last, message, frame) }
    // A number with names has one also if it is absent.
    if case .value(let slot, .named(let names, _)) = field.content, !field.isRepeated, !field.isOptional,
      names.name(of: 0) != nil
    {
      captures.append(.number(slot, 0))
    }
    return true
  }

  private mutating func takePacked(
    _ field: ProtobufLayout.Field, in place: Range<Int>, of message: MessageTemplate, from frame: Span<UInt8>
  ) -> Bool {
    var position = place.lowerBound
    while position < place.upperBound {
      steps += 1
      let size =
        switch field.wireType {
        case .fixed32: 4
        case .fixed64: 8
        default: Varint.read(frame, at: position)?.size ?? place.count + 1
        }
      guard position + size <= place.upperBound,
        takeValue(of: field, at: position..<position + size, message, frame)
      else { return false }
      position += size
    }
    return true
  }

  private mutating func takeValue(
    of field: ProtobufLayout.Field, at place: Range<Int>, _ message: MessageTemplate, _ frame: Span<UInt8>
  ) -> Bool {
    if let group = field.group { captures.append(.row(group)) }
    steps += 1 + place.count / 16
    switch field.content {
    case .message(let layout): return takeFields(layout, in: place, of: message, from: frame)
    case .value(let slot, let encoding):
      guard let value = encoding.decode(frame.extracting(place)) else { return false }
      captures.append(.field(slot, place))
      if case .integer(let number) = value { remember(number, of: slot, message) }
      return true
    }
  }
}

/// The fields of a received message.
///
/// Most stay bytes of its frame until an expression asks for one. Rows, which take time to put together, do not.
package struct MessageFields: Sendable {
  fileprivate enum Content: Sendable {
    case values([Value])
    case places(MessageTemplate, [TemplateMatcher.Capture])
  }

  private var content: Content
  /// The fields of the rule that takes the message, by their index in the message; nil: they are those of the message.
  private var order: [Int]?

  package init(_ values: [Value] = []) { content = .values(values) }

  /// - Parameter order: the index in the message of each field; nil: all fields in the order of the message.
  fileprivate init(_ content: Content, order: [Int]?) { (self.content, self.order) = (content, order) }

  /// The value of a field: 0 or empty in an absent part.
  ///
  /// - Parameter frame: the frame that was the message.
  func value(_ index: Int, in frame: [UInt8]) -> Value {
    let field = order.map { $0[index] } ?? index
    switch content {
    case .values(let values): return values[field]
    case .places(let message, let captures):
      return message.value(of: field, among: captures, in: frame.span)
    }
  }

  /// The same fields, which no longer need the frame.
  package func detached(from frame: [UInt8]) -> MessageFields {
    guard case .places(let message, let captures) = content else { return self }
    let values = message.fields.indices.map { message.value(of: $0, among: captures, in: frame.span) }
    return MessageFields(.values(values), order: order)
  }
}

extension MessageTemplate {
  /// The fields of `frame` if it is this message; nil if it is not.
  ///
  /// - Parameter order: the indices of those that are asked for; nil: all.
  package func fields(
    of frame: [UInt8], in order: [Int]?, with matcher: inout TemplateMatcher
  ) -> MessageFields? {
    guard matcher.matches(frame.span, self) else { return nil }
    let hasRows = matcher.captures.contains { if case .group = $0 { true } else { false } }
    return MessageFields(
      hasRows ? .values(values(found: matcher, in: frame.span)) : .places(self, matcher.captures),
      order: order)
  }

  fileprivate func value(
    of field: Int, among captures: [TemplateMatcher.Capture], in frame: Span<UInt8>
  ) -> Value {
    for capture in captures {
      switch capture {
      case .field(let slot, let place) where program.slots[slot].field == field:
        return program.encodings[slot]?.decode(frame.extracting(place)) ?? zeros[field]
      case .number(let slot, let number) where program.slots[slot].field == field:
        return program.encodings[slot]?.value(of: number) ?? zeros[field]
      default: break
      }
    }
    return zeros[field]
  }
}

/// One message of a device, as a template that both recognises and builds it: `A5 06 03 {month: u8} {xor8}`.
///
/// It never changes, and each frame needs some. As a class, it costs nothing to pass on.
package final class MessageTemplate: Sendable {
  /// The longest message, bytes.
  package static let maximumSize = 4096

  /// The form of the text between the holes.
  package enum Form: Hashable, Sendable {
    /// Hex digits.
    case bytes
    /// UTF-8; the case of ASCII letters may be ignored.
    case text(ignoringCase: Bool)
  }

  package struct Field: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case value(FieldEncoding)
      /// A repeated part, with the fields of a row and how many rows it may have.
      case group([Field], rows: ClosedRange<Int>)
    }

    /// When a message has the field.
    package enum Presence: Hashable, Sendable {
      case always
      /// In a `maybe` block: if all of the block's fields have values.
      case optional
      /// In an `if` block: if the field with this name, in the same row or outside of it, is not 0.
      case conditional(on: String)
      /// In a message of Protocol Buffers: absent, it counts as 0 or empty, and then it is not written.
      case implicit
      /// Likewise, but it is written also if it is 0 or empty.
      case explicit
    }

    package var name: String
    package var content: Content
    package var presence: Presence

    package init(name: String, content: Content, presence: Presence = .always) {
      (self.name, self.content, self.presence) = (name, content, presence)
    }
  }

  package let name: String
  package let fields: [Field]
  /// The template as in the file.
  package let source: String
  package let form: Form
  let program: TemplateProgram
  let outline: TemplateOutline
  /// The values of the fields of a message whose optional parts are all absent.
  let zeros: [Value]

  /// - Parameters:
  ///   - source: the template as in the file.
  ///   - fields: the fields for the slots of `program`.
  package init(name: String, source: String, form: Form, fields: [Field], program: TemplateProgram) {
    (self.name, self.source, self.form) = (name, source, form)
    (self.fields, self.program) = (fields, program)
    outline = TemplateOutline(program)
    zeros = fields.map { .zero(of: $0.valueType) }
  }

  package var withoutName: MessageTemplate {
    MessageTemplate(name: "", source: source, form: form, fields: fields, program: program)
  }
}

extension MessageTemplate {
  /// How many times longer than a copy it takes to build a byte.
  var weight: Int { program.checks.reduce(1) { $0 + max(4, $1.checksum.weight) } }

  /// The number of bytes, if it is fixed.
  package var size: Int? { minimumSize == maximumSize ? minimumSize : nil }
  package var minimumSize: Int { program.sizes.lowerBound }
  package var maximumSize: Int { program.sizes.upperBound }

  /// The fields of each optional part, by index.
  package var optionalParts: [[Int]] {
    optionalSlots.map { slots in slots.map { program.slots[$0].field } }
  }

  /// The slots of each optional part outside of repeated parts.
  private var optionalSlots: [[Int]] {
    program.instructions.compactMap { instruction in
      guard case .maybe(let slots, _) = instruction else { return nil }
      let filled = program.filled(slots)
      return filled.allSatisfy { program.slots[$0].group == nil } ? filled : nil
    }
  }

  /// The fields' values if `frame` is this message, 0 or empty in an absent part; nil if it is not.
  package func parse(_ frame: [UInt8]) -> [Value]? {
    var matcher = TemplateMatcher()
    return matcher.matches(frame.span, self) ? values(found: matcher, in: frame.span) : nil
  }

  /// The values of the fields that a matcher has found.
  func values(found matcher: TemplateMatcher, in frame: Span<UInt8>) -> [Value] {
    var values = zeros
    matcher.forEachValue(of: self, in: frame) { values[$0] = $1 }
    return values
  }

  /// The fields' values for ``build(_:)`` if `frame` is this message, nil in an absent part.
  package func match(_ frame: [UInt8]) -> [Value?]? {
    var matcher = TemplateMatcher()
    guard matcher.matches(frame.span, self) else { return nil }
    var values = [Value?](repeating: nil, count: fields.count)
    matcher.forEachValue(of: self, in: frame.span) { values[$0] = $1 }
    return values
  }

  /// The message with these values, one for each of ``fields`` and of its type; nil: no value.
  package func build(
    _ values: [Value?], limit: Int = MessageTemplate.maximumSize
  ) throws(EncodingError) -> [UInt8] {
    precondition(values.count == fields.count, "'\(name)' has \(fields.count) fields")
    var builder = TemplateBuilder(self, limit: limit)
    return try builder.build(self, values)
  }
}

extension MessageTemplate.Field {
  package init(name: String, encoding: FieldEncoding) {
    self.init(name: name, content: .value(encoding))
  }

  /// Its encoding; nil for a repeated part.
  package var encoding: FieldEncoding? {
    if case .value(let encoding) = content { encoding } else { nil }
  }

  /// The fields of a row of a repeated part; empty for a single value.
  package var columns: [MessageTemplate.Field] {
    if case .group(let columns, _) = content { columns } else { [] }
  }

  /// Whether it has at most one row, whose fields need no index: a message of Protocol Buffers.
  package var isSingle: Bool {
    if case .group(_, rows: 0...1) = content { presence == .implicit } else { false }
  }

  package var valueType: ValueType {
    switch content {
    case .value(let encoding): encoding.valueType
    case .group(let columns, _): .group(columns.map { DataTable.Column(name: $0.name, type: $0.valueType) })
    }
  }

  /// Whether a value of ``valueType`` can be written.
  package func check(_ value: Value) throws(EncodingError) {
    switch (content, value) {
    case (.value(let encoding), _): try encoding.check(value)
    case (.group(let columns, let counts), .group(let rows)):
      guard counts.contains(rows.count) else { throw .rowCount(rows.count, counts) }
      for row in rows {
        for case (let column, let value?) in zip(columns, row) { try column.check(value) }
      }
    default: preconditionFailure("\(value.type) was checked to fit '\(name)'")
    }
  }
}

extension MessageTemplate {
  /// Where a frame that is this message has its checksums; empty: it has none, or is another message.
  package func checksums(in frame: [UInt8]) -> [Range<Int>] {
    var matcher = TemplateMatcher()
    guard !program.checks.isEmpty, matcher.matches(frame.span, self) else { return [] }
    return matcher.captures.compactMap { if case .checksum(let place) = $0 { place } else { nil } }
  }
}

extension MessageTemplate {
  /// A template whose holes hold expressions instead of names: `5A 05 {level + 1: u8} {crc8-maxim}`.
  ///
  /// It only builds. A hole without a type gets the value's text form: a text unchanged; bytes unchanged in a
  /// template of bytes, and as hex in one of text.
  package struct Inline: Sendable {
    package struct Hole: Hashable, Sendable {
      /// The expression.
      package var text: String
      /// Where it begins in the template, in Unicode scalars.
      package var offset: Int
      /// The whole hole.
      package var range: Range<Int>
      /// How its value is encoded; nil: in its text form.
      package var encoding: FieldEncoding?
      /// The encoding as in the file, for messages.
      package var type: String

      package init(text: String, offset: Int, range: Range<Int>, encoding: FieldEncoding?, type: String) {
        (self.text, self.offset, self.range) = (text, offset, range)
        (self.encoding, self.type) = (encoding, type)
      }
    }

    /// The holes in order.
    package let holes: [Hole]
    /// The message whose fields are the holes.
    private let message: MessageTemplate

    /// Nothing.
    package init() {
      holes = []
      message = Self.nothing
    }

    private static let nothing = MessageTemplate(
      name: "", source: "", form: .bytes, fields: [], program: TemplateProgram())

    /// - Parameters:
    ///   - source: the template as in the file.
    ///   - holes: one for each slot of `program`.
    package init(source: String, holes: [Hole], form: Form, program: TemplateProgram) {
      self.holes = holes
      let fields = holes.map { hole in
        Field(name: hole.text, encoding: hole.encoding ?? .bytes(0...maximumSize, pad: 0))
      }
      message = MessageTemplate(name: "", source: source, form: form, fields: fields, program: program)
    }
  }
}

extension MessageTemplate.Inline {
  /// The template as in the file.
  package var source: String { message.source }

  /// The form of the text between the holes.
  package var form: MessageTemplate.Form { message.form }

  /// The bytes with these values, one for each of ``holes``, and at most `limit` of them.
  package func build(
    _ values: [Value?], limit: Int = MessageTemplate.maximumSize
  ) throws(EncodingError) -> [UInt8] {
    try message.build(values, limit: limit)
  }

  /// The least number of bytes.
  package var minimumSize: Int { message.minimumSize }

  /// Whether it is empty.
  package var isEmpty: Bool { message.program.instructions.isEmpty }
}

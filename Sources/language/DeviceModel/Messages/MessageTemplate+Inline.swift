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

    /// The template as in the file.
    package let source: String
    /// The holes in order.
    package let holes: [Hole]
    /// The form of the text between them.
    package let form: Form
    private let program: TemplateProgram
    /// The texts of the holes.
    private let names: [String]

    /// Nothing.
    package init() {
      source = ""
      holes = []
      form = .bytes
      names = []
      program = TemplateProgram()
    }

    /// - Parameters:
    ///   - source: the template as in the file.
    ///   - holes: one for each slot of `program`.
    package init(source: String, holes: [Hole], form: Form, program: TemplateProgram) {
      (self.source, self.holes, self.form) = (source, holes, form)
      names = holes.map(\.text)
      self.program = program
    }
  }
}

extension MessageTemplate.Inline {
  /// The bytes with these values, one for each of ``holes``, and at most `limit` of them.
  package func build(
    _ values: [Value], limit: Int = MessageTemplate.maximumSize
  ) throws(EncodingError) -> [UInt8] {
    precondition(values.count == holes.count, "the template has \(holes.count) holes")
    var builder = TemplateBuilder(program, values: values, limit: limit, names: names)
    return try builder.run()
  }

  /// The least number of bytes.
  package var minimumSize: Int { program.sizes.lowerBound }

  /// Whether it is empty.
  package var isEmpty: Bool { program.instructions.isEmpty }
}

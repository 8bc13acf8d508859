import CYAML

/// Reads one YAML document into nodes, through libyaml.
///
/// Because people share definitions, it refuses files over ``maximumSize`` bytes, nesting over ``maximumDepth``, and anchors
/// and aliases, with which a few lines unfold into gigabytes.
package struct YAMLParser: ~Copyable {
  package static let maximumSize = 1 << 20
  package static let maximumDepth = 64

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let source: SourceText
  private let memory = Memory()

  /// The document's root.
  ///
  /// - Throws: the ``Diagnostic`` that says where and why the text is not YAML.
  package static func parse(_ source: SourceText) throws(Diagnostic) -> YAMLNode {
    try read(source) { parser throws(Diagnostic) in try parser.document() }
  }

  /// The values under some keys of the document's root, if that is a mapping. The text after the last of them is not read.
  static func values(
    under keys: [String], of source: SourceText
  ) throws(Diagnostic) -> [String: YAMLNode] {
    try read(source) { parser throws(Diagnostic) in try parser.values(under: keys) }
  }

  private static func read<Part>(
    _ source: SourceText, _ part: (borrowing YAMLParser) throws(Diagnostic) -> Part
  ) throws(Diagnostic) -> Part {
    guard source.text.utf8.count <= maximumSize else {
      let mistake = Mistake.tooLargeDefinition(bytes: source.text.utf8.count, most: maximumSize)
      throw Diagnostic(mistake, at: source.range(line: 1))
    }
    let text = source.text.isEmpty ? "\n" : source.text  // so that the buffer is never empty
    return try text.utf8.span.withUnsafeBufferPointer { bytes throws(Diagnostic) in
      try part(YAMLParser(source, input: bytes))
    }
  }

  private init(_ source: SourceText, input: UnsafeBufferPointer<UInt8>) {
    self.source = source
    parser = .allocate(capacity: 1)
    precondition(yaml_parser_initialize(parser) == 1, "libyaml: out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private borrowing func document() throws(Diagnostic) -> YAMLNode {
    let root = try node(from: try begin(), depth: 0)
    try expectEnd()
    return root
  }

  /// The first event of the root.
  private borrowing func begin() throws(Diagnostic) -> Event {
    while true {
      let event = try next()
      switch event.type {
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: continue
      case YAML_STREAM_END_EVENT: throw Diagnostic(.emptyDefinition, at: source.range(line: 1))
      default: return event
      }
    }
  }

  private borrowing func values(under keys: [String]) throws(Diagnostic) -> [String: YAMLNode] {
    var values: [String: YAMLNode] = [:]
    guard try begin().type == YAML_MAPPING_START_EVENT else { return values }
    while values.count < keys.count {
      let event = try next()
      if event.type == YAML_MAPPING_END_EVENT { break }
      let key = try node(from: event, depth: 1).text ?? ""
      if keys.contains(key) { values[key] = try node(from: try next(), depth: 1) } else { try skipNode() }
    }
    return values
  }

  private borrowing func skipNode() throws(Diagnostic) {
    var depth = 0
    repeat {
      switch try next().type {
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: depth += 1
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: depth -= 1
      default: break
      }
    } while depth > 0
  }

  private borrowing func expectEnd() throws(Diagnostic) {
    _ = try next()  // the end of the document
    let event = try next()
    guard event.type == YAML_STREAM_END_EVENT else {
      throw Diagnostic(.secondDocument, at: event.range)
    }
  }

  private borrowing func node(from event: Event, depth: Int) throws(Diagnostic) -> YAMLNode {
    guard depth < Self.maximumDepth else {
      throw Diagnostic(.tooDeepYAML(most: Self.maximumDepth), at: event.range)
    }
    if event.isAnchored {
      throw Diagnostic(.anchor(isAlias: event.type == YAML_ALIAS_EVENT), at: event.range)
    }
    if let tag = event.tag { throw Diagnostic(.tag(tag, of: event.text), at: event.range) }
    switch event.type {
    case YAML_SCALAR_EVENT:
      return YAMLNode(
        content: .scalar(event.text), range: event.range, textStart: textStart(of: event),
        readsEscapes: event.isDoubleQuoted)
    case YAML_SEQUENCE_START_EVENT: return try sequence(from: event, depth: depth)
    default: return try mapping(from: event, depth: depth)
    }
  }

  private borrowing func sequence(from start: Event, depth: Int) throws(Diagnostic) -> YAMLNode {
    var elements: [YAMLNode] = []
    while true {
      let event = try next()
      if event.type == YAML_SEQUENCE_END_EVENT {
        return YAMLNode(content: .sequence(elements), range: range(start.range.start, event.range.end))
      }
      elements.append(try node(from: event, depth: depth + 1))
    }
  }

  private borrowing func mapping(from start: Event, depth: Int) throws(Diagnostic) -> YAMLNode {
    var entries: [YAMLNode.Entry] = []
    while true {
      let event = try next()
      if event.type == YAML_MAPPING_END_EVENT {
        return YAMLNode(content: .mapping(entries), range: range(start.range.start, event.range.end))
      }
      let key = try node(from: event, depth: depth + 1)
      let value = try node(from: try next(), depth: depth + 1)
      entries.append(YAMLNode.Entry(key: key, value: value))
    }
  }

  /// A text is exactly the one of the file if it is as long: an escape is longer than its character.
  private borrowing func textStart(of event: Event) -> SourcePosition? {
    var (start, end) = (event.range.start, event.range.end)
    guard start.line == end.line, !event.isBlock else { return nil }
    if event.isQuoted {
      start.column += 1
      end.column -= 1
    }
    let count = event.text.utf8.count { $0 & 0xC0 != 0x80 }  // of scalars
    return count == end.column - start.column ? start : nil
  }
}

extension YAMLParser {
  /// The parts of a libyaml event that the parser uses.
  private struct Event {
    var type: yaml_event_type_t
    var range: SourceRange
    var text = ""
    var isQuoted = false
    var isDoubleQuoted = false
    /// Whether it is a text below `|` or `>`.
    var isBlock = false
    var isAnchored = false
    /// nil: it has none, or one of YAML's own types, which changes nothing.
    var tag: String?
  }

  /// The last event that the parser has read.
  private final class Memory {
    /// The last text in quotes, if nothing has followed it.
    var quotation: SourceRange?
  }

  private borrowing func next() throws(Diagnostic) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw syntaxError() }
    defer { yaml_event_delete(&raw) }
    var event = Event(type: raw.type, range: range(position(raw.start_mark), position(raw.end_mark)))
    switch raw.type {
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      event.text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      event.isDoubleQuoted = scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
      event.isQuoted = event.isDoubleQuoted || scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE
      event.isBlock = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
      event.isAnchored = scalar.anchor != nil
      event.tag = Self.tag(scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      event.isAnchored = raw.data.sequence_start.anchor != nil
      event.tag = Self.tag(raw.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      event.isAnchored = raw.data.mapping_start.anchor != nil
      event.tag = Self.tag(raw.data.mapping_start.tag)
    case YAML_ALIAS_EVENT: event.isAnchored = true
    default: break
    }
    memory.quotation = event.isQuoted ? event.range : nil
    return event
  }

  private static func tag(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let text else { return nil }
    let tag = String(cString: text)
    return tag.hasPrefix("tag:yaml.org,2002:") ? nil : tag
  }

  private borrowing func syntaxError() -> Diagnostic {
    let error = parser.pointee
    let problem = error.problem.map { String(cString: $0) } ?? "not valid YAML"
    let context = error.context.map { String(cString: $0) }
    if error.error == YAML_READER_ERROR {
      return Diagnostic(.unreadableYAML(problem), at: lineRange(atByte: error.problem_offset))
    }
    let failure = YAMLFailure(
      problem: problem, context: context, begun: position(error.context_mark),
      noticed: position(error.problem_mark), quotation: memory.quotation, source: source)
    if let (mistake, place) = failure.explanation { return Diagnostic(mistake, at: range(place, place)) }
    let place = place(of: error, context: context)
    let line = source.line(position(error.problem_mark).line)
    let mistake = Mistake.invalidYAML(problem: problem, context: context, line: line)
    return Diagnostic(mistake, at: range(place, place))
  }

  /// Where libyaml noticed the error or, if it noticed late, the beginning of the part that it was reading: it notices that a
  /// line was not a key only after that line.
  private borrowing func place(of error: yaml_parser_t, context: String?) -> SourcePosition {
    let noticed = position(error.problem_mark)
    let isLate = context == "while scanning a simple key" || source.line(noticed.line).trimmed.isEmpty
    return context != nil && isLate ? position(error.context_mark) : noticed
  }

  private borrowing func lineRange(atByte offset: Int) -> SourceRange {
    let line = source.text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    return source.range(line: line)
  }

  private borrowing func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
    SourceRange(start, end, in: source.id)
  }

  private borrowing func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

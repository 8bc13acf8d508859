import Bluetooth
import DeviceModel
import Framing

extension LearntDefinition {
  /// Adds framing, messages and rules that describe how the device behaves, for the characteristics whose recorded values
  /// they explain.
  ///
  /// - Parameter excluded: the characteristics that must answer as recorded, by the handles of their values.
  /// - Returns: the handles of the values of these characteristics. Their rules answer requests that were never recorded.
  package mutating func addModel(
    _ streams: [StreamAnalysis], of conversations: [Conversation], _ table: ObservedTable,
    except excluded: Set<AttributeHandle> = []
  ) -> Set<AttributeHandle> {
    let model = Model(streams, conversations, table, except: excluded)
    let explained = model.explained.union(model.explainedRequests)
    guard !explained.isEmpty else { return [] }
    let handles = Set(explained.map { streams[$0].stream.handle })
    var writer = ModelWriter(model, self, RecordedHistory(conversations, table, except: handles))
    self = writer.write()
    return handles
  }
}

/// Makes messages, tables and rules of a model.
struct ModelWriter {
  var model: Model
  var definition: LearntDefinition
  let sources: FieldSources
  var names: ModelNames
  /// The variables with what is still to be sent of a frame, by stream.
  var rests: [Int: Int] = [:]
  /// By index in the definition.
  private(set) var messages: [MessageID: Int] = [:]
  /// The variables that tell that reports have begun, by message.
  var running: [MessageID: Int] = [:]
  /// The indices of those that several make up in one value.
  private var joined: [[MessageID]: Int] = [:]
  /// The recorded values of messages in the order of sending, with the variable that counts them.
  private(set) var steps: [MessageID: Steps] = [:]
  /// The expressions for the recorded values of answers after the same requests on a connection, by message: their row from 1
  /// on, or 0.
  private(set) var placesOfAnswers: [MessageID: Expression] = [:]
  /// The recorded answers to each request, by message and request.
  private(set) var choices: [MessageID: [MessageID: RowChoice]] = [:]
  /// A definition has at most 250,000 cells.
  private var cellsLeft = 100_000
  private let history: RecordedHistory

  struct Steps {
    var table: Int
    /// The fields in the columns after the first.
    var fields: [Int]
    var variable: Int
    var count: Int

    var row: Expression { .variable(variable) }
  }

  /// Which of the recorded values answer a request.
  struct RowChoice {
    /// The first of their rows, from 1 on; 0 for a request that was never recorded.
    var first: Expression
    /// nil: there is one.
    var count: Expression?
    /// The variable that counts the turns: how often the device has answered the request that comes most often.
    var turn: Int?
    /// Whether this answer ends a turn.
    var isEnd = Expression.constant(.boolean(false))

    /// - Parameter row: the row if the request is a new one.
    func changes(of variable: Int, otherwise row: Expression) -> [(Rule.Slot, Expression)] {
      var changes: [(Rule.Slot, Expression)] = []
      if case .constant(.integer(let number)) = first {
        changes.append((.variable(variable), offset(from: .number(number - 1))))
      } else {
        changes.append((.variable(variable), first.or(row) { offset(from: $0 - 1) }))
      }
      switch (turn, isEnd) {
      case (nil, _), (_, .constant(.boolean(false))): return changes
      case (let turn?, .constant): return changes + [(.variable(turn), .variable(turn) + 1)]
      case (let turn?, _):
        let next = Expression.conditional(isEnd, then: .variable(turn) + 1, else: .variable(turn))
        return changes + [(.variable(turn), next)]
      }
    }

    /// The row of this turn.
    private func offset(from first: Expression) -> Expression {
      guard let turn, let count else { return first }
      let offset = Expression.binary(.remainder, .variable(turn), count)
      return first == .number(0) ? offset : first + offset
    }
  }

  init(_ model: Model, _ definition: LearntDefinition, _ history: RecordedHistory) {
    (self.model, self.definition, self.history) = (model, definition, history)
    let fields = model.requests.flatMap { model.layouts[$0]?.places.map(\.name) ?? [] }
    let words = KnownValue.allCases.map(\.rawValue)
    names = ModelNames(taken: definition.names.union(fields + words))
    sources = FieldSources(&self.model, &names, firstVariable: definition.device.variables.count)
    for variable in sources.variables { _ = self.definition.addVariable(variable.name, variable.first) }
  }

  mutating func write() -> LearntDefinition {
    let (received, sent) = (model.requests, model.sentMessages)
    let explained = model.explained.union(model.explainedRequests).sorted()
    definition.evidence += explained.flatMap { model.streams[$0].evidence }
    addFraming()
    for id in received + sent {
      guard let layout = model.layouts[id] else { continue }
      messages[id] = definition.addMessage(
        messageName(id), model[id].template(layout), isText: model[id].isText)
    }
    for id in sent { addRecordedValues(of: id) }
    addPieces()
    addRules()
    definition.hideUnused(Set(joined.keys.joined().compactMap { messages[$0] }))
    definition.evidence += sources.evidence
    return definition
  }

  /// The name of the message; with that of the characteristic if another characteristic has such a message.
  private func messageName(_ id: MessageID) -> String {
    let name = model[id].name
    let taken = Set(definition.device.messages.map(\.name))
    guard taken.contains(name) else { return name }
    var names = ModelNames(taken: taken)
    return names.unique(name, suffix: definition.shortName(of: model.streams[id.stream].stream.id))
  }

  /// The message that several make up, one after the other; nil: they cannot be one.
  mutating func joinedMessage(of ids: [MessageID]) -> Int? {
    if let known = ids.count == 1 ? messages[ids[0]] : joined[ids] { return known }
    var (words, size, names) = ([String](), 0, ModelNames(taken: []))
    for id in ids {
      guard var layout = model.layouts[id], let own = model[id].size, !model[id].isText,
        !model[id].hasSizeField,
        model.streams[id.stream].pieceSize == nil, model.streams[id.stream].encoding == nil
      else { return nil }
      for index in layout.places.indices {
        layout.places[index].name = names.unique(layout.places[index].name)
      }
      words.append(model[id].template(layout, from: size))
      size += own
    }
    guard ids.distinct.count == ids.count else { return nil }
    var taken = ModelNames(taken: Set(definition.device.messages.map(\.name)))
    let kinds = ids.dropFirst().map { name($0).kind ?? "" }
    let whole = taken.unique("\(name(ids[0]))-\(kinds.joined(separator: "-"))")
    joined[ids] = definition.addMessage(whole, words.joined(separator: " "))
    return joined[ids]
  }

  func name(_ id: MessageID) -> String {
    messages[id].map { definition.device.messages[$0].name } ?? model[id].name
  }
}

// MARK: Recorded values

extension ModelWriter {
  private mutating func addRecordedValues(of id: MessageID) {
    guard let places = model.layouts[id]?.places else { return }
    let (name, origins) = (name(id), sources.origins[id] ?? [:])
    let stepped = places.indices.filter { origins[$0] == .recorded }
    let frames = model.sent(id).map(model.frame)
    if !stepped.isEmpty {
      let (table, row) = (names.unique(name, prefix: "recorded"), names.unique("\(name)-row"))
      let columns =
        [DataTable.Column(name: "row", type: .integer)]
        + stepped.map { .init(name: places[$0].name, type: places[$0].type.valueType) }
      let recorded = RecordedRows(of: id, stepped.map { places[$0] }, sources, model)
      let values = frames.prefix(cellsLeft / columns.count).map { frame in
        stepped.map { places[$0].type.value(of: places[$0].bytes(in: frame)) }
      }
      let order = recorded.order.filter(values.indices.contains)
      let rows = order.enumerated().map { [Value.integer(Int64($0))] + values[$1] }
      let index = add(table, columns, rows)
      if let rows = model.rows(of: id, by: history, values) {
        let places = rows.compactMapValues { row in order.firstIndex(of: row - 1).map { $0 + 1 } }
        placesOfAnswers[id] = definition.add(places, as: names.unique("places-\(name)"))
      }
      steps[id] = Steps(
        table: index, fields: stepped, variable: definition.addVariable(row), count: values.count)
      if order.count == frames.count { addChoices(of: id, recorded, name) }
    }
  }

  /// Adds what finds the recorded answers to a request.
  private mutating func addChoices(of id: MessageID, _ rows: RecordedRows, _ name: String) {
    guard let most = rows.groups.map(\.count).max(), let last = rows.groups.last(where: { $0.count == most })
    else { return }
    let turn = most > 1 ? definition.addVariable(names.unique("\(name)-turn")) : nil
    for (request, groups) in Dictionary(grouping: rows.groups, by: \.cause).sorted(by: {
      $0.value[0].first < $1.value[0].first
    }) {
      let (fields, places) = (rows.keys[request] ?? [], model.layouts[request]?.places ?? [])
      var choice = RowChoice(first: .number(groups[0].first + 1), turn: turn)
      if groups[0].count > 1 { choice.count = .number(groups[0].count) }
      if groups.count > 1 {
        let columns = fields.map { DataTable.Column(name: places[$0].name, type: places[$0].type.valueType) }
        let table = definition.addTable(
          names.unique("steps-\(name)"),
          columns + (turn == nil ? ["step"] : ["step", "steps"]).map { .init(name: $0, type: .integer) },
          keys: fields.count,
          rows: groups.map { group in
            zip(fields, group.key).map { places[$0].type.value(of: $1) }
              + [.integer(Int64(group.first + 1))] + (turn == nil ? [] : [.integer(Int64(group.count))])
          })
        let key = fields.map { Expression.field($0) }
        choice.first = .cell(table: table, key: key, column: fields.count)
        choice.count = turn == nil ? nil : .cell(table: table, key: key, column: fields.count + 1)
      }
      if last.cause == request {
        choice.isEnd =
          groups.count > 1
          ? .binary(.equal, choice.first, .number(last.first + 1)) : .constant(.boolean(true))
      }
      choices[id, default: [:]][request] = choice
    }
  }

  private mutating func add(_ name: String, _ columns: [DataTable.Column], _ rows: [[Value]]) -> Int {
    cellsLeft -= rows.count * columns.count
    return definition.addTable(name, columns, rows: rows)
  }
}

// MARK: Fields

extension ModelWriter {
  /// What fills a field of a message.
  ///
  /// - Parameter cause: what the message answers; nil: a timer.
  func expression(_ id: MessageID, _ index: Int, by cause: Cause?) -> Expression? {
    if let cause, let echo = sources.echoes[cause]?[id]?[index] { return echo }
    switch sources.origins[id]?[index] {
    case .expression(let expression): return expression
    case .counter(let variable, _): return .variable(variable)
    case .recorded:
      guard let steps = steps[id], let column = steps.fields.firstIndex(of: index) else { return nil }
      return .cell(table: steps.table, key: [steps.row], column: column + 1)
    case .checksum(let checksum): return self.checksum(checksum, after: index, of: id, by: cause)
    case nil: return nil
    }
  }

  /// A checksum of all that a message has after a field.
  private func checksum(
    _ checksum: Checksum, after index: Int, of id: MessageID, by cause: Cause?
  ) -> Expression {
    let places = model.layouts[id]?.places ?? []
    var rest = places.indices.dropFirst(index + 1)
    let terms = model[id].parts.drop(whileFieldsUpTo: index).flatMap { part -> [Expression] in
      if case .constant(let bytes) = part { return Self.terms(of: bytes) }
      guard let next = rest.popFirst(), let value = expression(id, next, by: cause) else { return [] }
      return [places[next].type.bytes(of: value)]
    }
    let bytes = terms.dropFirst().reduce(terms.first ?? .bytes([])) { $0 + $1 }
    return .checksum(checksum, of: bytes, after: nil)
  }

  /// The shortest run of a byte that is written as such.
  private static let run = 8

  private static func terms(of bytes: [UInt8]) -> [Expression] {
    var (terms, plain, rest) = ([Expression](), [UInt8](), bytes[...])
    func literal() -> [Expression] { plain.isEmpty ? [] : [.bytes(plain)] }
    while let first = rest.first {
      let same = rest.prefix { $0 == first }
      if same.count < run {
        plain += same
      } else {
        terms += literal() + [.call(.fill, [.number(first), .number(same.count)])]
        plain = []
      }
      rest = rest.dropFirst(same.count)
    }
    return terms + literal()
  }
}

extension [LearntMessage.Part] {
  /// What comes after the field with this number.
  fileprivate func drop(whileFieldsUpTo number: Int) -> ArraySlice<LearntMessage.Part> {
    let fields = indices.filter { if case .field = self[$0] { true } else { false } }
    return fields.indices.contains(number) ? self[(fields[number] + 1)...] : []
  }
}

extension FieldType {
  /// The bytes of a field with this value.
  func bytes(of value: Expression) -> Expression {
    let text = Expression.call(.utf8, [value])
    switch self {
    case .integer(let width, let order, let isSigned):
      return .encoded(.integer(width, order, isSigned: isSigned), value)
    case .float(let order):
      return .encoded(.float(width: 4, bigEndian: order == .bigEndian), value)
    case .text(nil), .word: return text
    case .text(let width?):
      let padded = text + .call(.fill, [.number(0), .number(width)])
      return .call(.slice, [padded, .number(0), .number(width)])
    case .bytes: return value
    case .digits(_, nil): return .call(.utf8, [.call(.text, [value])])
    case .digits(.hexadecimal(let isLower), let width?):
      let digits = Expression.call(.hex, [.encoded(.integer(width / 2, .bigEndian, isSigned: false), value)])
      return .call(.utf8, [isLower ? .call(.lower, [digits]) : digits])
    case .digits(let digits, let width?):
      // A digit before them, which is cut off, keeps their zeros.
      let count = digits == .bcd ? 2 * width : width
      let sum = value + repeatElement(10, count: count).reduce(1, *)
      let text = Expression.call(.slice, [.call(.text, [sum]), .number(1), .number(count)])
      return .call(digits == .bcd ? .bytes : .utf8, [text])
    }
  }
}

// MARK: Framing

extension ModelWriter {
  /// Adds the framing of streams: of what a central writes, and of what a characteristic sends that cannot be written.
  private mutating func addFraming() {
    let analyses = model.explainedRequests.union(model.explained).sorted().map { model.streams[$0] }
    for id in analyses.map(\.stream.id).distinct {
      let ofPlace = analyses.filter { $0.stream.id == id }
      let received = ofPlace.first { $0.stream.direction == .fromCentral }
      let sent = ofPlace.first { $0.stream.direction == .fromDevice }
      guard let main = received ?? sent, let index = definition.characteristic(id) else { continue }
      // A central gets the pieces of a frame as they are.
      if received == nil, main.pieceSize != nil { continue }
      let shape = main.framing?.shape ?? .raw
      if shape != .raw { definition.device.characteristics[index].framing = main.framing }
      let (incoming, outgoing) = ((received ?? main).encoding, (sent ?? main).encoding)
      guard incoming != nil || outgoing != nil else { continue }
      let (decoder, encoder) = (incoming?.decoder, outgoing?.encoder(in: main.framing))
      definition.device.characteristics[index].coding = StreamCoding(
        valueDecoder: decoder?.value, valueEncoder: encoder?.value, frameDecoder: decoder?.frame,
        frameEncoder: encoder?.frame, shape: shape)
    }
  }
}

extension StreamEncoding {
  /// What decodes, or encodes, a value or a frame.
  fileprivate typealias Stage = (value: Expression?, frame: Expression?)

  fileprivate var decoder: Stage {
    switch self {
    case .xor: (encoded(.value), nil)
    case .slip: (nil, .call(.unslip, [.known(.frame)]))
    case .stuffed: (nil, .call(.unescape, [.known(.frame), .number(0x7D), .number(0x20)]))
    }
  }

  /// - Parameter framing: of the characteristic. Only where it has the delimiter, a frame gets it by itself.
  fileprivate func encoder(in framing: FramingRule?) -> Stage {
    switch (self, delimiter) {
    case (.slip(let isOpened), let delimiter?), (.stuffed(_, let isOpened), let delimiter?):
      let end = Expression.bytes([delimiter])
      let isFramed = framing?.shape == self.framing?.shape
      let encoded = encoded(isFramed ? .frame : .value)
      let opened = isOpened ? end + encoded : encoded
      return isFramed ? (nil, opened) : (opened + end, nil)
    default: return (encoded(.value), nil)
    }
  }

  private func encoded(_ plain: KnownValue) -> Expression {
    switch self {
    case .xor(let key): .call(.xor, [.known(plain), .bytes(key)])
    case .slip: .call(.slip, [.known(plain)])
    case .stuffed(let special, _):
      .call(.escape, [.known(plain), .number(0x7D), .bytes(special), .number(0x20)])
    }
  }
}

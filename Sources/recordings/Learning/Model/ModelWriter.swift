import Bluetooth
import DefinitionWriter
import DeviceModel
import Framing

/// Writes a model in the definition language.
struct ModelWriter {
  var model: Model
  var definition: LearntDefinition
  var sources: FieldSources
  var names: ModelNames
  /// The names of messages in the definition.
  var messages: [MessageID: String] = [:]
  /// The recorded values of messages by the order of sending, with the variable that counts them.
  var steps: [MessageID: (table: String, row: String, count: Int)] = [:]
  /// The expressions for the recorded values of answers after the same requests on a connection, by message: their row from 1
  /// on, or 0.
  var placesOfAnswers: [MessageID: String] = [:]
  /// The recorded values of messages by fields of the request.
  var lookups: [MessageID: [Int: String]] = [:]
  private var cellsLeft = RecordedTable.mostCells

  private let history: RecordedHistory

  init(_ model: Model, _ definition: LearntDefinition, _ history: RecordedHistory) {
    (self.model, self.definition, self.history) = (model, definition, history)
    let fields = model.requests.flatMap { model.layouts[$0]?.places.map(\.name) ?? [] }
    let used = [
      definition.settings, definition.variables, definition.generators, definition.data, definition.messages,
    ]
    let words = KnownValue.allCases.map(\.rawValue)
    names = ModelNames(taken: Set(fields + used.joined().map(\.key) + words))
    sources = FieldSources(&self.model, &names)
  }

  mutating func write(requests: Set<Int>) -> LearntDefinition {
    let sent = model.sentMessages
    let received = model.requests.filter { requests.contains($0.stream) }
    for id in received + sent { messages[id] = messageName(id) }
    addFraming(requests.union(model.explained))
    for id in received + sent {
      guard let name = messages[id], let layout = model.layouts[id] else { continue }
      definition.messages.append(.init(name, .quoted(model[id].template(layout))))
    }
    for id in sent { addRecordedValues(of: id) }
    for variable in sources.variables { definition.variables.append(Self.entry(of: variable)) }
    addRules()
    definition.evidence += sources.evidence
    return definition
  }

  /// The name of the message; with that of the characteristic if another characteristic has such a message.
  private func messageName(_ id: MessageID) -> String {
    let name = model[id].name
    let taken = Set(definition.messages.map(\.key)).union(messages.values)
    guard taken.contains(name) else { return name }
    var (names, prefix) = (ModelNames(taken: taken), model.streams[id.stream].stream.id)
    if prefix.first?.isLetter != true { prefix = "characteristic-\(prefix)" }
    return names.unique("\(prefix)-\(name)")
  }

  private static func entry(of variable: FieldSources.Variable) -> YAMLValue.Entry {
    let text = variable.type.text(of: variable.first)
    var entries = [YAMLValue.Entry("type", .word(variable.type.valueType))]
    if case .integer = variable.type {
      entries.append(.init("default", .word(text)))
    } else {
      entries.append(.init("default", .quoted(text)))
    }
    return .init(variable.name, .object(entries, .flow))
  }
}

// MARK: Recorded values

extension ModelWriter {
  private mutating func addRecordedValues(of id: MessageID) {
    guard let places = model.layouts[id]?.places, let name = messages[id] else { return }
    let origins = sources.origins[id] ?? [:]
    let stepped = places.indices.filter { origins[$0] == .recorded }
    let frames = model.sent(id).map(model.frame)
    if !stepped.isEmpty {
      let table = names.unique(name, prefix: "recorded")
      let row = names.unique("\(name)-row")
      var cells = RecordedTable(
        name: table, columns: [("row", .integer(width: 4, .littleEndian, isSigned: false))])
      cells.columns += stepped.map { (places[$0].name, places[$0].type) }
      cells.rows = frames.prefix(cellsLeft / cells.columns.count).enumerated().map { index, frame in
        ["\(index)"] + stepped.map { places[$0].type.text(of: places[$0].bytes(in: frame)) }
      }
      add(cells)
      steps[id] = (table, row, cells.rows.count)
      if let rows = model.rows(of: id, by: history, cells.rows.map { Array($0.dropFirst()) }) {
        placesOfAnswers[id] = definition.add(rows, as: names.unique("places-\(name)"))
      }
      let type = FieldType.integer(width: 1, .littleEndian, isSigned: false)
      definition.variables.append(Self.entry(of: .init(name: row, type: type, first: [0])))
    }
    for case (let index, .lookup(let key)) in origins.sorted(by: { $0.key < $1.key }) {
      addLookup(id, places[index], index, key: key, name)
    }
  }

  private mutating func addLookup(
    _ id: MessageID, _ place: MessageLayout.Place, _ index: Int, key: Int, _ name: String
  ) {
    let reaction = model.reactions.first { $0.steps.contains { $0.message == id } }
    guard let reaction, case .request(let request) = reaction.cause, let layout = model.layouts[request],
      layout.places.indices.contains(key)
    else { return }
    let source = layout.places[key]
    let table = names.unique("\(name)-\(place.name)")
    var cells = RecordedTable(name: table, columns: [(source.name, source.type), (place.name, place.type)])
    if source.name == place.name { cells.columns[1].name = "answer" }
    let rows = model.pairs(of: id, in: reaction).map { pair in
      [
        source.type.text(of: source.bytes(in: pair.request)),
        place.type.text(of: place.bytes(in: pair.answer)),
      ]
    }
    cells.rows = rows.unique
    add(cells)
    lookups[id, default: [:]][index] = "\(table)[\(source.name)].\(cells.columns[1].name)"
  }

  private mutating func add(_ table: RecordedTable) {
    cellsLeft -= table.rows.count * table.columns.count
    definition.add(table)
  }
}

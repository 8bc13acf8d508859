import Bluetooth
import DeviceModel
import Framing

// Effects that are too long for a rule: their values are rows of a table.
extension ReplayWriter {
  /// Sends the rows of a table one after the other. A variable has the next row, so that an effect which is not over when the
  /// next one begins neither loses nor repeats a row.
  mutating func tableActions(of steps: RecordedSteps, _ effect: Effect) -> [Rule.Step] {
    let (scripts, name) = (steps.scripts, effect.name)
    let (rows, ranges) = rows(of: scripts, apart: 0)
    let counts = ranges.map(\.rows.count)
    let recorded = names.unique("recorded-\(name)")
    let table = add(rows, as: recorded)
    guard scripts.count > 1 else {
      let count = counts[0] > 10_000 ? Expression.rowCount(table: table) : .number(counts[0])
      let cell = Cell(table: table, row: .local(0, .integer), text: "\(recorded)[i]")
      return sending(rows, count, cell, effect) + Self.ending(scripts[0])
    }
    let next = names.unique("next-\(name)")
    let row = definition.addVariable(next, isPerCentral: steps.isPerCentral)
    let step = definition.addVariable(names.unique("step-\(name)"), isPerCentral: steps.isPerCentral)
    let (choice, place) = stepping(steps, step, name)
    var actions = [Rule.Step(choice)]
    var count = Expression.number(counts[0])
    if Set(counts).count > 1 || place != nil {
      let counted = addCounts(counts, name)
      let first = Expression.cell(table: counted, key: [.variable(step)], column: 1)
      count = .cell(table: counted, key: [.variable(step)], column: 2)
      if let place { actions.append(.init(set(row, place.or(.variable(row)) { _ in first }))) }
    }
    let cell = Cell(table: table, row: .variable(row), text: "\(recorded)[\(next)]")
    let advance = set(row, (cell.row + 1) % Int64(rows.count))
    actions += sending(rows, count, cell, effect, then: [.init(advance)])
    for (index, script) in scripts.enumerated() where script.end != nil {
      actions.append(.init(.group(Self.ending(script)), if: Self.isStep(step, index)))
    }
    return actions
  }

  struct Row {
    var delay: Int64
    var handle: AttributeHandle
    var value: AnswerForm
  }

  /// The rows of one effect.
  struct RowRange {
    var rows: Range<Int>
    /// The row with which it goes on after the last one.
    var again: Int?
  }

  /// The present row of a table.
  struct Cell {
    let table: Int
    let row: Expression
    let text: String

    func column(_ index: Int) -> Expression { .cell(table: table, key: [row], column: index) }

    /// Milliseconds from the row before.
    var delay: Expression { column(1) }
  }

  /// The rows of all effects, as far as there is room.
  ///
  /// - Parameter gap: the least delay, milliseconds.
  mutating func rows(of scripts: [RecordedScript], apart gap: Int64) -> (rows: [Row], ranges: [RowRange]) {
    var (rows, ranges): ([Row], [RowRange]) = ([], [])
    for script in scripts {
      let begin = rows.count
      var last: Int64 = 0
      for (cue, time) in zip(script.cues, script.times(apart: gap)) {
        guard rowsLeft > 0, bytesLeft >= cue.value.bytes.count else {
          isCut = true
          break
        }
        (rowsLeft, bytesLeft) = (rowsLeft - 1, bytesLeft - cue.value.bytes.count)
        rows.append(Row(delay: time - last, handle: cue.handle, value: cue.value))
        last = time
      }
      let isWhole = rows.count - begin == script.cues.count
      ranges.append(
        RowRange(rows: begin..<rows.count, again: isWhole ? script.again.map { $0 + begin } : nil))
    }
    return (rows, ranges)
  }

  /// - Returns: the index of the table; that of none without rows.
  mutating func add(_ rows: [Row], as name: String) -> Int {
    guard !rows.isEmpty else { return definition.device.tables.count }
    var columns = [
      DataTable.Column(name: "row", type: .integer), .init(name: "delay", type: .integer),
      .init(name: "value", type: .bytes),
    ]
    let hasOrigins = Set(rows.map(\.handle)).count > 1
    if hasOrigins { columns.append(.init(name: "from", type: .text)) }
    let variations = rows.map(\.value.variation).distinct
    if variations.count > 1 { columns.append(.init(name: "form", type: .integer)) }
    let cells = rows.enumerated().map { index, row in
      [Value.integer(Int64(index)), .integer(row.delay), .bytes(row.value.bytes)]
        + (hasOrigins ? [.text(table.id(of: row.handle) ?? "")] : [])
        + (variations.count > 1 ? [.integer(Int64(variations.firstIndex(of: row.value.variation)!))] : [])
    }
    return definition.addTable(name, columns, rows: cells)
  }

  /// - Returns: the index of the table.
  private mutating func addCounts(_ counts: [Int], _ name: String) -> Int {
    var (rows, first) = ([[Value]](), 0)
    for (index, count) in counts.enumerated() {
      rows.append([index + 1, first, count].map { .integer(Int64($0)) })
      first += count
    }
    return definition.addTable(
      names.unique("count-\(name)"), ["step": .integer, "first": .integer, "values": .integer], rows: rows)
  }

  /// Sends so many rows, one after the other, with an action for each characteristic that sends.
  ///
  /// - Parameter last: what follows each of them.
  private mutating func sending(
    _ rows: [Row], _ count: Expression, _ cell: Cell, _ effect: Effect, then last: [Rule.Step] = []
  ) -> [Rule.Step] {
    guard !rows.isEmpty, count != .number(0) else { return [] }
    let wait = Rule.Step(.wait(cell.delay))
    let sends = sends(of: rows, cell, effect, for: .known(.frame))
    return [.init(.repeat(count, index: 0, [wait] + ending(effect) + sends + last))]
  }

  /// Sends a row, with an action for each characteristic that sends and each way in which a value depends on the request.
  mutating func sends(of rows: [Row], _ cell: Cell, _ effect: Effect, for request: Expression) -> [Rule.Step]
  {
    let handles = Set(rows.map(\.handle)).sorted()
    let variations = rows.map(\.value.variation).distinct
    return handles.flatMap { handle -> [Rule.Step] in
      guard let id = table.id(of: handle), let destination = destination(handle, effect) else { return [] }
      let isOwn = handles.count > 1 ? Expression.binary(.equal, cell.column(3), .text(id)) : nil
      return variations.indices.map { index in
        let formed = Expression.binary(.equal, cell.column(handles.count > 1 ? 4 : 3), .number(index))
        let conditions = [isOwn, variations.count > 1 ? formed : nil].compactMap(\.self)
        let condition = conditions.dropFirst().reduce(conditions.first) { .binary(.and, $0!, $1) }
        let variation = variations[index]
        let content =
          variation.isNone
          ? Rule.Content.template(ValueTemplate(learnt: "{\(cell.text).value}", cell.column(2)))
          : .message(computedMessage(), [.value(variation.patching(cell.column(2), for: request))])
        return .init(.send(content, to: destination), if: condition)
      }
    }
  }

  /// A message of bytes that an expression gives, by its index.
  private mutating func computedMessage() -> Int {
    let template = "{value: bytes}"
    if let known = answers[template] { return known }
    guard let message = definition.addMessage(names.unique("computed"), template) else {
      preconditionFailure("'\(template)' is a message")
    }
    answers[template] = message
    return message
  }

  /// The disconnection at the end of an effect.
  static func ending(_ script: RecordedScript) -> [Rule.Step] {
    guard let end = script.end else { return [] }
    return [wait(max(1, end.time - (script.cues.last?.time ?? 0))), disconnection(end.reason)]
  }
}

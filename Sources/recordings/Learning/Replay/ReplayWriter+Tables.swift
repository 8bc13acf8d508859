import Bluetooth
import DefinitionWriter
import Framing

// Effects that are too long for a rule: their values are rows of a table.
extension ReplayWriter {
  /// Sends the rows of a table one after the other. A variable has the next row, so that an effect which is not over when the
  /// next one begins neither loses nor repeats a row.
  mutating func tableActions(
    of steps: RecordedSteps, _ name: String, origin: AttributeHandle?, _ scene: String?
  ) -> [YAMLValue] {
    let scripts = steps.scripts
    let (rows, counts) = rows(of: scripts)
    let recorded = names.unique("recorded-\(name)")
    add(rows, as: recorded)
    let next = scripts.count == 1 ? "i" : names.unique("next-\(name)")
    var actions: [YAMLValue] = []
    var count = "\(counts.first ?? 0)"
    let step = names.unique("step-\(name)")
    if scripts.count > 1 {
      addVariable(next, isPerCentral: steps.isPerCentral)
      addVariable(step, isPerCentral: steps.isPerCentral)
      let (choice, place) = stepping(steps, step, name)
      actions.append(choice)
      if Set(counts).count > 1 || place != nil {
        let counted = "\(addCounts(counts, name))[\(step)]"
        count = "\(counted).values"
        if let place { actions.append(set(next, "if(\(place) > 0, \(counted).first, \(next))")) }
      }
    }
    if (counts.first ?? 0) > 10_000, scripts.count == 1 { count = "size(\(recorded))" }
    let cell = "\(recorded)[\(next)]"
    var body: [YAMLValue] = [.object([.init("wait", .text("\(cell).delay * 1ms"))], .flow)]
    body += ending(scene)
    body += sends(rows, cell, origin: origin)
    if scripts.count > 1 { body.append(set(next, "(\(next) + 1) % \(rows.count)")) }
    if !rows.isEmpty, !body.isEmpty, count != "0" {
      actions.append(
        .object(
          [.init("repeat", .text(count)), .init("index", .text("i")), .init("do", .list(body, .block))],
          .block))
    }
    return actions + ends(scripts, step)
  }

  private struct Row {
    var delay: Int64
    var handle: AttributeHandle
    var value: [UInt8]
  }

  /// The rows of all effects, as far as there is room, and their number for each.
  private mutating func rows(of scripts: [RecordedScript]) -> (rows: [Row], counts: [Int]) {
    var (rows, counts): ([Row], [Int]) = ([], [])
    for script in scripts {
      let begin = rows.count
      var last: Int64 = 0
      for cue in script.cues {
        guard rowsLeft > 0, bytesLeft >= cue.value.count else {
          isCut = true
          break
        }
        (rowsLeft, bytesLeft) = (rowsLeft - 1, bytesLeft - cue.value.count)
        rows.append(Row(delay: cue.time - last, handle: cue.handle, value: cue.value))
        last = cue.time
      }
      counts.append(rows.count - begin)
    }
    return (rows, counts)
  }

  private mutating func add(_ rows: [Row], as name: String) {
    guard !rows.isEmpty else { return }
    let hasOrigins = Set(rows.map(\.handle)).count > 1
    var columns: [(name: String, type: FieldType)] = [
      (name: "row", type: .number), (name: "delay", type: .number), (name: "value", type: .bytes(nil)),
    ]
    if hasOrigins { columns.append((name: "from", type: .text(nil))) }
    let cells = rows.enumerated().map { index, row in
      ["\(index)", "\(row.delay)", row.value.map { $0.hexadecimal(digits: 2) }.joined()]
        + (hasOrigins ? [table.id(of: row.handle) ?? ""] : [])
    }
    definition.add(RecordedTable(name: name, columns: columns, rows: cells))
  }

  /// - Returns: the name of the table.
  private mutating func addCounts(_ counts: [Int], _ name: String) -> String {
    let counted = names.unique("count-\(name)")
    var (rows, first) = ([[String]](), 0)
    for (index, count) in counts.enumerated() {
      rows.append(["\(index + 1)", "\(first)", "\(count)"])
      first += count
    }
    definition.add(
      RecordedTable(
        name: counted,
        columns: [
          (name: "step", type: FieldType.number), (name: "first", type: .number),
          (name: "values", type: .number),
        ],
        rows: rows))
    return counted
  }

  /// One action for each characteristic that sends.
  private func sends(_ rows: [Row], _ cell: String, origin: AttributeHandle?) -> [YAMLValue] {
    let message = YAMLValue.object([.init("bytes", .quoted("{\(cell).value}"))], .flow)
    let handles = Set(rows.map(\.handle)).sorted()
    return handles.compactMap { handle in
      guard let id = table.id(of: handle) else { return nil }
      var send: [YAMLValue.Entry] = [.init("send", message)]
      if handle != origin { send.append(.init("to", .text(id))) }
      if handles.count > 1 { send.append(.init("if", .text("\(cell).from == '\(id)'"))) }
      return .object(send, .flow)
    }
  }

  /// The disconnections at the ends of effects.
  private func ends(_ scripts: [RecordedScript], _ step: String) -> [YAMLValue] {
    scripts.enumerated().flatMap { index, script -> [YAMLValue] in
      guard let end = script.end else { return [] }
      let delay = max(1, end.time - (script.cues.last?.time ?? 0))
      let then: [YAMLValue] = [
        .object([.init("wait", .text(Duration.milliseconds(min(delay, 2_592_000_000)).written))], .flow),
        Self.disconnection(end.reason),
      ]
      guard scripts.count > 1 else { return then }
      return [
        .object([.init("if", .text("\(step) == \(index + 1)")), .init("then", .list(then, .block))], .block)
      ]
    }
  }
}

extension FieldType {
  fileprivate static let number = FieldType.integer(width: 4, .littleEndian, isSigned: false)
}

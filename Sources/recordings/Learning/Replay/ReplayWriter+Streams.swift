import Bluetooth
import DeviceModel
import Framing

// Effects that last: a timer sends their values. A request of the same kind begins anew, and ends what is still to come.
extension ReplayWriter {
  /// A definition has at most 256 timers.
  private static let mostTimers = 200

  /// The variables of a lasting effect, of each central.
  private struct Stream {
    let timer: Int
    /// The next row.
    let next: Int
    /// The row after the last one.
    let end: Int
    /// The row with which it goes on after the last one; none: -1.
    let again: Int?
    /// Whether it repeats what was recorded: not while it is 0.
    let round: Int?
    /// The request.
    let request: Int?
  }

  /// The rules for what lasts longer than a rule says: that of the event and that of the timer; nil: there are too many.
  mutating func streamRules(
    on event: Rule.Trigger, _ steps: RecordedSteps, _ effect: Effect, beginning: [Rule.Step]
  ) -> [Rule]? {
    let (scripts, name) = (steps.scripts, effect.name)
    guard definition.device.timers.count < Self.mostTimers else { return nil }
    let (rows, ranges) = rows(of: scripts, apart: 1)
    guard !rows.isEmpty else { return nil }
    let loops = ranges.contains { $0.again != nil }
    let timer = definition.device.timers.count
    definition.device.timers.append(names.unique("values-\(name)"))
    definition.device.timersPerCentral.insert(timer)
    let (recorded, next) = (names.unique("recorded-\(name)"), names.unique("next-\(name)"))
    let asked = rows.contains { !$0.value.variation.isNone } ? names.unique("asked-\(name)") : nil
    let stream = Stream(
      timer: timer, next: definition.addVariable(next, isPerCentral: true), end: variable("end-\(name)"),
      again: loops ? variable("again-\(name)") : nil, round: loops ? variable("round-\(name)") : nil,
      request: asked.map { definition.addVariable($0, .bytes([]), isPerCentral: true) })
    if let round = stream.round { loopingStreams.append((timer, round)) }
    let cell = Cell(
      table: add(rows, as: recorded), row: .variable(stream.next), text: "\(recorded)[\(next)]")
    var (start, step) = (beginning, Int?.none)
    if scripts.count > 1 {
      let variable = definition.addVariable(names.unique("step-\(name)"), isPerCentral: steps.isPerCentral)
      start.append(.init(stepping(steps, variable, name).0))
      step = variable
    }
    start += begin(stream, ranges, step, name, cell)
    for (index, script) in scripts.enumerated() where ranges[index].rows.isEmpty && script.end != nil {
      start.append(.init(.group(Self.ending(script)), if: step.map { Self.isStep($0, index) }))
    }
    var timed = effect
    timed.origin = nil
    return [
      Self.rule(on: event, start), Rule(on: .timer(timer), sending(rows, stream, cell, scripts, step, timed)),
    ]
  }

  private mutating func variable(_ name: String) -> Int {
    definition.addVariable(names.unique(name), isPerCentral: true)
  }

  /// Chooses the rows, and starts the timer.
  private mutating func begin(
    _ stream: Stream, _ ranges: [RowRange], _ step: Int?, _ name: String, _ cell: Cell
  ) -> [Rule.Step] {
    var columns: [Expression] = []
    let numbers = ranges.map { [$0.rows.lowerBound, $0.rows.upperBound, $0.again ?? -1] }
    if let step {
      let rows = numbers.enumerated().map { index, numbers in
        ([index + 1] + numbers).map { Value.integer(Int64($0)) }
      }
      let table = definition.addTable(
        names.unique("rows-\(name)"),
        ["step": .integer, "first": .integer, "end": .integer, "again": .integer], rows: rows)
      columns = (1...3).map { .cell(table: table, key: [.variable(step)], column: $0) }
    } else {
      columns = numbers[0].map { .number($0) }
    }
    var changes = [(Rule.Slot.variable(stream.next), columns[0]), (.variable(stream.end), columns[1])]
    if let again = stream.again { changes.append((.variable(again), columns[2])) }
    if let round = stream.round { changes.append((.variable(round), .number(0))) }
    if let request = stream.request { changes.append((.variable(request), .known(.frame))) }
    let isEmpty = ranges.map(\.rows.isEmpty)
    let hasRows = Expression.binary(.less, .variable(stream.next), .variable(stream.end))
    var steps = [Rule.Step(.set(changes))]
    if isEmpty.contains(true) {
      steps.append(.init(.stop(timer: stream.timer), if: .unary(.not, hasRows)))
    }
    if isEmpty.contains(false) {
      steps.append(
        .init(
          .start(timer: stream.timer, cell.delay, repeats: false), if: isEmpty.contains(true) ? hasRows : nil)
      )
    }
    return steps
  }

  /// The actions of the timer: sends a row, and waits for the next one.
  private mutating func sending(
    _ rows: [Row], _ stream: Stream, _ cell: Cell, _ scripts: [RecordedScript], _ step: Int?, _ effect: Effect
  ) -> [Rule.Step] {
    let request = stream.request.map { Expression.variable($0) } ?? .known(.frame)
    var steps = ending(effect) + sends(of: rows, cell, effect, for: request)
    steps.append(.init(set(stream.next, .variable(stream.next) + 1)))
    let isOver = Expression.binary(.greaterOrEqual, .variable(stream.next), .variable(stream.end))
    if let again = stream.again, let round = stream.round {
      let restart = Rule.Action.set([
        (.variable(stream.next), .variable(again)), (.variable(round), .number(1)),
      ])
      let goesOn = Expression.binary(.greaterOrEqual, .variable(again), .number(0))
      steps.append(.init(restart, if: .binary(.and, isOver, goesOn)))
    }
    let hasNext = Expression.binary(.less, .variable(stream.next), .variable(stream.end))
    steps.append(.init(.start(timer: stream.timer, cell.delay, repeats: false), if: hasNext))
    for (index, script) in scripts.enumerated() where script.end != nil {
      let isOwn = step.map { Expression.binary(.and, isOver, Self.isStep($0, index)) } ?? isOver
      steps.append(.init(.group(Self.ending(script)), if: isOwn))
    }
    return steps
  }

  /// The rules with which each recorded kind of event ends the repetitions of what was recorded.
  mutating func endLoops(at triggers: [RecordedTrigger]) {
    guard !loopingStreams.isEmpty else { return }
    let stops = loopingStreams.map { stream in
      Rule.Step(.stop(timer: stream.timer), if: .binary(.greater, .variable(stream.round), .number(0)))
    }
    let events = triggers.compactMap { trigger -> Rule.Trigger? in
      switch trigger {
      case .connect: nil
      case .subscribe(let handle): characteristic(handle).map { .subscribed($0) }
      case .write(_, let handle): written(handle).map { .written(.characteristic($0)) }
      }
    }
    definition.device.rules = events.distinct.map { Rule(on: $0, stops) } + definition.device.rules
  }
}

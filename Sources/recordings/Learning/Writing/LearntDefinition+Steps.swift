import DeviceModel
import Framing

/// A rule that steps through recorded answers to a request, with tables and variables of its own.
private struct Stepping {
  var choice: Rule.Step
  var step: Expression
  var destination: Rule.Destination
  /// The rows of each step.
  var answers: [[(delay: Value, value: Value)]] = []

  /// nil: the rule does something else, too.
  init?(_ rule: Rule, in device: PeripheralDefinition) {
    guard rule.steps.count == 2, rule.condition == nil, rule.steps.allSatisfy({ $0.condition == nil }),
      case .set(let changes) = rule.steps[0].action, changes.count == 1,
      case .variable(let step) = changes[0].0,
      case .binary(.add, .binary(.remainder, .variable(step), .constant(.integer(let steps))), .number(1)) =
        changes[0].1,
      case .repeat(let count, _, let inner) = rule.steps[1].action, inner.count == 3,
      inner.allSatisfy({ $0.condition == nil }),
      case .wait(.cell(let table, let key, 1)) = inner[0].action,
      case .send(.template(let template), let place) = inner[1].action,
      template.expressions == [.cell(table: table, key: key, column: 2)], case .set = inner[2].action,
      device.tables[table].columns.count == 3
    else { return nil }
    (choice, self.step, destination) = (rule.steps[0], .variable(step), place)
    var rows = device.tables[table].rows[...]
    for number in 1...max(1, steps) {
      let size: Value =
        switch count {
        case .constant(let size): size
        case .cell(let counts, [.variable(step)], let column):
          device.tables[counts].cell(key: [.integer(number)], column: column)
        default: .text("")
        }
      guard case .integer(let size) = size, size <= rows.count else { return nil }
      answers.append(rows.prefix(Int(size)).map { ($0[1], $0[2]) })
      rows = rows.dropFirst(Int(size))
    }
  }
}

extension LearntDefinition {
  /// A definition has at most 256 variables, and as many tables.
  private static let mostParts = 250

  /// Where a definition has too many tables and variables: puts the recorded answers of all requests into one table. A request
  /// that comes before its own effect is over then changes the rest of the effect.
  mutating func tabulateSteps() {
    guard max(device.tables.count, device.variables.count) > Self.mostParts else { return }
    var rows: [[Value]] = []
    var names = ModelNames(taken: self.names)
    let (name, table) = (names.unique("steps"), device.tables.count)
    for index in device.rules.indices {
      let rule = device.rules[index]
      guard rule.triggers.count == 1, let message = rule.awaitedMessages.first,
        let request = device.messages[message].literal, let stepping = Stepping(rule, in: device),
        case .variable(let step) = stepping.step
      else { continue }
      for (number, answers) in stepping.answers.enumerated() {
        for (place, answer) in answers.enumerated() {
          rows.append([
            .bytes(request), .integer(Int64(number + 1)), .integer(Int64(place)), answer.delay, answer.value,
          ])
        }
      }
      let key: [Expression] = [.known(.frame), stepping.step]
      func cell(_ column: Int) -> Expression {
        .cell(table: table, key: key + [.local(0, .integer)], column: column)
      }
      let text = "{\(name)[frame, \(device.variables[step].name), i].value}"
      let actions = [
        Rule.Step(.wait(cell(3))),
        Rule.Step(.send(.template(ValueTemplate(learnt: text, cell(4))), to: stepping.destination)),
      ]
      let count = Expression.call(.size, [.rows(table: table, key: key)])
      device.rules[index].steps = [stepping.choice, .init(.repeat(count, index: 0, actions))]
      device.rules[index].locals = ["i"]
    }
    _ = addTable(
      name,
      ["request": .bytes, "step": .integer, "number": .integer, "delay": .integer, "value": .bytes],
      keys: 3, rows: rows)
  }
}

import DeviceModel

// What the rules of a learnt device use.
extension Rule {
  /// The messages for which it waits.
  var awaitedMessages: [Int] {
    triggers.compactMap { if case .received(let message?, _) = $0 { message } else { nil } }
  }

  /// The messages that it sends.
  var sentMessages: [Int] {
    allSteps.compactMap { step in
      switch step.action {
      case .send(.message(let index, _), _), .respond(.message(let index, _)?): index
      default: nil
      }
    }
  }

  /// Its expressions, also those in its steps.
  var expressions: [Expression] {
    [condition].compactMap(\.self) + allSteps.flatMap(\.expressions)
  }

  /// The settings and variables that it sets.
  var assigned: [Slot] {
    allSteps.flatMap { step -> [Slot] in
      if case .set(let changes) = step.action { changes.map(\.0) } else { [] }
    }
  }
}

extension Rule.Step {
  /// Its expressions without those of steps inside it.
  fileprivate var expressions: [Expression] {
    let own: [Expression] =
      switch action {
      case .send(let content, _), .respond(let content?): content.expressions
      case .sendPDU(let template), .log(let template): template.expressions
      case .refuse(_, let handle): [handle].compactMap(\.self)
      case .set(let changes): changes.map(\.1)
      case .setNamed(let name, let value): [name, value]
      case .receive(let part, _), .start(_, let part, _), .wait(let part), .advertise(let part),
        .repeat(let part, _, _):
        [part]
      case .perform(let performance): performance.arguments
      default: []
      }
    return [condition].compactMap(\.self) + own
  }
}

extension Rule.Content {
  fileprivate var expressions: [Expression] {
    switch self {
    case .message(_, let sources): sources.flatMap(\.expressions)
    case .template(let template): template.expressions
    }
  }
}

extension Rule.FieldSource {
  fileprivate var expressions: [Expression] {
    switch self {
    case .value(let expression): [expression]
    case .rows(let rows): rows.flatMap(\.expressions)
    case .repeated(let count, _, let row, _): [count] + row.expressions
    case .table(let table, _): [.rowCount(table: table)]
    case .absent: []
    }
  }
}

extension Rule.Row {
  fileprivate var expressions: [Expression] {
    (condition.map { [$0] } ?? []) + cells.flatMap(\.expressions)
  }
}

extension Expression {
  /// The tables that it reads.
  var tables: [Int] {
    let own: [Int] =
      switch self {
      case .cell(let table, _, _), .rows(let table, _), .rowCount(let table): [table]
      default: []
      }
    return own + operands.flatMap(\.tables)
  }

  /// Whether it reads a field of the received message.
  var readsField: Bool { if case .field = self { true } else { operands.contains(where: \.readsField) } }
}

import DeviceModel
import Framing

// Rules with other expressions, tables and messages.
extension Expression {
  /// The expression with some of its parts changed, the outermost first; nil: the part stays as it is.
  func changed(_ change: (Self) -> Self?) -> Self {
    if let changed = change(self) { return changed }
    func inner(_ part: Self) -> Self { part.changed(change) }
    return switch self {
    case .constant, .setting, .field, .variable, .generator, .known, .repetition, .isSubscribed, .handle,
      .rowCount:
      self
    case .named(let question, let parts, let count): .named(question, parts.map(inner), count: count)
    case .unary(let operation, let part): .unary(operation, inner(part))
    case .binary(let operation, let left, let right): .binary(operation, inner(left), inner(right))
    case .call(let function, let parts): .call(function, parts.map(inner))
    case .cell(let table, let key, let column): .cell(table: table, key: key.map(inner), column: column)
    case .rows(let table, let key): .rows(table: table, key: key.map(inner))
    case .columns(let columns, let group): .columns(columns, of: inner(group))
    case .byte(let bytes, let index): .byte(of: inner(bytes), at: inner(index))
    case .groupCell(let group, let row, let column, let type):
      .groupCell(group: inner(group), row: inner(row), column: column, type)
    case .conditional(let condition, let first, let second):
      .conditional(inner(condition), then: inner(first), else: inner(second))
    case .encoded(let encoding, let part): .encoded(encoding, inner(part))
    case .decoded(let encoding, let bytes, let index): .decoded(encoding, of: inner(bytes), at: inner(index))
    case .checksum(let checksum, let bytes, let earlier):
      .checksum(checksum, of: inner(bytes), after: earlier.map(inner))
    case .random(let least, let most, let site): .random(inner(least), inner(most), site: site)
    }
  }

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

  /// The expression for tables that have other indices.
  func renumbered(_ numbers: [Int: Int]) -> Self {
    changed { part in
      func same(_ key: [Self]) -> [Self] { key.map { $0.renumbered(numbers) } }
      return switch part {
      case .cell(let table, let key, let column):
        .cell(table: numbers[table] ?? table, key: same(key), column: column)
      case .rows(let table, let key): .rows(table: numbers[table] ?? table, key: same(key))
      case .rowCount(let table): .rowCount(table: numbers[table] ?? table)
      default: nil
      }
    }
  }
}

extension ValueTemplate {
  /// The template with other expressions for the same text.
  fileprivate func changed(_ change: (Expression) -> Expression) -> Self {
    (try? ValueTemplate(source, form: form, filledBy: expressions.map(change))) ?? self
  }
}

extension Rule.FieldSource {
  fileprivate var expressions: [Expression] {
    switch self {
    case .value(let expression): [expression]
    case .rows(let rows): rows.flatMap { $0.flatMap(\.expressions) }
    case .repeated(let count, _, let sources, _): [count] + sources.flatMap(\.expressions)
    case .table(let table, _): [.rowCount(table: table)]
    case .absent: []
    }
  }

  fileprivate func changed(_ change: (Expression) -> Expression) -> Self {
    switch self {
    case .value(let expression): .value(change(expression))
    case .rows(let rows): .rows(rows.map { $0.map { $0.changed(change) } })
    case .repeated(let count, let index, let sources, let rows):
      .repeated(change(count), index: index, sources.map { $0.changed(change) }, rows: rows)
    case .table(let table, let columns):
      if case .rowCount(let number) = change(.rowCount(table: table)) {
        .table(number, columns: columns)
      } else {
        self
      }
    case .absent: self
    }
  }
}

extension Rule.Step {
  /// The expressions in it, also those inside other steps.
  var expressions: [Expression] {
    let own: [Expression] =
      switch action {
      case .send(let content, _), .respond(let content?): content.expressions
      case .sendPDU(let template), .log(let template): template.expressions
      case .refuse(_, let handle): [handle].compactMap(\.self)
      case .set(let changes): changes.map(\.1)
      case .setNamed(let name, let value): [name, value]
      case .receive(let part, _), .start(_, let part, _), .wait(let part), .advertise(let part): [part]
      case .repeat(let count, _, let steps): [count] + steps.flatMap(\.expressions)
      case .group(let steps): steps.flatMap(\.expressions)
      default: []
      }
    return (condition.map { [$0] } ?? []) + own
  }

  /// The step with other expressions and messages, also inside other steps.
  func changed(messages: [Int: Int] = [:], _ change: (Expression) -> Expression) -> Self {
    func content(_ content: Rule.Content) -> Rule.Content {
      switch content {
      case .message(let index, let sources):
        .message(messages[index] ?? index, sources.map { $0.changed(change) })
      case .template(let template): .template(template.changed(change))
      }
    }
    func steps(_ steps: [Self]) -> [Self] { steps.map { $0.changed(messages: messages, change) } }
    let action: Rule.Action =
      switch action {
      case .send(let sent, let place): .send(content(sent), to: place)
      case .respond(let value?): .respond(content(value))
      case .sendPDU(let template): .sendPDU(template.changed(change))
      case .log(let template): .log(template.changed(change))
      case .refuse(let error, let handle): .refuse(error, handle: handle.map(change))
      case .set(let changes): .set(changes.map { ($0.0.changed(change), change($0.1)) })
      case .setNamed(let name, let value): .setNamed(change(name), value: change(value))
      case .receive(let bytes, let place): .receive(change(bytes), from: place)
      case .start(let timer, let time, let repeats): .start(timer: timer, change(time), repeats: repeats)
      case .wait(let time): .wait(change(time))
      case .advertise(let flag): .advertise(change(flag))
      case .repeat(let count, let index, let inner): .repeat(change(count), index: index, steps(inner))
      case .group(let inner): .group(steps(inner))
      default: action
      }
    return Self(action, if: condition.map(change))
  }

  /// What it sets, also inside other steps.
  var assigned: [Rule.Slot] {
    switch action {
    case .set(let changes): changes.map(\.0)
    case .repeat(_, _, let steps), .group(let steps): steps.flatMap(\.assigned)
    default: []
    }
  }

  /// The messages that it sends, also inside other steps.
  var messages: [Int] {
    switch action {
    case .send(.message(let index, _), _), .respond(.message(let index, _)?): [index]
    case .repeat(_, _, let steps), .group(let steps): steps.flatMap(\.messages)
    default: []
    }
  }
}

extension Rule.Slot {
  /// The variable that takes its place where expressions change.
  fileprivate func changed(_ change: (Expression) -> Expression) -> Self {
    guard case .variable(let index) = self, case .variable(let other) = change(.variable(index)) else {
      return self
    }
    return .variable(other)
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

extension Rule {
  /// The messages for which it waits.
  var awaitedMessages: [Int] {
    triggers.compactMap { if case .received(let message?, _) = $0 { message } else { nil } }
  }

  /// Its expressions, also those inside other steps.
  var expressions: [Expression] {
    (condition.map { [$0] } ?? []) + steps.flatMap(\.expressions)
  }
}

import DefinitionWriter
import Definitions
import DeviceModel
import Framing

extension LearntDefinition {
  /// Makes it shorter without a change of what it does: rules that do the same become one, answers that are many become rows of
  /// a table, and what nothing uses any more goes.
  mutating func tidy() {
    let used = usedMessages
    joinEqualRules()
    tabulateAnswers()
    tabulateExamples()
    tabulateSteps()
    hideUnused(used)
    hideUnusedTablesAndVariables()
    // As it is written: without rules of which earlier ones handle all events.
    device = device.flattened
  }

  private var usedMessages: Set<Int> { Set(device.rules.flatMap { $0.awaitedMessages + $0.sentMessages }) }

  /// Takes the names of those of these messages that no rule uses. What has no name is not in the file.
  mutating func hideUnused(_ messages: Set<Int>) {
    for index in messages.subtracting(usedMessages) {
      device.messages[index] = device.messages[index].withoutName
    }
  }

  private mutating func hideUnusedTablesAndVariables() {
    let expressions = device.rules.flatMap(\.expressions)
    let tables = Set(expressions.flatMap(\.tables))
    let slots = Set(expressions.flatMap(\.slots) + device.rules.flatMap(\.assigned))
    for index in device.tables.indices where !tables.contains(index) { device.tables[index].name = "" }
    for index in device.variables.indices where !slots.contains(.variable(index)) {
      device.variables[index].name = ""
    }
  }
}

// MARK: Rules for one event

extension LearntDefinition {
  /// Joins rules for the same event: of several, only the first one that holds fires. A rule without a condition gives its actions
  /// to those after it, which do them first.
  mutating func joinRules() {
    let rules = Dictionary(grouping: device.rules, by: \.triggers)
    device.rules = device.rules.map(\.triggers).distinct.flatMap { Self.joined(rules[$0]![...]) }
  }

  /// The rules for one event, in order.
  private static func joined(_ rules: ArraySlice<Rule>) -> [Rule] {
    guard let first = rules.first, rules.count > 1 else { return Array(rules) }
    guard first.condition == nil else { return [first] + joined(rules.dropFirst()) }
    let others = rules.dropFirst().map { rule in
      var (rule, count) = (rule, rule.locals.count)
      // The expressions in the first rule ask for no repetition: the other one is the only one whose repetitions have names.
      rule.steps = first.steps.numbered(from: &count) + rule.steps
      rule.locals += first.locals
      return rule
    }
    return joined(others[...]) + (others.contains { $0.condition == nil } ? [] : [first])
  }
}

// MARK: Equal rules

extension LearntDefinition {
  /// What the rules for one message have in common with those for another.
  private struct Effect: Hashable {
    var place: Rule.Endpoint
    var actions: YAMLValue
  }

  /// Makes one rule of those that do the same after different messages.
  private mutating func joinEqualRules() {
    let writer = DefinitionWriter(device, isFlat: true)
    var order = MessageOrder(device.messages)
    var (rules, places): ([Rule], [Effect: Int]) = ([], [:])
    for rule in device.rules {
      guard let effect = effect(of: rule, writer) else {
        order.add(rule, at: rules.count)
        rules.append(rule)
        continue
      }
      if let index = places[effect],
        rule.awaitedMessages.allSatisfy({ order.canMove($0, at: effect.place, to: index) })
      {
        order.add(rule, at: index)
        rules[index].triggers += rule.triggers
      } else {
        order.add(rule, at: rules.count)
        places[effect] = rules.count
        rules.append(rule)
      }
    }
    for index in rules.indices where rules[index].awaitedMessages.count > 1 {
      rules[index].commonFields = CommonFields(of: rules[index].triggers, in: device.messages).positions
    }
    device.rules = rules
  }

  /// nil: the rule waits for something else, or what it does depends on its message.
  private func effect(of rule: Rule, _ writer: DefinitionWriter) -> Effect? {
    guard let place = rule.triggers.first?.endpoint, rule.condition == nil, rule.states == nil,
      rule.triggers.allSatisfy({ $0.endpoint == place }), rule.awaitedMessages.count == rule.triggers.count,
      !rule.awaitedMessages.contains(where: { device.messages[$0].name.isEmpty }),
      !rule.expressions.contains(where: \.readsField), let actions = try? writer.actions(of: rule)
    else { return nil }
    return Effect(place: place, actions: actions)
  }
}

/// Which messages rules wait for, in their order: the first rule that takes a frame fires.
struct MessageOrder {
  private let messages: [MessageTemplate]
  private let literals: [[UInt8]?]
  private var rules: [(rule: Int, message: Int?, place: Rule.Endpoint)] = []
  /// The rules for messages without fields, by their bytes.
  private var whole: [Rule.Endpoint: [[UInt8]: Int]] = [:]

  init(_ messages: [MessageTemplate]) { (self.messages, literals) = (messages, messages.map(\.literal)) }

  mutating func add(_ rule: Rule, at index: Int) {
    for case .received(let message, let place) in rule.triggers {
      if let bytes = message.flatMap({ literals[$0] }) {
        whole[place, default: [:]][bytes] = whole[place]?[bytes] ?? index
      } else {
        rules.append((index, message, place))
      }
    }
  }

  /// Whether no rule between two takes a frame of the message, so that the first may take it in place of the last.
  ///
  /// - Parameter last: the rule for the message; by default, one that is not added.
  func canMove(_ message: Int, at place: Rule.Endpoint, to first: Int, from last: Int = .max) -> Bool {
    let literal = literals[message]
    if let literal {
      guard whole[place]?[literal] ?? last == last else { return false }
    } else if whole[place]?.contains(where: { $1 > first && messages[message].parse($0) != nil }) == true {
      return false
    }
    return rules.allSatisfy { rule, other, otherPlace in
      guard rule > first, rule < last, place == otherPlace else { return true }
      guard let other else { return false }
      return literal.map { messages[other].parse($0) == nil }
        ?? messages[message].isDisjoint(from: messages[other])
    }
  }
}

extension MessageTemplate {
  /// Its bytes; nil: it has fields.
  var literal: [UInt8]? { fields.isEmpty ? try? build([]) : nil }

  /// Whether certainly no frame is both messages: their sizes or some of their first bytes differ.
  fileprivate func isDisjoint(from other: MessageTemplate) -> Bool {
    if minimumSize > other.maximumSize || other.minimumSize > maximumSize { return true }
    return zip(leadingBytes, other.leadingBytes).contains { ($0.value ^ $1.value) & $0.mask & $1.mask != 0 }
  }
}

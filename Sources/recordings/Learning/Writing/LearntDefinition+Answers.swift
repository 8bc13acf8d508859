import DeviceModel
import Framing

/// What a rule sends whatever its request has.
private struct Script {
  struct Value {
    var delay: Int64
    var place: Rule.Destination
    var bytes: [UInt8]
  }

  /// Empty: it has no effect.
  var values: [Value] = []

  /// A recorded table of more rows stays a table of its own.
  private static let mostRows: Int64 = 500

  /// nil: the rule does something else, too.
  init?(_ rule: Rule, in device: PeripheralDefinition) {
    var delay: Int64 = 0
    if rule.steps.count == 1, case .log(let text) = rule.steps[0].action, text.expressions.isEmpty { return }
    for step in rule.steps {
      guard step.condition == nil else { return nil }
      switch step.action {
      case .wait(.constant(.integer(let time))): delay += time
      case .send(let content, let place):
        guard let bytes = content.literal(in: device), !bytes.isEmpty else { return nil }
        values.append(Value(delay: delay, place: place, bytes: bytes))
        delay = 0
      case .repeat(.constant(.integer(let count)), let index, let steps) where delay == 0:
        guard count <= Self.mostRows, let rows = Self.rows(count, index, steps, device) else { return nil }
        values += rows
      default: return nil
      }
    }
    if delay > 0 || values.isEmpty { return nil }
  }

  /// The first rows of a table with delays and values, which are sent one after the other.
  private static func rows(
    _ count: Int64, _ index: Int, _ steps: [Rule.Step], _ device: PeripheralDefinition
  ) -> [Value]? {
    guard steps.count == 2, steps.allSatisfy({ $0.condition == nil }),
      case .wait(.cell(let table, [.local(index, .integer)], let delays)) = steps[0].action,
      case .send(.template(let template), let place) = steps[1].action, template.expressions.count == 1,
      case .cell(table, [.local(index, .integer)], let column) = template.expressions[0],
      device.tables[table].count >= count
    else { return nil }
    var values: [Value] = []
    for number in 0..<count {
      let key = [DeviceModel.Value.integer(number)]
      guard case .integer(let delay) = device.tables[table].cell(key: key, column: delays),
        case .bytes(let bytes) = device.tables[table].cell(key: key, column: column), !bytes.isEmpty
      else { return nil }
      values.append(Value(delay: delay, place: place, bytes: bytes))
    }
    return values
  }
}

extension Rule.Content {
  /// Its bytes; nil: they are not always the same.
  fileprivate func literal(in device: PeripheralDefinition) -> [UInt8]? {
    switch self {
    case .message(let index, _): device.messages[index].literal
    case .template(let template):
      template.expressions.isEmpty && template.form == .bytes ? try? HexText.parse(template.source) : nil
    }
  }
}

// MARK: Answers

extension LearntDefinition {
  /// The fewest lines of rules that become a table.
  private static let fewestLines = 40
  /// The fewest requests in a table.
  private static let fewestRequests = 6
  /// A definition has at most 250,000 cells, and recorded tables may have 180,000.
  private static let mostRows = 10_000

  /// Puts the rules that always send the same after the same request into a table for each characteristic; and where they are few,
  /// a recorded table of one row into its rule.
  mutating func tabulateAnswers() {
    let scripts = device.rules.map { rule in
      rule.condition == nil && rule.states == nil ? Script(rule, in: device) : nil
    }
    let places = device.rules.compactMap { $0.triggers.first?.endpoint }.distinct
    var order = MessageOrder(device.messages)
    for (index, rule) in device.rules.enumerated() { order.add(rule, at: index) }
    var removed: Set<Int> = []
    for place in places {
      var chosen: [Int] = []
      for (index, rule) in device.rules.enumerated() {
        guard scripts[index] != nil, rule.awaitedMessages.count == rule.triggers.count,
          rule.triggers.allSatisfy({ $0.endpoint == place }),
          rule.awaitedMessages.allSatisfy({
            device.messages[$0].literal != nil
              && order.canMove($0, at: place, to: chosen.first ?? index, from: index)
          })
        else { continue }
        chosen.append(index)
      }
      let requests = chosen.reduce(0) { $0 + device.rules[$1].triggers.count }
      let rows = chosen.reduce(0) {
        $0 + device.rules[$1].triggers.count * max(1, scripts[$1]!.values.count)
      }
      let lines = chosen.reduce(requests) { $0 + 2 + 2 * scripts[$1]!.values.count }
      guard requests >= Self.fewestRequests, lines >= Self.fewestLines, rows <= Self.mostRows else {
        continue
      }
      device.rules[chosen[0]] = table(of: chosen.map { (device.rules[$0], scripts[$0]!) }, at: place)
      removed.formUnion(chosen.dropFirst())
    }
    device.rules = device.rules.indices.filter { !removed.contains($0) }.map { device.rules[$0] }
    inlineRows()
  }

  /// The rule for all of these, with its table.
  private mutating func table(of rules: [(rule: Rule, script: Script)], at place: Rule.Endpoint) -> Rule {
    let destinations = rules.flatMap { $0.script.values.map(\.place) }.distinct
    let hasSilent = rules.contains { $0.script.values.isEmpty }
    var names = ModelNames(taken: self.names)
    let name = names.unique("answers", suffix: shortName(of: device.name(of: place)))
    var columns = [
      DataTable.Column(name: "request", type: .bytes), .init(name: "number", type: .integer),
      .init(name: "delay", type: .integer), .init(name: "value", type: .bytes),
    ]
    if destinations.count > 1 { columns.append(.init(name: "from", type: .text)) }
    func id(_ destination: Rule.Destination) -> String {
      if case .endpoint(let other) = destination { device.name(of: other) } else { device.name(of: place) }
    }
    var rows: [[Value]] = []
    for (rule, script) in rules {
      for request in rule.awaitedMessages.compactMap({ device.messages[$0].literal }) {
        let values = script.values.map { ($0.delay, $0.bytes, id($0.place)) }
        for (number, value) in (values.isEmpty ? [(0, [], id(.origin))] : values).enumerated() {
          let from = destinations.count > 1 ? [Value.text(value.2)] : []
          rows.append(
            [.bytes(request), .integer(Int64(number)), .integer(value.0), .bytes(value.1)] + from)
        }
      }
    }
    let table = addTable(name, columns, keys: 2, rows: rows)
    let count = Expression.call(.size, [.rows(table: table, key: [.known(.frame)])])
    func cell(_ column: Int) -> Expression {
      .cell(table: table, key: [.known(.frame), .local(0, .integer)], column: column)
    }
    let isSilent = Expression.binary(.equal, .call(.size, [cell(3)]), .number(0))
    let template = ValueTemplate(learnt: "{\(name)[frame, i].value}", cell(3))
    var steps: [Rule.Step] = [.init(.wait(cell(2)))]
    if hasSilent {
      let silence = [Rule.Step(ReplayWriter.log("no effect was recorded")), Rule.Step(.end)]
      steps.append(.init(.group(silence), if: isSilent))
    }
    for destination in destinations {
      let isOwn = Expression.binary(.equal, cell(4), .text(id(destination)))
      steps.append(
        .init(.send(.template(template), to: destination), if: destinations.count > 1 ? isOwn : nil))
    }
    return Rule(
      on: .received(message: nil, from: place), if: .binary(.greater, count, .number(0)),
      [.init(.repeat(count, index: 0, steps))], repetitions: ["i"])
  }

  /// Puts recorded tables of one row into their rules.
  private mutating func inlineRows() {
    for index in device.rules.indices {
      let rule = device.rules[index]
      guard rule.steps.count == 1, case .repeat(.constant(.integer(1)), _, _) = rule.steps[0].action,
        let value = Script(rule, in: device)?.values.first
      else { continue }
      let bytes = ValueTemplate(learnt: HexText.format(value.bytes))
      device.rules[index].steps =
        (value.delay > 0 ? [.init(.wait(.number(value.delay)))] : [])
        + [.init(.send(.template(bytes), to: value.place))]
      device.rules[index].locals = []
    }
  }
}

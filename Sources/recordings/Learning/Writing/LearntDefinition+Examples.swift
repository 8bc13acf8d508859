import DeviceModel
import Framing

/// A rule that handles an unknown request like a known one.
private struct Example {
  /// How the unknown request begins.
  var start: [UInt8]
  var size: Int
  var request: [UInt8]

  /// nil: the rule is another.
  init?(_ rule: Rule, in device: PeripheralDefinition) {
    guard rule.condition == nil, rule.states == nil, rule.triggers.count == 1,
      let message = rule.awaitedMessages.first.map({ device.messages[$0] }), message.name.isEmpty,
      let size = message.size, case .receive(.constant(.bytes(let request)), nil)? = rule.steps.last?.action,
      rule.steps.allSatisfy({ $0.condition == nil })
    else { return nil }
    let start = message.leadingBytes.prefix { $0.mask == 0xFF }.map(\.value)
    let template = "\(HexText.format(start)) {data: bytes(\(size - start.count))}"
    guard message.source == template else { return nil }
    (self.start, self.size, self.request) = (start, size, request)
  }

  private var shown: String { HexText.format(Array(request.prefix(20))) }

  /// The steps of its rule with a request from a table; nil: they have more to do with the request.
  func steps(_ rule: Rule, name: String, request cell: Expression) -> [Rule.Step]? {
    var steps: [Rule.Step] = []
    for step in rule.steps {
      switch step.action {
      case .log(let template)
      where template.source.hasSuffix(shown) && template.expressions == [.hex(.frame)]:
        let text = template.source.dropLast(shown.count) + "{hex(\(name), ' ')}"
        let hex = Expression.call(.hex, [cell, .text(" ")])
        steps.append(
          .init(.log(ValueTemplate(learnt: String(text), form: template.form, .hex(.frame), hex))))
      case .set(var changes):
        let bytes = HexText.format(request)
        guard case .cell(let history, let key, let column)? = changes.first?.1,
          case .constant(.text(let text))? = key.last, text.hasSuffix(bytes)
        else { return nil }
        let hex = Expression.call(.hex, [cell, .text(" ")])
        let known = key.dropLast() + [.text(String(text.dropLast(bytes.count))) + hex]
        changes[0].1 = .cell(table: history, key: Array(known), column: column)
        steps.append(.init(.set(changes)))
      case .receive: steps.append(.init(.receive(cell, from: nil)))
      default: return nil
      }
    }
    return steps
  }
}

extension LearntDefinition {
  /// The fewest rules that become a table.
  private static let fewestExamples = 5

  /// Puts the rules that handle unknown requests like known ones into a table for each characteristic.
  mutating func tabulateExamples() {
    var removed: Set<Int> = []
    for place in device.rules.compactMap({ $0.triggers.first?.endpoint }).distinct {
      let found = device.rules.indices.compactMap { index -> (index: Int, example: Example)? in
        guard device.rules[index].triggers.first?.endpoint == place else { return nil }
        return Example(device.rules[index], in: device).map { (index, $0) }
      }
      let size = found.map(\.example.start.count).first ?? 0
      let alike = found.filter { $0.example.start.count == size }
      guard alike.count >= Self.fewestExamples, let first = alike.first, let last = alike.last,
        last.index - first.index == alike.count - 1
      else { continue }
      var names = ModelNames(taken: self.names)
      let name = names.unique("examples", suffix: shortName(of: device.name(of: place)))
      let table = device.tables.count
      let start = Expression.call(.slice, [.known(.frame), .number(0), .number(size)])
      let cell = Expression.cell(table: table, key: [start, .call(.size, [.known(.frame)])], column: 2)
      let text = "\(name)[slice(frame, 0, \(size)), size(frame)].request"
      guard let steps = first.example.steps(device.rules[first.index], name: text, request: cell) else {
        continue
      }
      _ = addTable(
        name, ["start": .bytes, "size": .integer, "request": .bytes], keys: 2,
        rows: alike.map {
          [.bytes($0.example.start), .integer(Int64($0.example.size)), .bytes($0.example.request)]
        })
      let isKnown = Expression.binary(.greater, .call(.size, [cell]), .number(0))
      device.rules[first.index] = Rule(on: .received(message: nil, from: place), if: isKnown, steps)
      removed.formUnion(alike.dropFirst().map(\.index))
    }
    device.rules = device.rules.indices.filter { !removed.contains($0) }.map { device.rules[$0] }
  }
}

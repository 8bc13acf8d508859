import Bluetooth
import DeviceModel
import Framing

extension LearntDefinition {
  /// Adds a table of numbers from 1 on by places.
  ///
  /// - Returns: the expression for the number at the present place; 0: it has none.
  mutating func add(_ numbers: [Int: Int], as name: String) -> Expression {
    usePlaces()
    let rows = numbers.sorted { $0.key < $1.key }.map { [Value.integer(Int64($0)), .integer(Int64($1))] }
    let table = addTable(name, ["place": .integer, "step": .integer], rows: rows)
    return .cell(table: table, key: [place!], column: 1)
  }
}

// The way of a connection through the recorded history.
extension ReplayWriter {
  /// Adds the history and the rules that follow it, if others use it or it tells what the device refuses.
  mutating func addHistory() {
    let errors = history.branches.compactMap(\.refusal).filter { !Self.impliedErrors.contains($0) }
    guard history.isUsable, definition.place != nil || !errors.isEmpty else { return }
    definition.usePlaces()
    historyTable = addHistoryTable(hasRefusals: !errors.isEmpty)
    var subscriptions: [Rule] = []
    for handle in history.branches.compactMap(\.request.handle).distinct.sorted() {
      guard let index = characteristic(handle) else { continue }
      let id = definition.device.characteristics[index].id
      let branches = history.branches.filter { $0.request.handle == handle }
      if branches.contains(where: \.isSubscription) {
        subscriptions.append(Rule(on: .subscribed(index), [follow(.text("subscribe \(id)"))]))
      }
      guard written(handle) != nil, branches.contains(where: { !$0.isSubscription }) else { continue }
      let request = Expression.text("\(id) ") + .hex(.value)
      for error in branches.compactMap(\.refusal).distinct where !Self.impliedErrors.contains(error) {
        refuse(
          index, error, if: .binary(.equal, branch(request, column: 3), .text(error.name)),
          first: [follow(request, isGranted: false)])
      }
      // The rule for a request follows it where requests that differ are one.
      guard !forms.hasFree(handle) else { continue }
      definition.device.rules.append(Rule(on: .written(.characteristic(index)), [follow(request)]))
    }
    definition.device.rules = subscriptions + definition.device.rules
  }

  /// A cell of the branch from a place: by default the place that comes next.
  private func branch(_ request: Expression, from place: Expression? = nil, column: Int = 2) -> Expression {
    .cell(table: historyTable!, key: [place ?? definition.place!, request], column: column)
  }

  private func follow(
    _ request: Expression, from start: Expression? = nil, isGranted: Bool = true
  ) -> Rule.Action {
    guard case .variable(let place)? = definition.place, case .variable(let scene)? = definition.scene else {
      preconditionFailure("the history has its variables")
    }
    var changes = [(Rule.Slot.variable(place), branch(request, from: start))]
    if isGranted { changes.append((.variable(scene), Expression.variable(place).or(.variable(scene)))) }
    return .set(changes)
  }

  /// Takes a request that was never recorded for another one: the write has led to no place.
  func follow(_ request: [UInt8], to characteristic: Int) -> [Rule.Action] {
    follow(.text(HexText.format(request)), to: characteristic, from: definition.scene)
  }

  /// Follows a request in the rule for it.
  func follow(_ request: Expression, to characteristic: Int) -> [Rule.Action] {
    follow(.call(.hex, [request, .text(" ")]), to: characteristic, from: nil)
  }

  private func follow(_ text: Expression, to characteristic: Int, from start: Expression?) -> [Rule.Action] {
    guard historyTable != nil else { return [] }
    let id = definition.device.characteristics[characteristic].id
    guard case .constant(.text(let request)) = text else {
      return [follow(.text("\(id) ") + text, from: start)]
    }
    return [follow(.text("\(id) \(request)"), from: start)]
  }

  private mutating func addHistoryTable(hasRefusals: Bool) -> Int {
    var columns = [
      DataTable.Column(name: "place", type: .integer), .init(name: "request", type: .text),
      .init(name: "next", type: .integer),
    ]
    if hasRefusals { columns.append(.init(name: "refusal", type: .text)) }
    let rows = history.branches.flatMap { branch -> [[Value]] in
      guard let request = text(of: branch.request) else { return [] }
      let refusal = hasRefusals ? [Value.text(branch.refusal?.name ?? "")] : []
      let isFirst = branch.place == RecordedHistory.beginning
      return (isFirst ? [branch.place, 0] : [branch.place]).map { place in
        [.integer(Int64(place)), .text(request), .integer(Int64(branch.next))] + refusal
      }
    }
    return definition.addTable("history", columns, keys: 2, rows: rows)
  }

  private func text(of request: RecordedTrigger) -> String? {
    guard let id = request.handle.flatMap(table.id) else { return nil }
    return switch request {
    case .connect: nil
    case .subscribe: "subscribe \(id)"
    case .write(let value, _):
      "\(id) \(HexText.format(value.with(zerosAt: forms.free(of: request).all)))"
    }
  }
}

extension RecordedHistory.Branch {
  fileprivate var isSubscription: Bool { if case .subscribe = request { true } else { false } }
}

import Bluetooth
import DefinitionWriter
import Framing

extension LearntDefinition {
  /// Where the connection is in the recorded history.
  static let place = "history-place"
  /// The place of the last request that the device granted.
  static let scene = "history-scene"
  static let history = "history"

  /// Lets rules use the places of the recorded history.
  mutating func usePlaces() {
    guard !usesPlaces else { return }
    for name in [Self.place, Self.scene] {
      variables.append(
        .init(
          name,
          .object(
            [
              .init("type", .word("integer")), .init("default", .number(RecordedHistory.beginning)),
              .init("per", .word("central")),
            ], .flow)))
    }
  }

  /// Adds a table of numbers from 1 on by places.
  ///
  /// - Returns: the expression for the number at the present place; 0: it has none.
  mutating func add(_ numbers: [Int: Int], as name: String) -> String {
    usePlaces()
    let number = FieldType.integer(width: 4, .littleEndian, isSigned: false)
    add(
      RecordedTable(
        name: name, columns: [("place", number), ("step", number)],
        rows: numbers.sorted { $0.key < $1.key }.map { ["\($0.key)", "\($0.value)"] }))
    return "\(name)[\(Self.place)].step"
  }

  mutating func add(_ table: RecordedTable) {
    let (entry, file) = table.written
    data.append(entry)
    if let file { dataFiles.append(file) }
  }

  var usesPlaces: Bool { variables.contains { $0.key == Self.place } }
}

// The way of a connection through the recorded history.
extension ReplayWriter {
  /// Adds the history and the rules that follow it, if others use it or it tells what the device refuses.
  mutating func addHistory() {
    let errors = history.branches.compactMap(\.refusal).filter { !Self.impliedErrors.contains($0) }
    guard history.isUsable, definition.usesPlaces || !errors.isEmpty else { return }
    definition.usePlaces()
    let handles = history.branches.compactMap(\.request.handle).unique.sorted()
    var rules: [YAMLValue] = []
    for handle in handles {
      guard let id = table.id(of: handle) else { continue }
      let branches = history.branches.filter { $0.request.handle == handle }
      if branches.contains(where: \.isSubscription) {
        rules.append(
          Self.rule(.object([.init("subscribe", .text(id))], .flow), [follow("'subscribe \(id)'")]))
      }
      guard writtenID(of: handle) != nil, branches.contains(where: { !$0.isSubscription }) else { continue }
      for error in branches.compactMap(\.refusal).unique where !Self.impliedErrors.contains(error) {
        definition.rules.append(
          refusal(
            of: id, if: "\(Self.branch(Self.request(to: id))).refusal == '\(error.name)'",
            first: [follow(Self.request(to: id), isGranted: false)], error))
      }
      definition.rules.append(
        Self.rule(.object([.init("write", .text(id))], .flow), [follow(Self.request(to: id))]))
    }
    definition.rules = rules + definition.rules
    definition.add(rows(hasRefusals: !errors.isEmpty))
  }

  private static func request(to id: String) -> String { "'\(id) ' + hex(value, ' ')" }

  /// The row of the branch from a place.
  private static func branch(_ request: String, from place: String = LearntDefinition.place) -> String {
    "\(LearntDefinition.history)[\(place), \(request)]"
  }

  private func follow(_ request: String, isGranted: Bool = true) -> YAMLValue {
    let (place, scene) = (LearntDefinition.place, LearntDefinition.scene)
    var changes = [YAMLValue.Entry(place, .text("\(Self.branch(request)).next"))]
    if isGranted { changes.append(.init(scene, .text("if(\(place) > 0, \(place), \(scene))"))) }
    return .object([.init("set", .map(changes, .compact))], .compact)
  }

  /// Takes a request that was never recorded for another one: the write has led to no place.
  func follow(_ request: [UInt8], to id: String) -> [YAMLValue] {
    guard definition.usesPlaces else { return [] }
    let (place, scene) = (LearntDefinition.place, LearntDefinition.scene)
    let branch = Self.branch("'\(id) \(HexText.format(request))'", from: scene)
    return [
      .object(
        [
          .init(
            "set",
            .map(
              [
                .init(place, .text("\(branch).next")),
                .init(scene, .text("if(\(place) > 0, \(place), \(scene))")),
              ], .compact))
        ], .compact)
    ]
  }

  private func rows(hasRefusals: Bool) -> RecordedTable {
    let number = FieldType.integer(width: 4, .littleEndian, isSigned: false)
    var rows = RecordedTable(
      name: LearntDefinition.history,
      columns: [("place", number), ("request", .text(nil)), ("next", number)], keys: 2)
    if hasRefusals { rows.columns.append(("refusal", .text(nil))) }
    for branch in history.branches {
      guard let request = text(of: branch.request) else { continue }
      let end = ["\(branch.next)"] + (hasRefusals ? [branch.refusal?.name ?? ""] : [])
      rows.rows.append(["\(branch.place)", request] + end)
      if branch.place == RecordedHistory.beginning { rows.rows.append(["0", request] + end) }
    }
    return rows
  }

  private func text(of request: RecordedTrigger) -> String? {
    guard let id = request.handle.flatMap(table.id) else { return nil }
    return switch request {
    case .connect: nil
    case .subscribe: "subscribe \(id)"
    case .write(let value, _): "\(id) \(HexText.format(value))"
    }
  }
}

extension RecordedHistory.Branch {
  fileprivate var isSubscription: Bool { if case .subscribe = request { true } else { false } }
}

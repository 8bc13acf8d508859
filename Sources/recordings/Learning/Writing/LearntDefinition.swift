import DefinitionWriter
import Definitions
import DeviceModel
import Framing

/// A device that is being learnt, and what its file says besides.
package struct LearntDefinition: Sendable {
  package var device: PeripheralDefinition
  /// Where it comes from, and what a reader must know: lines of comments at the start of the file.
  package var origin: [String] = []
  /// What a reader wants to know of parts of the file, by the paths of ``DefinitionWriter``.
  package var comments: [String: String] = [:]
  package var evidence: [Evidence] = []
  /// The variable for the place of a connection in the recorded history; nil: no rule needs it.
  private(set) var place: Expression?
  /// The variable for the place of the last request that the device granted.
  private(set) var scene: Expression?

  package init(name: String, summary: String) {
    device = PeripheralDefinition(name: name, summary: summary)
  }

  /// The definition as a file, after comments that say where it comes from, with the data files next to it.
  package func written() throws -> WrittenDefinition {
    let comments = comments.merging(remarks) { own, _ in own }
    var written = try DefinitionWriter(device, comments: comments).write()
    let lines = origin.map { "# \(VisibleText.escape($0))\n" }.joined()
    if !lines.isEmpty { written.text = lines + "\n" + written.text }
    return written
  }

  /// The first evidence for each message, for the line with the message.
  private var remarks: [String: String] {
    var remarks: [String: String] = [:]
    for claim in evidence {
      guard let name = claim.claim.split(separator: " ").first else { continue }
      let remark = "\(claim.claim.dropFirst(name.count + 1)) (\(claim.agreement))"
      remarks["messages/\(name)"] = remarks["messages/\(name)"] ?? remark
    }
    return remarks
  }
}

// MARK: Parts of the device

extension LearntDefinition {
  /// The names that its variables, tables and messages have.
  var names: Set<String> {
    Set(device.variables.map(\.name) + device.tables.map(\.name) + device.messages.map(\.name))
  }

  /// The characteristic with an id, by index.
  func characteristic(_ id: String?) -> Int? { device.characteristics.firstIndex { $0.id == id } }

  /// The id of a characteristic in names: `FFE1`, or `c3` for the third one if the id is long.
  func shortName(of id: String) -> String {
    id.count <= 8 ? id : "c\((characteristic(id) ?? 0) + 1)"
  }

  /// Adds a message, and returns its index; nil: no definition can have it.
  ///
  /// - Parameter name: empty for a message that only a trigger has.
  mutating func addMessage(_ name: String, _ template: String, isText: Bool = false) -> Int? {
    let form = isText ? MessageTemplate.Form.text(ignoringCase: false) : .bytes
    guard let message = try? MessageTemplate(name: name, template: template, form: form) else { return nil }
    device.messages.append(message)
    return device.messages.count - 1
  }

  /// Adds a variable, a whole number unless its first value is another, and returns its index.
  mutating func addVariable(_ name: String, _ first: Value = .integer(0), isPerCentral: Bool = false) -> Int {
    let kind: SettingDefinition.Kind =
      switch first {
      case .bytes: .bytes(max: SettingDefinition.Kind.standardSize)
      case .text: .text(max: SettingDefinition.Kind.standardSize)
      case .decimal: .decimal(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
      default: .integer(.min ... .max)
      }
    var variable = SettingDefinition(name: name, kind: kind, initial: first)
    variable.isPerCentral = isPerCentral
    device.variables.append(variable)
    return device.variables.count - 1
  }

  /// Adds a table, and returns its index.
  ///
  /// - Parameter keys: how many of the first columns are its key.
  mutating func addTable(
    _ name: String, _ columns: KeyValuePairs<String, ValueType>, keys: Int = 1, rows: [[Value]]
  ) -> Int {
    addTable(name, columns.map { DataTable.Column(name: $0, type: $1) }, keys: keys, rows: rows)
  }

  mutating func addTable(_ name: String, _ columns: [DataTable.Column], keys: Int = 1, rows: [[Value]]) -> Int
  {
    var table = DataTable(name: name, columns: columns, keyColumns: Array(0..<keys))
    for row in rows { _ = table.add(row) }
    device.tables.append(table)
    return device.tables.count - 1
  }

  /// Lets rules use the places of the recorded history.
  mutating func usePlaces() {
    guard place == nil else { return }
    let beginning = Value.integer(Int64(RecordedHistory.beginning))
    place = .variable(addVariable("history-place", beginning, isPerCentral: true))
    scene = .variable(addVariable("history-scene", beginning, isPerCentral: true))
  }
}

extension Rule {
  /// A rule that is in no file.
  ///
  /// - Parameter repetitions: the names of the indices of its repetitions.
  init(
    on trigger: Trigger, if condition: Expression? = nil, _ actions: [Action], repetitions: [String?] = []
  ) {
    self.init(on: trigger, if: condition, actions.map { Step($0) }, repetitions: repetitions)
  }

  init(on trigger: Trigger, if condition: Expression? = nil, _ steps: [Step], repetitions: [String?] = []) {
    self.init(
      triggers: [trigger], states: nil, condition: condition, steps: steps, locals: repetitions,
      line: 0, file: nil, source: Source())
  }
}

/// The names that an expression may use at its place, with what they stand for.
package struct NameScope: Sendable {
  struct Binding: Sendable {
    var type: ValueType
    var expression: Expression
  }

  private(set) var values: [String: Binding] = [:]
  private(set) var tables: [String: (index: Int, table: DataTable)] = [:]

  /// Those whose own definition is wrong: what uses one cannot be checked, and is not reported again.
  private var broken: Set<String> = []

  /// The names that every expression may use.
  package init() {
    values["address"] = Binding(type: .bytes, expression: .address)
  }

  mutating func addSetting(_ name: String, index: Int, type: ValueType) {
    values[name] = Binding(type: type, expression: .setting(index))
  }

  mutating func addTable(_ table: DataTable, index: Int) {
    tables[table.name] = (index, table)
  }

  mutating func addBroken(_ name: String) { broken.insert(name) }

  /// Whether a mistake at this name follows from one that has been reported.
  func isBroken(_ name: String) -> Bool { broken.contains(name) && values[name] == nil }

  /// The scope in which a received message's fields hide other names.
  func adding(fields: [MessageTemplate.Field]) -> NameScope {
    var scope = self
    for (index, field) in fields.enumerated() {
      scope.values[field.name] = Binding(type: field.valueType, expression: .field(index))
    }
    return scope
  }

  var names: [String] { (Array(values.keys) + tables.keys).sorted() }
}

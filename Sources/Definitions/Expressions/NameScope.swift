/// The names that an expression may use at its place, with what they stand for.
package struct NameScope: Sendable {
  struct Binding: Sendable {
    var type: ValueType
    var expression: Expression
  }

  private(set) var values: [String: Binding] = [:]
  private(set) var tables: [String: (index: Int, table: DataTable)] = [:]

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

  /// The scope in which a received message's fields hide other names.
  func adding(fields: [MessageTemplate.Field]) -> NameScope {
    var scope = self
    for (index, field) in fields.enumerated() {
      scope.values[field.name] = Binding(type: field.encoding.valueType, expression: .field(index))
    }
    return scope
  }

  var names: [String] { (Array(values.keys) + tables.keys).sorted() }
}

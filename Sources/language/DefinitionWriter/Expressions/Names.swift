import Definitions
import DeviceModel

/// What the names stand for that an expression may use at its place. The counterpart of `NameScope`, which reads them.
struct Names {
  private var meanings: [String: Expression] = [:]
  /// Names for meanings; where there are several, the first.
  private var names: [Expression: String] = [:]
  /// In the order of their declaration.
  private var order: [String] = []
  /// The fields of the received message.
  private(set) var fields: [MessageTemplate.Field] = []
  /// The names of the indices of a rule's repetitions.
  var locals: [String?] = []

  /// The names that every expression of a device may use.
  ///
  /// - Parameter count: of the named expressions, which may use those before them.
  init(of device: PeripheralDefinition, values count: Int? = nil) {
    for known in KnownValue.everywhere { declare(known.rawValue, .known(known)) }
    for (index, setting) in device.settings.enumerated() { declare(setting.name, .setting(index)) }
    for (index, variable) in device.variables.enumerated() { declare(variable.name, .variable(index)) }
    for (index, generator) in device.generators.enumerated() { declare(generator.name, .generator(index)) }
    for value in device.values.prefix(count ?? device.values.count) { declare(value.name, value.expression) }
    index()
  }

  private mutating func declare(_ name: String, _ meaning: Expression?) {
    order.removeAll { $0 == name }
    meanings[name] = meaning
    if meaning != nil { order.append(name) }
  }

  private mutating func index() {
    names = [:]
    for name in order {
      guard let meaning = meanings[name], !meaning.isConstant, names[meaning] == nil else { continue }
      names[meaning] = name
    }
  }

  /// What a name stands for; nil: nothing.
  subscript(_ name: String) -> Expression? { meanings[name] }

  /// The name of an expression; nil: it has none.
  func name(of expression: Expression) -> String? { names[expression] }

  /// With these values as well, unless the definition has such names itself.
  func adding(_ known: [KnownValue]) -> Names {
    var names = self
    for known in known where names[known.rawValue] == nil { names.declare(known.rawValue, .known(known)) }
    names.index()
    return names
  }

  /// With the fields of a received message, which hide other names.
  ///
  /// - Parameter hidden: the fields that only some of a rule's messages have.
  func adding(_ fields: [MessageTemplate.Field], hidden: [String] = []) -> Names {
    var names = self
    for name in hidden { names.declare(name, nil) }
    for (index, field) in fields.enumerated() { names.declare(field.name, .field(index)) }
    names.fields = fields
    names.index()
    return names
  }

  /// Inside shared actions with the parameters that they have.
  func adding(parameters performance: Rule.Performance) -> Names {
    var names = self
    for (index, (name, type)) in zip(performance.parameters, performance.types).enumerated() {
      names.declare(name, .local(performance.first + index, type))
    }
    names.index()
    return names
  }

  /// Inside a repetition of a rule.
  func adding(repetition index: Int) -> Names {
    guard let name = locals[index] else { return self }
    var names = self
    names.declare(name, .local(index, .integer))
    names.index()
    return names
  }
}

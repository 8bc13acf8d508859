import Framing

@testable import Definitions
@testable import DeviceModel

extension FuzzTarget {
  /// Any text as an expression.
  static let expression = FuzzTarget(
    name: "expression",
    run: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let typed = try? ExpressionChecker.check(text, in: .everything) else { return }
      let context = Subject.everything.definition!.fuzzContext
      guard let value = try? typed.expression.evaluate(in: context) else { return }
      let isSame = value.type == typed.type || (value.type.isGroup && typed.type.isGroup)
      try guarantee(isSame, "\(value) is not \(typed.type.phrase)")
      if case .text(let text) = value {
        try guarantee(text.utf8.count <= 1 << 20, "a text has \(text.utf8.count) bytes")
      }
    },
    describe: { String(decoding: $0, as: UTF8.self) })
}

extension NameScope {
  /// The names of a device that uses the whole language.
  static let everything: NameScope = {
    let subject = Subject.everything.definition!
    var scope = NameScope()
    for (index, setting) in subject.settings.enumerated() {
      scope.addSetting(setting.name, index: index, type: setting.kind.valueType)
    }
    for (index, variable) in subject.variables.enumerated() {
      scope.addVariable(
        variable.name, index: index, type: variable.kind.valueType, isPerCentral: variable.isPerCentral)
    }
    for (index, generator) in subject.generators.enumerated() {
      scope.addGenerator(generator.name, index: index, type: generator.type)
    }
    for (index, table) in subject.tables.enumerated() { scope.addTable(table, index: index) }
    for (index, owner) in subject.characteristics.enumerated() where owner.canNotify {
      scope.addNotifying(owner.id, index: index)
    }
    let fields = subject.messages.first { $0.name == "cells" }?.fields ?? []
    return scope.adding(fields: fields).adding([.frame, .value, .offset])
  }()
}

extension PeripheralDefinition {
  /// The values that the expressions of a rule use.
  var fuzzContext: EvaluationContext {
    var context = initialContext
    let cells = messages.first { $0.name == "cells" }
    context.event.fields = MessageFields(cells?.sampleValues().map { $0 ?? .integer(0) } ?? [])
    context.event.bytes = [0xA5, 6, 3]
    context.unixTime = 1_704_067_200
    return context
  }
}

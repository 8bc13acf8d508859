import DeviceModel

/// A condition on a running device that is not part of its definition.
package struct DeviceCondition: Sendable {
  /// True or false.
  package let expression: Expression
  /// The names in it whose values may change, in order.
  package let names: [NamedExpression]

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - column: where the text begins in its line, from 1.
  ///   - scope: the names that it may use.
  package init(
    _ text: String, line: Int, column: Int, in scope: NameScope
  ) throws(Diagnostic) {
    do {
      expression = try Expression(text, as: .boolean, in: scope)
      names = try Self.names(in: ExpressionParser.parse(text, isName: scope.isName), scope)
    } catch {
      let range = SourceRange(
        line: line, column: column + error.range.lowerBound, length: max(1, error.range.count))
      throw Diagnostic(.error, error.message, at: range, hint: error.hint)
    }
  }

  private static func names(in syntax: ExpressionSyntax, _ scope: NameScope) -> [NamedExpression] {
    var names: [NamedExpression] = []
    for name in syntax.names where !names.contains(where: { $0.name == name }) {
      guard let binding = scope.values[name], !binding.expression.isConstant else { continue }
      names.append(NamedExpression(name: name, expression: binding.expression, type: binding.type))
    }
    return names
  }
}

/// An expression of any type about a running device, such as the name of a setting.
package struct DeviceExpression: Sendable {
  package let expression: Expression

  /// Reads an expression.
  ///
  /// - Parameter scope: the names that it may use.
  package init(_ text: String, in scope: NameScope) throws(Diagnostic) {
    do { expression = try ExpressionChecker.check(text, in: scope).expression } catch {
      let range = SourceRange(
        line: 1, column: 1 + error.range.lowerBound, length: max(1, error.range.count))
      throw Diagnostic(.error, error.message, at: range, hint: error.hint)
    }
  }
}

extension ExpressionSyntax {
  /// The names in the text, in order, each as often as it occurs.
  var names: [String] {
    if case .name(let name) = kind { [name] } else { kind.operands.flatMap(\.names) }
  }
}

extension NameScope {
  /// The names of a definition that has been read, for expressions about a running device.
  package init(of definition: PeripheralDefinition) {
    self.init()
    for (index, setting) in definition.settings.enumerated() {
      addSetting(setting.name, index: index, type: setting.kind.valueType)
    }
    for (index, variable) in definition.variables.enumerated() {
      addVariable(
        variable.name, index: index, type: variable.kind.valueType, isPerCentral: variable.isPerCentral)
    }
    for (index, table) in definition.tables.enumerated() { addTable(table, index: index) }
    for (index, generator) in definition.generators.enumerated() {
      addGenerator(generator.name, index: index, type: generator.type)
    }
    for (index, characteristic) in definition.characteristics.enumerated() {
      let id = characteristic.id
      if characteristic.canNotify { addNotifying(id, index: index) }
      // The engine has the handles only if the definition uses one.
      guard definition.transportValues.contains(.handle) else { continue }
      addAttribute(id, .attribute(.characteristic(index)))
      if characteristic.canNotify, characteristic.cccd != .none {
        addAttribute(id + "/2902", .configuration(of: index))
      }
      for (number, descriptor) in characteristic.descriptors.enumerated()
      where attributes["\(id)/\(descriptor.uuid)"] == nil {
        addAttribute("\(id)/\(descriptor.uuid)", .attribute(.descriptor(number, of: index)))
      }
    }
    for channel in definition.channels { channelPSMs[channel.id] = Int64(channel.offer.spsm) }
    for message in definition.messages where !message.name.isEmpty { messages[message.name] = message }
    for (index, function) in definition.functions.enumerated() {
      functions[function.name] = DefinedFunction(
        index: index, name: function.name, parameters: function.parameters, text: function.source)
    }
    for value in definition.values { addValue(value.name, value.expression, type: value.type) }
    states = definition.states
    checksums = definition.checksums
    hasCentral = true
  }
}

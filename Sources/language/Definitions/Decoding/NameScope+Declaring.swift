import DeviceModel

extension NameScope {
  /// Reads the named parts of a section, in order.
  ///
  /// - Parameters:
  ///   - read: returns nil for a wrong part, which it reports. Expressions that use its name are not reported then.
  ///   - bind: gives the name to a part, by its index.
  mutating func declare<Source, Part>(
    _ entries: [Entry<Source>], log: DiagnosticLog, read: (Entry<Source>, Self) -> Part?,
    bind: (inout Self, Int, Part) -> Void
  ) -> [Part] {
    var parts: [Part] = []
    for entry in entries {
      guard let part = read(entry, self) else {
        addBroken(entry.key.text)
        continue
      }
      checkIsNew(entry.key, log)
      bind(&self, parts.count, part)
      parts.append(part)
    }
    return parts
  }

  /// Settings, variables, generators, values and tables share the names of expressions.
  private func checkIsNew(_ name: Scalar, _ log: DiagnosticLog) {
    guard let owner = owner(of: name.text) else { return }
    log.error(.taken(name.text, by: owner), at: name.range)
  }

  /// Names for expressions; each may use those before it.
  mutating func declareValues(_ entries: [Entry<Scalar>], log: DiagnosticLog) -> [NamedExpression] {
    declare(entries, log: log) { entry, names in
      log.read(entry.value) { text throws(TextError) in
        let typed = try names.namedExpression(text)
        return NamedExpression(name: entry.key.text, expression: typed.expression, type: typed.type)
      }
    } bind: { names, _, value in
      names.addValue(value.name, value.expression, type: value.type)
    }
  }

  private func namedExpression(_ text: String) throws(TextError) -> ExpressionChecker.Typed {
    let typed = try ExpressionChecker.check(text, in: self)
    guard typed.expression.count <= Expression.largestNamed else {
      throw TextError(.expandedTooLong, 0..<text.unicodeScalars.count)
    }
    return typed
  }
}

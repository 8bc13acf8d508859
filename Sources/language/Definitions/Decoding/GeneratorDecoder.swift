import DeviceModel

/// Reads the generators.
struct GeneratorDecoder {
  let tables: [DataTable]
  let log: DiagnosticLog

  func generators(
    _ entries: [Entry<Node<Language.Generator>>], _ names: inout NameScope
  ) -> [GeneratorDefinition] {
    names.declare(entries, log: log) { entry, names in
      shape(of: entry.value, names).map { shape, type in
        GeneratorDefinition(name: entry.key.text, shape: shape, type: type)
      }
    } bind: { names, index, generator in
      names.addGenerator(generator.name, index: index, type: generator.type)
    }
  }

  private typealias Shape = (GeneratorDefinition.Shape, ValueType)

  private func shape(of node: Node<Language.Generator>, _ names: NameScope) -> Shape? {
    switch node.shape?.text {
    case "ramp":
      let (from, to, over) = (number(node.from), number(node.to), period(node.over))
      guard let from, let to, let over else { return nil }
      return (.ramp(from: from, to: to, over: over), type(of: node.from, node.to))
    case "sine":
      let (range, period) = (range(node), period(node.period))
      guard let range, let period else { return nil }
      return (.sine(range.lowerBound, range.upperBound, period: period), type(of: node.min, node.max))
    case "random":
      let (range, every) = (range(node), period(node.every))
      guard let range, let every else { return nil }
      return (.random(range, every: every), type(of: node.min, node.max))
    case "random-walk":
      let (range, step, every) = (range(node), number(node.step), period(node.every))
      guard let range, let step, let every else { return nil }
      return (
        .randomWalk(range, step: abs(step), every: every), type(of: node.min, node.max, node.step)
      )
    default: return replay(node, names)
    }
  }

  /// Whole numbers give whole numbers.
  private func type(of numbers: Scalar?...) -> ValueType {
    numbers.allSatisfy { $0.map { IntegerText.parse($0.text) != nil } ?? true } ? .integer : .decimal
  }

  private func range(_ node: Node<Language.Generator>) -> ClosedRange<Double>? {
    let (least, most) = (number(node.min), number(node.max))
    guard let least, let most else { return nil }
    if least <= most { return least...most }
    if let min = node.min { log.error(.emptyRange, at: min.range) }
    return nil
  }

  private func number(_ scalar: Scalar?) -> Double? {
    guard let scalar else { return nil }
    let number = IntegerText.parse(scalar.text).map(Double.init) ?? Double(scalar.text)
    guard let number, number.isFinite else {
      log.error(.notNumber(scalar.text), at: scalar.range)
      return nil
    }
    if abs(number) < 1e15 { return number }
    log.error(.tooLargeNumber(scalar.text), at: scalar.range)
    return nil
  }

  private func period(_ scalar: Scalar?) -> Int64? {
    guard let scalar, let milliseconds = log.duration(scalar) else { return nil }
    if milliseconds >= 1 { return Int64(milliseconds) }
    log.error(.tooShortPeriod(scalar.text), at: scalar.range)
    return nil
  }

  private func replay(_ node: Node<Language.Generator>, _ names: NameScope) -> Shape? {
    guard let name = node.table, let column = node.column, let every = period(node.every) else { return nil }
    guard let index = tables.firstIndex(where: { $0.name == name.text }) else {
      if !names.isBroken(name.text) {
        log.error(.unknownTable(name.text, known: tables.map(\.name)), at: name.range)
      }
      return nil
    }
    let columns = tables[index].columns
    guard let position = columns.firstIndex(where: { $0.name == column.text }) else {
      log.error(.unknownColumn(column.text, table: name.text, known: columns.map(\.name)), at: column.range)
      return nil
    }
    guard tables[index].count > 0 else {
      log.error(.noRows(table: name.text), at: name.range)
      return nil
    }
    return (.replay(table: index, column: position, every: every), columns[position].type)
  }
}

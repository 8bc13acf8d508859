import Definitions
import DeviceModel

// Settings, variables, generators, values.
extension DefinitionWriter {
  func setting(_ setting: SettingDefinition) throws -> YAMLValue.Entry {
    var entries: [YAMLValue.Entry] = [
      .init("type", .word(setting.kind.valueType.name)),
      .init("default", setting.isDrawn ? .word("random") : try Self.value(setting.initial)),
    ]
    switch setting.kind {
    case .text(let most), .bytes(let most):
      if most != SettingDefinition.Kind.standardSize || setting.isDrawn { entries.add("max", .number(most)) }
    case .integer(let range):
      entries.add("min", range.least.map { .number($0) })
      entries.add("max", range.greatest.map { .number($0) })
    case .decimal(let range):
      let greatest = Double.greatestFiniteMagnitude
      if range.lowerBound > -greatest { entries.add("min", .word(DecimalText.write(range.lowerBound))) }
      if range.upperBound < greatest { entries.add("max", .word(DecimalText.write(range.upperBound))) }
    case .boolean: break
    case .oneOf(let values): entries.add("one-of", .list(try values.map(Self.value), .compact))
    }
    return .init(setting.name, .object(entries, .compact))
  }

  func variable(_ variable: SettingDefinition) throws -> YAMLValue.Entry {
    var entry = try setting(variable)
    if variable.isPerCentral, case .object(let entries, let layout) = entry.value {
      entry.value = .object(entries + [.init("per", .word("central"))], layout)
    }
    return entry
  }

  /// A value as it stands in a file, next to its type.
  static func value(_ value: Value) throws(WritingError) -> YAMLValue {
    switch value {
    case .integer, .boolean: .word(value.description)
    case .decimal(let number): .word(DecimalText.write(number))
    case .text(let text): .text(text)
    case .bytes: .quoted(value.description)
    case .group: throw .noText(value)
    }
  }

  func function(_ function: NamedFunction) -> YAMLValue.Entry {
    .init("\(function.name)(\(function.parameters.joined(separator: ", ")))", .text(function.source))
  }

  /// A name for an expression, which may use those before it.
  func value(_ index: Int) throws -> YAMLValue.Entry {
    let writer = ExpressionWriter(device: device, names: Names(of: device, values: index))
    return .init(device.values[index].name, try writer.value(device.values[index].expression))
  }

  // MARK: Generators

  func generator(_ generator: GeneratorDefinition) -> YAMLValue.Entry {
    let type = generator.type
    func number(_ number: Double) -> YAMLValue {
      .word(type == .integer ? "\(Int64(number))" : DecimalText.write(number))
    }
    func limits(_ range: ClosedRange<Double>) -> [YAMLValue.Entry] {
      [.init("min", number(range.lowerBound)), .init("max", number(range.upperBound))]
    }
    let (shape, entries): (String, [YAMLValue.Entry]) =
      switch generator.shape {
      case .sine(let least, let most, let period):
        ("sine", limits(least...most) + [.init("period", Self.duration(period))])
      case .ramp(let from, let to, let over):
        ("ramp", [.init("from", number(from)), .init("to", number(to)), .init("over", Self.duration(over))])
      case .randomWalk(let range, let step, let every):
        ("random-walk", limits(range) + [.init("step", number(step)), .init("every", Self.duration(every))])
      case .random(let range, let every): ("random", limits(range) + [.init("every", Self.duration(every))])
      case .replay(let table, let column, let every):
        (
          "replay",
          [
            .init("table", .text(device.tables[table].name)),
            .init("column", .text(device.tables[table].columns[column].name)),
            .init("every", Self.duration(every)),
          ]
        )
      }
    return .init(generator.name, .object([.init("shape", .word(shape))] + entries, .compact))
  }

  static func duration(_ milliseconds: Int64) -> YAMLValue {
    .text(DurationText.write(milliseconds: milliseconds))
  }

  static func duration(_ duration: Duration) -> YAMLValue {
    let (seconds, attoseconds) = duration.components
    return self.duration(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}

import Framing

/// The settings of a device by their names. As a class it costs nothing to pass on.
package final class SettingTable: Sendable {
  private let kinds: [SettingDefinition.Kind]
  private let indices: [String: Int]

  package init(_ settings: [SettingDefinition]) {
    kinds = settings.map(\.kind)
    indices = Dictionary(settings.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The index and the kind of a setting; nil: there is none.
  package func setting(named name: String) -> (index: Int, kind: SettingDefinition.Kind)? {
    indices[name].map { ($0, kinds[$0]) }
  }
}

extension Expression.SettingQuestion {
  package var valueType: ValueType { self == .value ? .text : .boolean }

  /// The number of texts that it takes.
  package var argumentCount: Int { self == .takes ? 2 : 1 }

  func answer(_ arguments: [Value], in context: EvaluationContext) -> Value {
    guard case .text(let name)? = arguments.first else {
      preconditionFailure("a text was checked to stand here")
    }
    let setting = context.settingTable.setting(named: name)
    switch self {
    case .value: return .text(setting.map { context.settings[$0.index].settingText } ?? "")
    case .exists: return .boolean(setting != nil)
    case .takes: return .boolean(setting.map { $0.kind.takes(arguments[1]) } ?? false)
    }
  }
}

extension SettingDefinition.Kind {
  fileprivate func takes(_ text: Value) -> Bool {
    guard case .text(let text) = text, let value = Value(reading: text, as: valueType) else { return false }
    return problem(with: value) == nil
  }
}

extension Value {
  /// As a setting is written after `--set`; bytes in hex, without spaces.
  fileprivate var settingText: String {
    if case .bytes(let bytes) = self { HexText.format(bytes).filter { $0 != " " } } else { description }
  }

  /// The value of a text, as after `--set`; nil: it is not a value of this type.
  package init?(reading text: String, as type: ValueType) {
    switch type {
    case .group: return nil
    case .text: self = .text(text)
    case .integer:
      guard let number = NumberText.integer(text) else { return nil }
      self = .integer(Int64(number))
    case .decimal:
      guard let number = NumberText.decimal(text) else { return nil }
      self = .decimal(number)
    case .boolean:
      guard text == "true" || text == "false" else { return nil }
      self = .boolean(text == "true")
    case .bytes:
      guard let bytes = try? HexText.parse(text) else { return nil }
      self = .bytes(bytes)
    }
  }
}

/// Numbers as people write them.
package enum NumberText {
  /// `23`, `-6`, `0x17`; nil for any other text.
  package static func integer(_ text: String) -> Int? {
    guard text.hasPrefix("0x") else { return Int(text) }
    let digits = text.dropFirst(2)
    return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
  }

  /// `36.6`, `-0.5`, `20`, `0x17`, without an exponent, and not infinite; nil for any other text.
  package static func decimal(_ text: String) -> Double? {
    if text.hasPrefix("0x") { return integer(text).map(Double.init) }
    let sign = text.first == "-" || text.first == "+" ? 1 : 0
    let parts = text.dropFirst(sign).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}

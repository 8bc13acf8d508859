import BlemuJSON

extension Device {
  /// A value of a setting, a variable, an expression or a field. Literals stand for values: `["level": 3, "is-worn": true]`.
  public enum Value: Hashable, Sendable {
    /// Text; of bytes, hex digits in pairs with spaces.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// Any other number; finite.
    case decimal(Double)
    /// True or false.
    case boolean(Bool)
    /// Several values; only in what a device answers, such as a message's repeated fields.
    case list([Value])
    /// Values with names; only in what a device answers.
    case members([String: Value])
    /// Nothing; only in what a device answers.
    case none
  }
}

extension Device.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral number: Int) { self = .integer(number) }
  public init(floatLiteral number: Double) { self = .decimal(number) }
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

// MARK: Parts

extension Device.Value {
  /// The text; nil: it is something else.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The whole number; nil: it is something else.
  public var integer: Int? { if case .integer(let number) = self { number } else { nil } }

  /// The number, whole or not; nil: it is something else.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    default: nil
    }
  }

  /// Whether it is true; nil: it is something else.
  public var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The values of a list; nil: it is something else.
  public var list: [Device.Value]? { if case .list(let values) = self { values } else { nil } }

  /// The members by their names; nil: it is something else.
  public var members: [String: Device.Value]? {
    if case .members(let members) = self { members } else { nil }
  }

  /// The bytes of a text with hex digits in pairs; nil: it is something else.
  public var bytes: [UInt8]? {
    guard let text else { return nil }
    let digits = text.unicodeScalars.filter { $0 != " " }.map {
      $0.isASCII ? Character($0).hexDigitValue : nil
    }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) }
  }

  /// A member by its name; nil: there is none.
  public subscript(name: String) -> Device.Value? { members?[name] }

  /// A value of a list by its index; nil: there is none.
  public subscript(index: Int) -> Device.Value? {
    list.flatMap { $0.indices.contains(index) ? $0[index] : nil }
  }
}

extension Device.Value: CustomStringConvertible {
  /// The text, and anything else as in JSON.
  public var description: String { text ?? json.line }
}

// MARK: JSON

extension Device.Value {
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .none
    case .string(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .decimal(let number): self = .decimal(number)
    case .boolean(let truth): self = .boolean(truth)
    case .array(let elements): self = .list(elements.map(Self.init))
    case .object(let members):
      self = .members(.init(members.map { ($0.name, Self($0.value)) }) { first, _ in first })
    }
  }

  /// Members are in the order of their names.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .decimal(let number): .decimal(number)
    case .boolean(let truth): .boolean(truth)
    case .list(let values): .array(values.map(\.json))
    case .members(let members):
      .object(members.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value.json) })
    }
  }
}

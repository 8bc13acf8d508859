package import BlemuJSON

/// The type of a parameter.
package enum ControlType: Sendable {
  case text
  case texts
  case integer(ClosedRange<Int>)
  case boolean
  /// Hex digits in pairs, with spaces or without.
  case bytes
  /// The id of a request: a text or a whole number.
  case id
  case choice([String])
  /// A number, a text, true or false; or bytes, as in `{"bytes": "A5 06"}`.
  case value
  /// An object of these.
  case values
}

extension ControlType {
  /// Why a value is not of this type, as in `must be a text`; nil: it is.
  package func problem(with value: JSONValue) -> String? {
    switch self {
    case .text: value.text == nil ? "must be a text" : nil
    case .bytes: value.text == nil ? "must be a text with hex digits" : nil
    case .id: value.text == nil && value.wholeNumber == nil ? "must be a text or a whole number" : nil
    case .boolean: value.truth == nil ? "must be true or false" : nil
    case .texts:
      value.elements?.allSatisfy { $0.text != nil } == true ? nil : "must be a list of texts"
    case .integer(let range):
      value.wholeNumber.map(range.contains) == true
        ? nil : "must be a whole number, \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words):
      value.text.map(words.contains) == true ? nil : "must be \(words.joined(separator: " or "))"
    case .value:
      value.isScalar || value.hexOfBytes != nil
        ? nil : "must be a number, a text, true, false, or an object with 'bytes' in hex"
    case .values:
      value.members?.allSatisfy { $0.value.isScalar || $0.value.hexOfBytes != nil } == true
        ? nil
        : "must be an object whose values are numbers, texts, true, false, or objects with 'bytes' in hex"
    }
  }

  /// Its JSON Schema.
  package var schema: JSONValue {
    switch self {
    case .text: ["type": "string"]
    case .texts: ["type": "array", "items": ["type": "string"]]
    case .boolean: ["type": "boolean"]
    case .bytes: ["type": "string", "pattern": "^([0-9A-Fa-f]{2}\\s*)*$"]
    case .id: ["type": ["string", "integer"]]
    case .integer(let range) where range.upperBound == .max:
      ["type": "integer", "minimum": .integer(range.lowerBound)]
    case .integer(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .choice(let words): ["enum": .array(words.map(JSONValue.string))]
    case .value:
      [
        "anyOf": [
          ["type": ["number", "string", "boolean"]],
          [
            "type": "object", "properties": ["bytes": Self.bytes.schema], "required": ["bytes"],
            "additionalProperties": false,
          ],
        ]
      ]
    case .values: ["type": "object", "additionalProperties": Self.value.schema]
    }
  }
}

extension JSONValue {
  /// The hex digits of a value that is bytes, as in `{"bytes": "A5 06"}`; nil: it is something else.
  package var hexOfBytes: String? { members?.count == 1 ? self["bytes"]?.text : nil }

  /// Whether it is a number, a text, true or false.
  package var isScalar: Bool {
    switch self {
    case .string, .integer, .decimal, .boolean: true
    case .null, .array, .object: false
    }
  }
}

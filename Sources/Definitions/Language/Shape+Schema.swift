import JSON

extension Shape {
  func schema(_ extent: JSONSchema.Extent) -> JSONValue {
    switch self {
    case .map(let key, let value) where extent == .change: Self.map(key, value.schema(.change).orNull)
    case .object(let object) where extent == .change: JSONSchema.reference(to: object.schemaName(.change))
    case .list(let element) where extent == .change && changeable != nil:
      ["type": "array", "items": element.schema(.change)]
    default: schema
    }
  }

  /// Of the whole.
  var schema: JSONValue {
    switch self {
    case .text(let form): JSONSchema.reference(to: form.rawValue)
    case .integer(let range): Self.integer(range)
    case .number: ["type": ["number", "string"], "pattern": .string(DecimalText.pattern)]
    case .boolean: Self.words(["true", "false"])
    case .choice(let words): Self.words(words)
    case .list(let element): ["type": "array", "items": element.schema]
    case .map(let key, let value): Self.map(key, value.schema)
    case .object(let object): Self.reference(to: object)
    case .either(let words, let object): ["anyOf": [Self.words(words), Self.reference(to: object)]]
    case .oneOrMore(let shape):
      ["anyOf": [shape.schema, ["type": "array", "items": shape.schema, "minItems": 1]]]
    case .byKind(let shapes): ["anyOf": .array(shapes.map(\.schema))]
    case .recursive(let object): Self.reference(to: object())
    }
  }

  private static func reference(to object: ObjectShape) -> JSONValue {
    JSONSchema.reference(to: object.schemaName(.whole))
  }

  private static func map(_ key: TextForm, _ value: JSONValue) -> JSONValue {
    [
      "type": "object", "propertyNames": JSONSchema.reference(to: key.rawValue),
      "additionalProperties": value,
    ]
  }

  /// Bounds hold for numbers, the pattern for text.
  private static func integer(_ range: ClosedRange<Int>) -> JSONValue {
    (["type": ["integer", "string"]] as JSONValue).adding([
      "minimum": range.lowerBound == .min ? nil : .integer(range.lowerBound),
      "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
      "pattern": .string(IntegerText.pattern),
    ])
  }

  /// Each word as text, and as what YAML takes it for.
  private static func words(_ words: [String]) -> JSONValue {
    let others = words.compactMap { word in
      Int(word).map(JSONValue.integer) ?? Bool(word).map(JSONValue.boolean)
    }
    return ["enum": .array(others + words.map(JSONValue.string))]
  }

  /// The objects that may stand there, alone or among others.
  var objects: [ObjectShape] {
    switch self {
    case .text, .integer, .number, .boolean, .choice: []
    case .list(let element), .map(_, let element), .oneOrMore(let element): element.objects
    case .object(let object), .either(_, let object): [object]
    case .byKind(let shapes): shapes.flatMap(\.objects)
    case .recursive(let object): [object()]
    }
  }

  /// The object that stands there and may be changed by a definition that extends another (``TreeMerger``).
  var changeable: ObjectShape? {
    switch self {
    case .object(let object): object
    case .map(_, let value): value.changeable
    case .list(.object(let object)) where object.merging == .byUUID: object
    default: nil
    }
  }
}

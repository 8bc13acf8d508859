import BlemuJSON

extension Shape {
  func schema(_ extent: JSONSchema.Extent) -> JSONValue {
    switch self {
    case .map(let key, let value, _, let limit) where extent == .change:
      Self.map(key, value.schema(.change).orNull, 0, limit)
    case .object(let object) where extent == .change: JSONSchema.reference(to: object().schemaName(.change))
    case .list(let element, _, let limit) where extent == .change && changeable != nil:
      Self.list(element.schema(.change), 0, limit)
    case .oneOrMore(let shape, let limit) where extent == .change && changeable != nil:
      ["anyOf": [shape.schema(.change), Self.list(shape.schema, 1, limit)]]
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
    case .choiceOr(let words, let form):
      ["anyOf": [Self.words(words), JSONSchema.reference(to: form.rawValue)]]
    case .list(let element, let least, let most): Self.list(element.schema, least, most)
    case .map(let key, let value, let least, let most): Self.map(key, value.schema, least, most)
    case .object(let object): Self.reference(to: object())
    case .eitherText(let form, let other):
      ["anyOf": [JSONSchema.reference(to: form.rawValue), other.schema]]
    case .rows(let list, let row, let object):
      ["anyOf": [list.schema, Self.reference(to: object()), row.schema]]
    case .named(let name, _): JSONSchema.reference(to: name)
    case .either(let words, let object): ["anyOf": [Self.words(words), Self.reference(to: object())]]
    case .oneOrMore(let shape, let limit): ["anyOf": [shape.schema, Self.list(shape.schema, 1, limit)]]
    }
  }

  private static func reference(to object: ObjectShape) -> JSONValue {
    let reference = JSONSchema.reference(to: object.schemaName(.whole))
    guard let group = object.group else { return reference }
    return ["anyOf": [reference, JSONSchema.reference(to: group.shape().schemaName(.whole))]]
  }

  private static func list(_ element: JSONValue, _ least: Int, _ most: Int) -> JSONValue {
    (["type": "array", "items": element, "maxItems": .integer(most)] as JSONValue)
      .adding(["minItems": least == 0 ? nil : .integer(least)])
  }

  private static func map(_ key: TextForm, _ value: JSONValue, _ least: Int, _ most: Int) -> JSONValue {
    ([
      "type": "object", "propertyNames": JSONSchema.reference(to: key.rawValue),
      "additionalProperties": value, "maxProperties": .integer(most),
    ] as JSONValue).adding(["minProperties": least == 0 ? nil : .integer(least)])
  }

  /// Bounds hold for numbers, the pattern for text.
  private static func integer(_ range: ClosedRange<Int>) -> JSONValue {
    (["type": ["integer", "string"]] as JSONValue).adding([
      "minimum": range.lowerBound == .min ? nil : .integer(range.lowerBound),
      "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
      "pattern": .string(IntegerText.pattern),
    ])
  }

  /// Each word as text, and in the type that YAML gives it.
  private static func words(_ words: [String]) -> JSONValue {
    let others = words.compactMap { word in
      Int(word).map(JSONValue.integer) ?? Bool(word).map(JSONValue.boolean)
    }
    return ["enum": .array(others + words.map(JSONValue.string))]
  }

  /// The objects that are possible there, alone or among others.
  var objects: [ObjectShape] {
    switch self {
    case .text, .integer, .number, .boolean, .choice, .choiceOr, .named: []
    case .rows(let list, _, let object): list.objects + [object()]
    case .list(let element, _, _), .map(_, let element, _, _), .oneOrMore(let element, _),
      .eitherText(_, let element):
      element.objects
    case .object(let object), .either(_, let object):
      [object()] + (object().group.map { [$0.shape()] } ?? [])
    }
  }

  /// The forms of the texts in it. Objects have their own.
  var forms: Set<TextForm> {
    switch self {
    case .text(let form): [form]
    case .choiceOr(_, let form): [form]
    case .map(let key, let value, _, _): value.forms.union([key])
    case .eitherText(let form, let other): other.forms.union([form])
    case .list(let element, _, _), .oneOrMore(let element, _), .rows(let element, _, _): element.forms
    // A named shape contains itself, and the shapes around it have all of its forms.
    case .integer, .number, .boolean, .choice, .object, .either, .named: []
    }
  }

  /// The shapes with names in it, by name.
  var namedShapes: [String: Shape] {
    switch self {
    case .named(let name, let shape): [name: shape()]
    case .list(let element, _, _), .map(_, let element, _, _), .oneOrMore(let element, _),
      .eitherText(_, let element), .rows(let element, _, _):
      element.namedShapes
    default: [:]
    }
  }

  /// The object there that a definition which extends another may change (``TreeMerger``).
  var changeable: ObjectShape? {
    switch self {
    case .object(let object): object()
    case .map(_, let value, _, _): value.changeable
    case .oneOrMore(let shape, _): shape.changeable
    case .list(.object(let object), _, _) where object().merging == .byIdentity: object()
    default: nil
    }
  }
}

import JSON

/// The language as a JSON Schema, for editors: what to type at a place, and what cannot stand there.
///
/// It says of structure what the ``ShapeChecker`` says. An editor has read the file before, and takes `2901` for
/// a number and `true` for a boolean where we see text, so text may be each of these.
package enum JSONSchema {
  /// The schema of files with this outline (https://json-schema.org/draft/2020-12).
  package static func schema(of root: ObjectShape) -> JSONValue {
    let head: JSONValue = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
    guard case .object(let body) = root.schema else {
      preconditionFailure("an object has an object's schema")
    }
    return head.adding(body).adding(["$defs": definitions(below: root)])
  }

  private static func definitions(below root: ObjectShape) -> JSONValue {
    let objects = root.objectsBelow.map { JSONValue.Member(name: $0.schemaName, value: $0.schema) }
    let forms = TextForm.allCases.map { JSONValue.Member(name: $0.rawValue, value: $0.schema) }
    return .object(objects + forms)
  }

  static func reference(to name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
}

extension ObjectShape {
  /// Its name without the article, in one word: `data-table`.
  var schemaName: String { words.joined(separator: "-") }

  private var words: ArraySlice<Substring> { name.split(separator: " ").dropFirst() }

  var schema: JSONValue {
    let members = keys.map { key in
      JSONValue.Member(name: key.name, value: key.shape.schema.adding(["description": .string(key.summary)]))
    }
    let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    return (["title": .string(words.joined(separator: " ")), "type": "object"] as JSONValue).adding([
      "required": required.isEmpty ? nil : .array(required),
      "minProperties": isOneOf ? 1 : nil,
      "maxProperties": isOneOf ? 1 : nil,
      "properties": .object(members),
      "additionalProperties": false,
    ])
  }

  /// The objects in it and in those, each once, in the order of the language.
  fileprivate var objectsBelow: [ObjectShape] {
    var names: Set<String> = []
    return keys.flatMap { key in key.shape.object.map { [$0] + $0.objectsBelow } ?? [] }
      .filter { names.insert($0.name).inserted }
  }
}

extension Shape {
  var schema: JSONValue {
    switch self {
    case .text(let form): JSONSchema.reference(to: form.rawValue)
    case .integer(let range): Self.integer(range)
    case .boolean: Self.words(["true", "false"])
    case .choice(let words): Self.words(words)
    case .list(let element): ["type": "array", "items": element.schema]
    case .map(let key, let value):
      [
        "type": "object", "propertyNames": JSONSchema.reference(to: key.rawValue),
        "additionalProperties": value.schema,
      ]
    case .object(let object): JSONSchema.reference(to: object.schemaName)
    case .either(let words, let object):
      ["anyOf": [Self.words(words), JSONSchema.reference(to: object.schemaName)]]
    case .eitherText(let form, let object):
      ["anyOf": [JSONSchema.reference(to: form.rawValue), JSONSchema.reference(to: object.schemaName)]]
    case .oneOrMore(let object):
      [
        "anyOf": [
          JSONSchema.reference(to: object.schemaName),
          ["type": "array", "items": JSONSchema.reference(to: object.schemaName), "minItems": 1],
        ]
      ]
    }
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

  /// The object that may stand there, alone or among others.
  fileprivate var object: ObjectShape? {
    switch self {
    case .text, .integer, .boolean, .choice: nil
    case .list(let element), .map(_, let element): element.object
    case .object(let object), .either(_, let object), .eitherText(_, let object), .oneOrMore(let object):
      object
    }
  }
}

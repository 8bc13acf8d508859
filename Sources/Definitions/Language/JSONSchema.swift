import JSON

/// The language as a JSON Schema, for editors: what to type at a place, and what cannot stand there.
///
/// It says of structure what the ``ShapeChecker`` says. An editor has read the file before, and takes `2901` for
/// a number and `true` for a boolean where we see text, so text may be each of these.
///
/// A file that has `extends` may leave out what the other has, and remove keys. Its objects have schemas of their own.
package enum JSONSchema {
  /// The schema of files with this outline (https://json-schema.org/draft/2020-12).
  package static func schema(of root: ObjectShape) -> JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "if": ["required": ["extends"]],
      "then": reference(to: root.schemaName(.change)),
      "else": reference(to: root.schemaName(.whole)),
      "$defs": definitions(below: root),
    ]
  }

  private static func definitions(below root: ObjectShape) -> JSONValue {
    let wholes = ([root] + root.objectsBelow).map { $0.member(.whole) }
    let changes = ([root] + root.changeableBelow).map { $0.member(.change) }
    let forms = TextForm.allCases.map { JSONValue.Member(name: $0.rawValue, value: $0.schema) }
    return .object(wholes + changes + forms)
  }

  /// What a schema describes.
  enum Extent {
    /// All of an object.
    case whole
    /// What a definition says of an object of the one that it extends.
    case change
  }

  static func reference(to name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
}

extension ObjectShape {
  /// Its name without the article, in one word: `data-table`, `change-of-data-table`.
  func schemaName(_ extent: JSONSchema.Extent) -> String { words(extent).joined(separator: "-") }

  private func words(_ extent: JSONSchema.Extent) -> [Substring] {
    let words = name.split(separator: " ").dropFirst()
    return extent == .whole ? Array(words) : ["change", "of"] + words
  }

  fileprivate func member(_ extent: JSONSchema.Extent) -> JSONValue.Member {
    JSONValue.Member(name: schemaName(extent), value: schema(extent))
  }

  func schema(_ extent: JSONSchema.Extent) -> JSONValue {
    let members = keys.map { JSONValue.Member(name: $0.name, value: $0.schema(extent)) }
    let required = keys.filter { extent == .whole ? $0.isRequired : $0.isLasting }
    let alternatives = extent == .whole ? alternatives : []
    let title = words(extent).joined(separator: " ")
    return (["title": .string(title), "type": "object"] as JSONValue).adding([
      "required": required.isEmpty ? nil : .array(required.map { .string($0.name) }),
      "oneOf": alternatives.isEmpty ? nil : .array(alternatives.map { ["required": [.string($0)]] }),
      "properties": .object(members),
      "additionalProperties": false,
    ])
  }

  /// The objects in it and in those, each once, in the order of the language.
  fileprivate var objectsBelow: [ObjectShape] { below(\.objects) }

  /// Those that a definition may change in the one that it extends.
  fileprivate var changeableBelow: [ObjectShape] { below { $0.changeable.map { [$0] } ?? [] } }

  private func below(_ objects: (Shape) -> [ObjectShape]) -> [ObjectShape] {
    var found: [ObjectShape] = []
    collect(objects, into: &found)
    return found
  }

  private func collect(_ objects: (Shape) -> [ObjectShape], into found: inout [ObjectShape]) {
    for object in keys.flatMap({ objects($0.shape) })
    where !found.contains(where: { $0.name == object.name }) {
      found.append(object)
      object.collect(objects, into: &found)
    }
  }
}

extension ObjectShape.Key {
  /// In a change, null removes it.
  fileprivate func schema(_ extent: JSONSchema.Extent) -> JSONValue {
    let value = extent == .whole || isLasting ? shape.schema(extent) : shape.schema(extent).orNull
    return value.adding(["description": .string(summary)])
  }
}

extension JSONValue {
  fileprivate var orNull: JSONValue { ["anyOf": [self, ["type": "null"]]] }
}

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
  fileprivate var objects: [ObjectShape] {
    switch self {
    case .text, .integer, .number, .boolean, .choice: []
    case .list(let element), .map(_, let element), .oneOrMore(let element): element.objects
    case .object(let object), .either(_, let object): [object]
    case .byKind(let shapes): shapes.flatMap(\.objects)
    case .recursive(let object): [object()]
    }
  }

  /// The object that stands there and may be changed by a definition that extends another (``TreeMerger``).
  fileprivate var changeable: ObjectShape? {
    switch self {
    case .object(let object): object
    case .map(_, let value): value.changeable
    case .list(.object(let object)) where object.merging == .byUUID: object
    default: nil
    }
  }
}

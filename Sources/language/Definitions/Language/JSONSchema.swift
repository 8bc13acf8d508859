import BlemuJSON

/// The language as a JSON Schema, with which editors complete and check definitions.
///
/// It accepts the structure that the ``ShapeChecker`` accepts. An editor parses the file first, and takes `2901` for
/// a number and `true` for a boolean where we see text, so text may be each of these.
///
/// A file that has `extends` may leave out the keys of the other file, and remove keys. Its objects have schemas of
/// their own.
package enum JSONSchema {
  /// The schema of files with this outline (https://json-schema.org/draft/2020-12).
  package static func schema(of root: ObjectShape) -> JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "if": ["required": ["extends"]],
      "then": reference(to: root.schemaName(.change)),
      "else": reference(to: root.schemaName(.whole)),
      "$defs": definitions(below: root, changes: [root] + root.changeableBelow),
    ]
  }

  /// The schema of files with this outline, which never extend one another.
  package static func schema(ofWhole root: ObjectShape) -> JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$ref": .string("#/$defs/\(root.schemaName(.whole))"),
      "$defs": definitions(below: root, changes: []),
    ]
  }

  private static func definitions(below root: ObjectShape, changes: [ObjectShape]) -> JSONValue {
    let wholes = ([root] + root.objectsBelow).map { $0.member(.whole) }
    let changes = changes.map { $0.member(.change) }
    let named: [String: Shape] = root.objectsBelow.reduce(into: [:]) {
      $0.merge($1.namedShapes) { first, _ in first }
    }
    let shapes = named.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0, value: $1.schema) }
    let forms = root.forms.map { JSONValue.Member(name: $0.rawValue, value: $0.schema) }
    return .object(wholes + changes + shapes + forms)
  }

  /// The part of an object that a schema describes.
  enum Extent {
    /// All of an object.
    case whole
    /// The keys of an object that a definition changes in the definition that it extends.
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
    let variants = extent == .whole ? variants : nil
    let exclusions = extent == .whole ? exclusions : []
    let needs = extent == .whole ? keys.filter { $0.needs != nil } : []
    let identities = extent == .change ? identities : []
    let title = words(extent).joined(separator: " ")
    return (["title": .string(title), "type": "object"] as JSONValue).adding([
      "required": required.isEmpty ? nil : .array(required.map { .string($0.name) }),
      "anyOf": identities.isEmpty ? nil : .array(identities.map { ["required": [.string($0)]] }),
      "oneOf": variants.map { variants in .array(variants.all.map { schema(of: $0, among: variants) }) },
      "allOf": exclusions.isEmpty ? nil : .array(exclusions),
      "dependentRequired": needs.isEmpty
        ? nil : .object(needs.map { .init(name: $0.name, value: .array([.string($0.needs!)])) }),
      "properties": .object(members),
      "additionalProperties": false,
    ])
  }

  /// Each pair of keys that cannot be combined.
  private var exclusions: [JSONValue] {
    keys.flatMap { key in
      key.excludes.map { other in ["not": ["required": [.string(other), .string(key.name)]]] }
    }
  }

  /// The conditions that distinguish a variant: the keys that it has, and those that only others have.
  private func schema(of variant: Variant, among variants: Variants) -> JSONValue {
    let others = keys(of: variant)
    let names: JSONValue? =
      variants.all.allSatisfy(\.keys.isEmpty) ? nil : ["enum": .array(others.map(JSONValue.string))]
    let choices = variant.alternatives.map { ["required": [.string($0)]] as JSONValue }
    var own: [String] = []
    var word: JSONValue?
    switch variants {
    case .keys: own = [variant.name]
    case .words(let key, _): word = .object([.init(name: key, value: ["enum": [.string(variant.name)]])])
    }
    return ([:] as JSONValue).adding([
      "properties": word,
      "required": .array((own + variant.needed).map(JSONValue.string)),
      "oneOf": choices.isEmpty ? nil : .array(choices),
      "propertyNames": names,
    ])
  }

  /// The keys by which another definition refers to it, if there is a choice.
  private var identities: [String] {
    guard merging == .byIdentity, keys.contains(where: { $0.name == "id" }) else { return [] }
    return ["id", "uuid"]
  }

  /// The shapes with names of its keys, by name.
  fileprivate var namedShapes: [String: Shape] {
    keys.reduce(into: [:]) { $0.merge($1.shape.namedShapes) { first, _ in first } }
  }

  /// The forms of the texts in it and in the objects below, in the order of their declaration.
  fileprivate var forms: [TextForm] {
    let used = ([self] + objectsBelow).flatMap(\.keys).reduce(into: Set<TextForm>()) {
      $0.formUnion($1.shape.forms)
    }
    return TextForm.allCases.filter(used.contains)
  }

  /// The objects in it and, recursively, in those, each once, in the order of the language.
  fileprivate var objectsBelow: [ObjectShape] { below(\.objects) }

  /// The objects that a definition may change in the definition that it extends.
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
  var orNull: JSONValue { ["anyOf": [self, ["type": "null"]]] }
}

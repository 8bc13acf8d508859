/// A node of a definition with the keys of an object of the language, each of which is a property.
///
/// If the ``ShapeChecker`` found mistakes, a property is nil or lacks an element: there is nothing to read. `Keys` has
/// no requirement, because Swift would look for its conformance at run time, which makes the program start later. So would
/// key paths: `map { $0.uuid }` needs none, while `map(\.uuid)` makes two.
@dynamicMemberLookup
struct Node<Keys> {
  private let node: YAMLNode

  init(_ node: YAMLNode) { self.node = node }

  /// The text in place of the object, as in `on: connect`.
  var word: Scalar? { Scalar(node) }

  var range: SourceRange { node.range }

  /// Its first line.
  var place: SourceRange { node.startRange }

  /// The first line of a key's value, or of the object if the key is missing.
  func place(of key: String) -> SourceRange { (node[key] ?? node).startRange }

  /// Its keys and their values, in the order of the file.
  var entries: [YAMLNode.Entry] { node.entries }

  @inline(__always)
  subscript<Value>(dynamicMember path: KeyPath<Keys, Key<Value>>) -> Value? where Keys: LanguageObject {
    Keys.outline.keys[keyPath: path].read(in: node)
  }

  /// Empty if the key is missing.
  @inline(__always)
  subscript<Element>(dynamicMember path: KeyPath<Keys, ListKey<Element>>) -> [Element]
  where Keys: LanguageObject {
    Keys.outline.keys[keyPath: path].list.read(in: node) ?? []
  }
}

/// The keys of an object of the language: its properties are a ``Key`` or a ``ListKey`` each, in the order of the language.
protocol LanguageObject: Sendable, SendableMetatype {
  static var outline: Outline<Self> { get }
}

/// An object's keys, and the shape that they make.
struct Outline<Keys: Sendable>: Sendable {
  let keys: Keys
  let shape: ObjectShape

  /// - Parameter list: the properties of `keys`, in their order. They are listed because reflection would make the program
  ///   start later; debug builds compare.
  init(
    _ name: String, _ keys: Keys, merging: ObjectShape.Merging = .replaced, oneOf variants: Variants? = nil,
    orGroup group: ObjectShape.Group? = nil, list: (Keys) -> [any DeclaredKey]
  ) {
    self.keys = keys
    let declarations = list(keys).map(\.declaration)
    assert(
      declarations.map(\.name)
        == Mirror(reflecting: keys).children.compactMap { ($0.value as? any DeclaredKey)?.name },
      "the list of the keys of \(name) differs from its properties")
    shape = ObjectShape(name, merging: merging, declarations, oneOf: variants, orGroup: group)
  }
}

protocol DeclaredKey {
  var declaration: ObjectShape.Key { get }
}

extension DeclaredKey {
  var name: String { declaration.name }
}

/// A key of an object, and how its value is read.
final class Key<Value>: DeclaredKey, Sendable {
  let declaration: ObjectShape.Key
  private let form: Form<Value>

  private init(_ form: Form<Value>, _ declaration: ObjectShape.Key) {
    (self.form, self.declaration) = (form, declaration)
  }

  static func required(_ name: String, _ form: Form<Value>, _ summary: String) -> Key {
    Key(form, ObjectShape.Key(name: name, shape: form.shape, isRequired: true, summary: summary))
  }

  /// A key that is required even in a definition that extends another.
  static func lasting(_ name: String, _ form: Form<Value>, _ summary: String) -> Key {
    let key = ObjectShape.Key(
      name: name, shape: form.shape, isRequired: true, isLasting: true, summary: summary)
    return Key(form, key)
  }

  /// - Parameters:
  ///   - needs: the key without which it has no meaning.
  ///   - excludes: the keys that it replaces.
  static func optional(
    _ name: String, _ form: Form<Value>, _ summary: String, needs: String? = nil, excludes: [String] = []
  ) -> Key {
    let key = ObjectShape.Key(
      name: name, shape: form.shape, isRequired: false, summary: summary, needs: needs, excludes: excludes)
    return Key(form, key)
  }

  func read(in node: YAMLNode) -> Value? { node[name].flatMap(form.read) }
}

/// A key of an object with several values.
struct ListKey<Element>: DeclaredKey, Sendable {
  let list: Key<[Element]>

  var declaration: ObjectShape.Key { list.declaration }

  static func required(_ name: String, _ form: Form<[Element]>, _ summary: String) -> Self {
    Self(list: .required(name, form, summary))
  }

  static func optional(
    _ name: String, _ form: Form<[Element]>, _ summary: String, excludes: [String] = []
  ) -> Self {
    Self(list: .optional(name, form, summary, excludes: excludes))
  }
}

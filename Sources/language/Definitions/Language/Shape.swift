/// The structure of one place in a definition file.
///
/// The whole language is one such value, ``Language/root``. The checker of structure and the JSON Schema come from it.
package indirect enum Shape: Sendable {
  case text(TextForm)
  case integer(ClosedRange<Int>)
  /// Whole or with a fraction.
  case number
  case boolean
  case choice([String])
  /// One of these words, or a text of this form: an expression for one, or a name that the definition gives.
  case choiceOr([String], TextForm)
  case list(Shape, atLeast: Int = 0, atMost: Int = Shape.standardLimit)
  /// Names that the author chooses, each with a value.
  case map(key: TextForm, value: Shape, atLeast: Int = 0, atMost: Int = Shape.standardLimit)
  /// Objects are created on demand, because some contain themselves.
  case object(@Sendable () -> ObjectShape)
  /// A bare word, or an object instead.
  case either(choice: [String], @Sendable () -> ObjectShape)
  /// A text, or another value instead.
  case eitherText(TextForm, Shape)
  /// A list of rows, one row instead, or an object that computes them: a mapping with one of its required keys.
  case rows(Shape, row: Shape, @Sendable () -> ObjectShape)
  /// A shape with its own name in the schema, because it may contain itself.
  case named(String, @Sendable () -> Shape)
  /// One of them, or a list of them.
  case oneOrMore(Shape, atMost: Int = Shape.standardLimit)

  /// The most elements of a list or a mapping of names by default: more than any device needs, and few enough for
  /// code that compares each pair of them.
  package static let standardLimit = 256
}

/// The kind of a text. The code that uses the text checks its meaning.
package enum TextForm: String, CaseIterable, Sendable {
  case plain
  case identifier
  /// An identifier, or that with its parameters: `say(word)`.
  case signature
  /// The id of a characteristic: an identifier, or a UUID.
  case characteristicID = "characteristic-id"
  /// The id of a characteristic, or that and the UUID of a descriptor: `serial/2901`.
  case attribute
  case uuid
  /// A UUID, or hex bytes with holes that form one.
  case uuidTemplate = "uuid-template"
  /// A UUID, or the id of a service.
  case serviceID = "service-id"
  /// 16 bits in hex.
  case company
  /// The type of an AD structure, 8 bits in hex.
  case adType = "ad-type"
  /// `public`, `random`, or a static random address.
  case ownAddress = "own-address"
  /// That, a kind of private address, or hex bytes with holes that form a static random address.
  case setAddress = "set-address"
  /// An address, or hex bytes with holes that form one.
  case deviceAddress = "device-address"
  /// `any`, `bonded`, or an address likewise.
  case acceptedCentral = "accepted-central"
  /// Hex bytes, optionally with holes.
  case bytes
  /// Text with holes.
  case template
  /// Hex bytes with typed fields and checksums.
  case message = "byte-message"
  /// Text with typed fields and checksums.
  case textMessage = "text-message"
  /// The name of an ATT error, or its code.
  case attError = "att-error"
  case expression
  /// A number with `ms`, `s` or `min`.
  case duration
  /// A file in the definition's folder.
  case file
  /// A bundled definition, or one in the definition's folder.
  case parent
  /// A value of the type that is given next to it.
  case value
  /// A deliberate fault: a kind and its parts.
  case fault
  /// A name of a device for other commands.
  case deviceName = "device-name"
  /// A transport, optionally with its adapter.
  case transport
}

/// A mapping with known keys.
package final class ObjectShape: Sendable {
  package struct Key: Sendable {
    package var name: String
    package var shape: Shape
    package var isRequired: Bool
    /// Whether it is required even in a definition that extends another.
    package var isLasting = false
    package var summary: String
    /// The key without which it has no meaning.
    package var needs: String?
    /// The keys that it replaces.
    package var excludes: [String] = []
  }

  /// With its article, as in a sentence: "a characteristic".
  package let name: String
  package let keys: [Key]
  /// Its variants; nil: it has none.
  package let variants: Variants?

  /// An object that is possible instead: a group of these objects with common keys.
  let group: Group?

  struct Group: Sendable {
    /// The key that only the group has.
    var key: String
    var shape: @Sendable () -> ObjectShape
  }

  /// How a list of them is merged where a definition extends another.
  package let merging: Merging

  package enum Merging: Sendable {
    /// It replaces the other's list.
    case replaced
    /// It precedes the other's list.
    case inFront
    /// Elements with the same id, or else the same UUID, are merged; the others come last.
    case byIdentity
  }

  init(
    _ name: String, merging: Merging = .replaced, _ keys: [Key], oneOf variants: Variants? = nil,
    orGroup group: Group? = nil
  ) {
    (self.name, self.keys, self.variants) = (name, keys, variants)
    (self.group, self.merging) = (group, merging)
  }

  /// The same keys under another name.
  func named(_ name: String) -> ObjectShape {
    ObjectShape(name, merging: merging, keys, oneOf: variants, orGroup: group)
  }

  /// The same object without a key.
  func without(_ key: some DeclaredKey) -> ObjectShape {
    let others = keys.filter { $0.name != key.name }
    return ObjectShape(name, merging: merging, others, oneOf: variants, orGroup: group)
  }

  /// Whether the node is the group.
  func isGroup(_ node: YAMLNode) -> Bool { group.map { node[$0.key] != nil } ?? false }
}

extension Shape {
  /// The shape of the value under a key of a mapping of this shape.
  func value(under key: String) -> Shape? {
    switch self {
    case .object(let object): object().keys.first { $0.name == key }?.shape
    case .map(_, let value, _, _): value
    default: nil
    }
  }

  /// Whether the keys of two values are independent: an action is one of several things.
  var isOneThing: Bool {
    if case .oneOrMore(.either(_, let object), _) = self { object().variants != nil } else { false }
  }

  /// Whether it is the value of a field, which may have rows.
  var hasRows: Bool { if case .eitherText(.expression, .rows) = self { true } else { false } }

  /// The objects in a list of this shape.
  var element: ObjectShape? {
    if case .list(.object(let object), _, _) = self { object() } else { nil }
  }
}

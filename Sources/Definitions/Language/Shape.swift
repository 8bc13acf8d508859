/// What may stand at a place of a definition file, before any of it means something.
///
/// The whole language is one such value, ``Language/root``: the checker of structure reads it, and so can
/// whatever else must not drift from it.
package indirect enum Shape: Sendable {
  case text(TextForm)
  case integer(ClosedRange<Int>)
  /// Whole or with a fraction.
  case number
  case boolean
  case choice([String])
  case list(Shape, atMost: Int = Shape.standardLimit)
  /// Names that the author chooses, each with a value.
  case map(key: TextForm, value: Shape, atMost: Int = Shape.standardLimit)
  case object(ObjectShape)
  /// A bare word, or a mapping in its place.
  case either(choice: [String], ObjectShape)
  /// Text, or a mapping in its place that says more.
  case eitherText(TextForm, ObjectShape)
  /// One of them, or a list of them.
  case oneOrMore(Shape, atMost: Int = Shape.standardLimit)
  /// A scalar, a list or a mapping, each of its own shape; at most one of a kind.
  case byKind([Shape])
  /// An object that contains itself.
  case recursive(@Sendable () -> ObjectShape)

  /// More elements no list and no mapping of names has, unless said otherwise: more than any device needs, and few
  /// enough for everything that looks at each of them, or at each pair.
  package static let standardLimit = 256
}

/// What kind of text stands at a place; what it means is checked where it is used.
package enum TextForm: String, CaseIterable, Sendable {
  case plain
  case identifier
  /// The id of a characteristic: an identifier, or a UUID.
  case characteristicID = "characteristic-id"
  case uuid
  /// A UUID, or hex bytes with holes that make one.
  case uuidTemplate = "uuid-template"
  /// A UUID, or the id of a service.
  case serviceID = "service-id"
  /// 16 bits in hex.
  case company
  /// The type of an AD structure, 8 bits in hex.
  case adType = "ad-type"
  /// Hex bytes, perhaps with holes.
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
  /// A value of the type that stands beside it.
  case value
}

/// A mapping with known keys.
package struct ObjectShape: Sendable {
  package struct Key: Sendable {
    package var name: String
    package var shape: Shape
    package var isRequired: Bool
    /// Whether it is required also in what only changes another definition.
    package var isLasting = false
    package var summary: String
    /// The key without which it means nothing.
    package var needs: String?
    /// The keys in place of which it stands.
    package var excludes: [String] = []

    package static func required(_ name: String, _ shape: Shape, _ summary: String) -> Key {
      Key(name: name, shape: shape, isRequired: true, summary: summary)
    }

    /// One that has to be there also in what only changes another definition.
    package static func lasting(_ name: String, _ shape: Shape, _ summary: String) -> Key {
      Key(name: name, shape: shape, isRequired: true, isLasting: true, summary: summary)
    }

    package static func optional(
      _ name: String, _ shape: Shape, _ summary: String, needs: String? = nil, excludes: [String] = []
    ) -> Key {
      Key(
        name: name, shape: shape, isRequired: false, summary: summary, needs: needs, excludes: excludes)
    }
  }

  /// With its article, as it stands in a sentence: "a characteristic".
  package var name: String
  package var keys: [Key]
  /// The things that it can be; nil: it is one thing.
  package var variants: Variants?

  /// What may stand in its place: several of it, with what they have in common.
  var group: Group?

  struct Group: Sendable {
    /// The key that only the group has.
    var key: String
    var shape: @Sendable () -> ObjectShape
  }

  /// What becomes of a list of them where a definition extends another.
  package var merging: Merging

  package enum Merging: Sendable {
    /// It takes the place of the other's list.
    case replaced
    /// It comes in front of the other's list.
    case inFront
    /// Elements with the same id, or else the same UUID, are merged, the others come behind.
    case byIdentity
  }

  init(
    _ name: String, merging: Merging = .replaced, _ keys: [Key], oneOf variants: Variants? = nil,
    orGroup group: Group? = nil
  ) {
    self.group = group
    self.name = name
    self.merging = merging
    self.variants = variants
    self.keys = keys
  }
}

extension Shape {
  /// What may stand under a key of a mapping of this shape.
  func value(under key: String) -> Shape? {
    switch self {
    case .object(let object): object.keys.first { $0.name == key }?.shape
    case .map(_, let value, _): value
    default: nil
    }
  }

  /// The objects that a list of this shape has.
  var element: ObjectShape? {
    if case .list(.object(let object), _) = self { object } else { nil }
  }
}

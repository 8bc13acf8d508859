/// What may stand at a place of a definition file, before any of it means something.
///
/// The whole language is one such value, ``Language/root``: the checker of structure reads it, and so can
/// whatever else must not drift from it.
package indirect enum Shape: Sendable {
  case text(TextForm)
  case integer(ClosedRange<Int>)
  case boolean
  case choice([String])
  case list(Shape)
  /// Names that the author chooses, each with a value.
  case map(key: TextForm, value: Shape)
  case object(ObjectShape)
  /// A bare word, or a mapping in its place.
  case either(choice: [String], ObjectShape)
  /// Text, or a mapping in its place that says more.
  case eitherText(TextForm, ObjectShape)
  /// One of them, or a list of them.
  case oneOrMore(ObjectShape)
}

/// What kind of text stands at a place; what it means is checked where it is used.
package enum TextForm: String, CaseIterable, Sendable {
  case plain
  case identifier
  /// The id of a characteristic: an identifier, or a UUID.
  case characteristicID = "characteristic-id"
  case uuid
  /// 16 bits in hex.
  case company
  /// Hex bytes, perhaps with holes.
  case bytes
  /// Text with holes.
  case template
  /// Hex bytes with typed fields and checksums.
  case message = "byte-message"
  /// Text with typed fields.
  case textMessage = "text-message"
  case expression
  /// A number with `ms`, `s` or `min`.
  case duration
  /// A file in the definition's folder.
  case file
  /// A value of the type that stands beside it.
  case value
}

/// A mapping with known keys.
package struct ObjectShape: Sendable {
  package struct Key: Sendable {
    package var name: String
    package var shape: Shape
    package var isRequired: Bool
    package var summary: String

    package static func required(_ name: String, _ shape: Shape, _ summary: String) -> Key {
      Key(name: name, shape: shape, isRequired: true, summary: summary)
    }

    package static func optional(_ name: String, _ shape: Shape, _ summary: String) -> Key {
      Key(name: name, shape: shape, isRequired: false, summary: summary)
    }
  }

  /// With its article, as it stands in a sentence: "a characteristic".
  package var name: String
  package var keys: [Key]
  /// Whether it must have exactly one of its keys.
  package var isOneOf = false

  package init(_ name: String, isOneOf: Bool = false, _ keys: [Key]) {
    self.name = name
    self.isOneOf = isOneOf
    self.keys = keys
  }
}

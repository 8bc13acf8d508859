/// The values allowed at a place of a definition, and how they are read.
struct Form<Value>: Sendable {
  let shape: Shape
  /// Returns nil for any other value, which the ``ShapeChecker`` reports.
  let read: @Sendable (YAMLNode) -> Value?
}

extension Form where Value == Scalar {
  static func text(_ form: TextForm) -> Self { Self(shape: .text(form)) { Scalar($0) } }

  /// One of these words. Any text is read.
  static func choice(_ words: [String]) -> Self { Self(shape: .choice(words)) { Scalar($0) } }

  /// One of these words, or a text of this form. Any text is read.
  static func choice(_ words: [String], or form: TextForm) -> Self {
    Self(shape: .choiceOr(words, form)) { Scalar($0) }
  }

  static var number: Self {
    Self(shape: .number) { node in node.text.flatMap(DecimalText.parse) == nil ? nil : Scalar(node) }
  }
}

extension Form where Value == Located<Int> {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(shape: .integer(range)) { node in
      guard let number = node.text.flatMap(IntegerText.parse), range.contains(number) else { return nil }
      return Located(value: number, range: node.range)
    }
  }
}

extension Form where Value == Bool {
  static var boolean: Self { Self(shape: .boolean) { node in node.text.flatMap(Bool.init) } }
}

// MARK: Objects

extension Form {
  /// - Parameter shape: the shape of another object with the same keys; by default the object's own.
  static func object<Keys: LanguageObject>(
    _ keys: Keys.Type, shape: @escaping @Sendable () -> ObjectShape = { Keys.outline.shape }
  ) -> Self where Value == Node<Keys> {
    Self(shape: .object(shape)) { node in
      if case .mapping = node.content { Node(node) } else { nil }
    }
  }

  /// A bare word, or an object.
  static func either<Keys: LanguageObject>(_ words: [String], _ keys: Keys.Type) -> Self
  where Value == Node<Keys> {
    Self(shape: .either(choice: words) { keys.outline.shape }, read: short)
  }

  /// A text, or an object.
  static func either<Keys: LanguageObject>(_ form: TextForm, _ keys: Keys.Type) -> Self
  where Value == Node<Keys> {
    Self(shape: .eitherText(form, .object { keys.outline.shape }), read: short)
  }

  @Sendable private static func short<Keys>(_ node: YAMLNode) -> Value? where Value == Node<Keys> {
    if case .sequence = node.content { nil } else { Node(node) }
  }
}

// MARK: Several

extension Form {
  static func list<Element>(
    _ element: Form<Element>, atLeast: Int = 0, atMost: Int = Shape.standardLimit
  ) -> Self where Value == [Element] {
    Self(shape: .list(element.shape, atLeast: atLeast, atMost: atMost)) { node in
      if case .sequence(let nodes) = node.content { nodes.compactMap(element.read) } else { nil }
    }
  }

  /// One of them, or a list of them.
  static func oneOrMore<Element>(
    _ element: Form<Element>, atMost: Int = Shape.standardLimit
  ) -> Self where Value == [Element] {
    Self(shape: .oneOrMore(element.shape, atMost: atMost)) { node in
      if case .sequence(let nodes) = node.content { return nodes.compactMap(element.read) }
      return [node].compactMap(element.read)
    }
  }

  /// Names that the author chooses, each with a value.
  static func map<Element>(
    _ key: TextForm, _ value: Form<Element>, atLeast: Int = 0, atMost: Int = Shape.standardLimit
  ) -> Self where Value == [Entry<Element>] {
    Self(shape: .map(key: key, value: value.shape, atLeast: atLeast, atMost: atMost)) { node in
      guard case .mapping(let entries) = node.content else { return nil }
      return entries.compactMap { entry in
        guard let key = Scalar(entry.key), let value = value.read(entry.value) else { return nil }
        return Entry(key: key, value: value)
      }
    }
  }
}

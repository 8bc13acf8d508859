import Definitions

extension YAMLValue {
  /// The same value with the keys of the language in the order of the language.
  func ordered(by shape: Shape) -> YAMLValue {
    switch (self, shape) {
    case (.object(let entries, let layout), _):
      guard let keys = shape.objectKeys else { return self }
      let ordered = keys.flatMap { key in
        entries.filter { $0.key == key.name }.map { Entry(key.name, $0.value.ordered(by: key.shape)) }
      }
      precondition(ordered.count == entries.count, "the language has each of the keys \(entries.map(\.key))")
      return .object(ordered, layout)
    case (.map(let entries, let layout), .map(_, let value, _, _)):
      return .map(entries.map { Entry($0.key, $0.value.ordered(by: value)) }, layout)
    case (.map, .named(_, let inner)): return ordered(by: inner())
    case (.map, .eitherText(_, let inner)), (.map, .oneOrMore(let inner, _)): return ordered(by: inner)
    case (.list(let elements, let layout), _):
      guard let element = shape.elementShape else { return self }
      return .list(elements.map { $0.ordered(by: element) }, layout)
    case (.commented(let value, let comment), _): return .commented(value.ordered(by: shape), comment)
    default: return self
    }
  }
}

extension Shape {
  /// The keys of the object that may stand here; nil: none may.
  fileprivate var objectKeys: [ObjectShape.Key]? {
    switch self {
    case .object(let object), .either(_, let object), .rows(_, _, let object): object().keys
    case .eitherText(_, let inner), .oneOrMore(let inner, _): inner.objectKeys
    case .named(_, let inner): inner().objectKeys
    default: nil
    }
  }

  /// The elements of the list that may stand here; nil: none may.
  fileprivate var elementShape: Shape? {
    switch self {
    case .list(let element, _, _), .oneOrMore(let element, _): element
    case .eitherText(_, let inner): inner.elementShape
    case .rows(let list, _, _): list.elementShape
    case .named(_, let inner): inner().elementShape
    default: nil
    }
  }
}

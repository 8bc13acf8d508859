/// The things that an object can be: it is exactly one of them.
package enum Variants: Sendable {
  /// Each has a key of its own name, and the keys that may stand beside that.
  case keys([Variant])
  /// The word under a key says which it is; each needs all of its keys.
  case words(under: String, [Variant])
}

/// One of the things that an object can be.
package struct Variant: Sendable {
  /// Its key, or its word.
  package var name: String
  /// Those that it has beside. What no variant has, all may have.
  package var keys: [String]

  init(_ name: String, _ keys: String...) {
    self.name = name
    self.keys = keys
  }
}

extension Variants {
  package var all: [Variant] {
    switch self {
    case .keys(let variants), .words(_, let variants): variants
    }
  }
}

extension ObjectShape {
  /// Of these keys it must have exactly one.
  package var alternatives: [String] {
    if case .keys(let variants) = variants { variants.map(\.name) } else { [] }
  }

  /// The keys that a variant of it may have, in the order of the language.
  func keys(of variant: Variant) -> [String] {
    guard let variants else { return keys.map(\.name) }
    let special = Set(variants.all.flatMap(\.keys) + alternatives)
    return keys.map(\.name).filter {
      !special.contains($0) || $0 == variant.name || variant.keys.contains($0)
    }
  }
}

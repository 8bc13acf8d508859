/// The variants of an object, which is exactly one of them.
package enum Variants: Sendable {
  /// Each has a key with its own name, and further keys that may accompany it.
  case keys([Variant])
  /// The word under a key selects the variant.
  case words(under: String, [Variant])
}

/// One variant of an object.
package struct Variant: Sendable {
  /// Its key, or its word.
  package var name: String
  /// The keys that it must have.
  package var needed: [String]
  /// The keys of which exactly one is required.
  package var alternatives: [String]
  /// The keys that it may have.
  package var possible: [String]

  init(_ name: String, needs: [String] = [], oneOf: [String] = [], may: [String] = []) {
    self.name = name
    needed = needs
    alternatives = oneOf
    possible = may
  }

  /// The keys that it has besides its own. The keys that no variant lists are allowed in all of them.
  package var keys: [String] { needed + alternatives + possible }

  /// Whether it has this key besides its own.
  func has(_ key: String) -> Bool {
    needed.contains(key) || alternatives.contains(key) || possible.contains(key)
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
  /// The keys of which exactly one is required.
  package var alternatives: [String] {
    if case .keys(let variants) = variants { variants.map(\.name) } else { [] }
  }

  /// The keys that a variant of it may have, in the order of the language.
  func keys(of variant: Variant) -> [String] { keys.map(\.name).filter { mayHave($0, variant) } }

  /// Whether a variant of it may have this key, which is one of its keys.
  func mayHave(_ key: String, _ variant: Variant) -> Bool {
    variant.name == key || variant.has(key) || !isSpecial(key)
  }

  /// Whether a key is a variant's own, or is allowed only in some variants.
  private func isSpecial(_ key: String) -> Bool {
    switch variants {
    case .keys(let variants): variants.contains { $0.name == key || $0.has(key) }
    case .words(_, let variants): variants.contains { $0.has(key) }
    case nil: false
    }
  }
}

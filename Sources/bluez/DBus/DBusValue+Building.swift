extension DBusValue {
  /// A dictionary `a{sv}` in the order given; each value becomes a variant.
  package static func dictionary(_ entries: [(String, DBusValue)]) -> DBusValue {
    .array(
      of: "{sv}",
      entries.map { .dictEntry(key: .string($0.0), value: .variant($0.1)) })
  }

  /// An array of strings, `as`.
  package static func strings(_ strings: [String]) -> DBusValue {
    .array(of: "s", strings.map(DBusValue.string))
  }
}

extension DBusValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension DBusValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension DBusValue: ExpressibleByDictionaryLiteral {
  /// A dictionary `a{sv}`: `["Powered": true]`.
  package init(dictionaryLiteral elements: (String, DBusValue)...) { self = .dictionary(elements) }
}

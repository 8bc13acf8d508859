/// A JSON value (RFC 8259). The members of an object keep their order.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case string(String)
  case integer(Int)
  /// A number that is no ``integer(_:)``; finite.
  case decimal(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
  package init(integerLiteral number: Int) { self = .integer(number) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member(name: $0.0, value: $0.1) })
  }

  /// Returns the object with more members at its end, without those that are nil. The value must be an object.
  package func adding(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    adding(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// Returns the object with more members at its end. The value must be an object.
  package func adding(_ members: [Member]) -> JSONValue {
    guard case .object(let own) = self else { preconditionFailure("only an object has members") }
    return .object(own + members)
  }
}

// MARK: Parts

extension JSONValue {
  /// The value of a member of an object; nil if there is none, or if this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var wholeNumber: Int? { if case .integer(let number) = self { number } else { nil } }

  package var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}

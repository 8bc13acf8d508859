/// A JSON value (RFC 8259). The members of an object keep their order.
package indirect enum JSONValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
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

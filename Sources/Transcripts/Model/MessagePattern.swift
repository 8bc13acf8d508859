import DeviceModel

/// An expected message with expected fields: `day-total packets=5`.
package struct MessagePattern: Sendable {
  /// The expected value of a field.
  package enum FieldPattern: Hashable, Sendable {
    case value(Value)
    case bytes(BytePattern)
  }

  package var message: MessageTemplate
  /// In the order of the transcript. A field without an entry matches anything.
  package var fields: [(path: FieldPath, pattern: FieldPattern)] = []
}

extension MessagePattern {
  func difference(from found: [UInt8]) -> String? {
    guard let values = message.match(found) else { return "the value is not a '\(message.name)' message" }
    for (path, pattern) in fields {
      let name = path.name(in: message)
      guard let value = path.value(in: values) else { return "there is no \(name)" }
      let encoding = path.encoding(in: message)
      if let difference = pattern.difference(from: value, name, encoding) { return difference }
    }
    return nil
  }

  func canContinue(_ found: [UInt8]) -> Bool { found.count < message.maximumSize }
}

extension MessagePattern.FieldPattern {
  fileprivate func difference(from found: Value, _ name: String, _ encoding: FieldEncoding?) -> String? {
    switch (self, found) {
    case (.bytes(let pattern), .bytes(let bytes)): pattern.difference(from: bytes).map { "\(name): \($0)" }
    case (.value(let wanted), _):
      wanted == found
        ? nil
        : "\(name) is \(ValueText.write(found, as: encoding)), not \(ValueText.write(wanted, as: encoding))"
    case (.bytes, _): preconditionFailure("the parser allows byte patterns for fields of bytes only")
    }
  }
}

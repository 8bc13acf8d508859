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
      guard let value = path.value(in: values) ?? path.absentValue(in: message) else {
        return "there is no \(name)"
      }
      let encoding = path.encoding(in: message)
      if let difference = pattern.difference(from: value, name, encoding) { return difference }
    }
    return nil
  }

  /// The first field that differs, if its value is long.
  func excerpts(comparedWith found: [UInt8]) -> (expected: String, found: String)? {
    guard let values = message.match(found) else { return nil }
    for (path, pattern) in fields {
      let name = path.name(in: message)
      guard let value = path.value(in: values) ?? path.absentValue(in: message),
        pattern.difference(from: value, name, path.encoding(in: message)) != nil
      else { continue }
      guard let (expected, found) = pattern.excerpts(comparedWith: value) else { return nil }
      return ("\(message.name) \(name)=\(expected)", "\(message.name) \(name)=\(found)")
    }
    return nil
  }

  func canContinue(_ found: [UInt8]) -> Bool { found.count < message.maximumSize }
}

extension MessagePattern.FieldPattern {
  fileprivate func difference(from found: Value, _ name: String, _ encoding: FieldEncoding?) -> String? {
    switch (self, found) {
    case (.bytes(let pattern), .bytes(let bytes)): pattern.difference(from: bytes).map { "\(name): \($0)" }
    case (.value(let wanted), _): wanted == found ? nil : difference(name, from: wanted, to: found, encoding)
    case (.bytes, _): preconditionFailure("the parser allows byte patterns for fields of bytes only")
    }
  }

  private func difference(
    _ name: String, from wanted: Value, to found: Value, _ encoding: FieldEncoding?
  ) -> String {
    let short = excerpts(comparedWith: found)
    let found = short?.found ?? ValueText.write(found, as: encoding)
    let expected = short?.expected ?? ValueText.write(wanted, as: encoding)
    return "\(name) is \(found), not \(expected)"
  }

  fileprivate func excerpts(comparedWith found: Value) -> (expected: String, found: String)? {
    switch (self, found) {
    case (.bytes(let pattern), .bytes(let bytes)): Excerpt.write(pattern, bytes)
    case (.value(.text(let wanted)), .text(let text)):
      Excerpt.write(BytePattern(Array(wanted.utf8)), Array(text.utf8))
    default: nil
    }
  }
}

import DeviceModel

/// The fields of the messages that one rule waits for.
package struct CommonFields {
  /// The fields that all messages have, with one type.
  var fields: [MessageTemplate.Field] = []
  /// Their indices in each message, by its index; empty if the rule waits for one message.
  package private(set) var positions: [Int: [Int]] = [:]
  /// Why the rule cannot use each of the others.
  var partial: [String: Mistake] = [:]

  package init(of triggers: [Rule.Trigger], in messages: [MessageTemplate]) {
    var indices: [Int] = []
    for case let message? in triggers.map(\.message) where !indices.contains(message) {
      indices.append(message)
    }
    guard let first = indices.first else { return }
    fields = messages[first].fields
    guard indices.count > 1 else { return }
    for name in Set(indices.flatMap { messages[$0].fields.map(\.name) }) {
      partial[name] = Self.mistake(name, indices.map { messages[$0] })
    }
    fields.removeAll { partial[$0.name] != nil }
    for index in indices {
      positions[index] = fields.map { field in
        messages[index].fields.firstIndex { $0.name == field.name }!
      }
    }
  }

  /// Why the messages do not all have a field in the same way; nil: they do.
  private static func mistake(_ name: String, _ messages: [MessageTemplate]) -> Mistake? {
    let types = messages.map { message in message.fields.first { $0.name == name }?.valueType }
    if let lacking = types.firstIndex(of: nil) {
      return .fieldOfSome(name, lacking: messages[lacking].name, number: lacking + 1)
    }
    guard let first = types[0], let other = types.firstIndex(where: { $0 != first })
    else { return nil }
    return .fieldOfTypes(
      name, .init(type: first, message: messages[0].name),
      .init(type: types[other]!, message: messages[other].name))
  }
}

import DeviceModel

/// Writes values as messages of a definition: `report-02 count-5=238`.
///
/// It takes a message only if its fields make up exactly the same bytes again.
struct MessageWords: Sendable {
  private let definition: PeripheralDefinition
  private let parser: LineParser
  private let sent: Candidates
  private let received: Candidates
  /// The fields that the definition computes by itself, by message: constants, checksums, and what depends on the time.
  private let computed: [Int: Set<Int>]

  /// The messages that bytes may be, in one direction.
  private struct Candidates: Sendable {
    /// Those without fields, by their bytes.
    var whole: [[UInt8]: Int] = [:]
    var others: [Int] = []
  }

  init(_ definition: PeripheralDefinition) {
    (self.definition, parser) = (definition, LineParser(definition))
    let (uses, steps) = (definition.rules.flatMap(\.triggers), definition.rules.flatMap(\.allSteps))
    let awaited = Set(
      uses.compactMap { if case .received(let message, _) = $0 { message } else { nil } })
    var sources: [Int: [[Rule.FieldSource]]] = [:]
    for case .send(.message(let message, let fields), _) in steps.map(\.action) {
      sources[message, default: []].append(fields)
    }
    (sent, received) = (
      Self.candidates(in: definition) { sources[$0] != nil || !awaited.contains($0) },
      Self.candidates(in: definition) { awaited.contains($0) || sources[$0] == nil }
    )
    computed = sources.mapValues { uses in
      Set((uses.first ?? []).indices.filter { field in uses.allSatisfy { $0[field].isComputed } })
    }
  }

  private static func candidates(
    in definition: PeripheralDefinition, where isMeant: (Int) -> Bool
  ) -> Candidates {
    var candidates = Candidates()
    let recognizable = Set(definition.recognizableMessages.map(\.name))
    for (index, message) in definition.messages.enumerated() where !message.name.isEmpty && isMeant(index) {
      if message.fields.isEmpty, let bytes = try? message.build([]) {
        candidates.whole[bytes] = candidates.whole[bytes] ?? index
      } else if recognizable.contains(message.name) {
        candidates.others.append(index)
      }
    }
    return candidates
  }

  /// The message; nil: no message explains the bytes.
  ///
  /// - Parameter direction: which way the bytes go. What a device is to send lacks the fields that it computes.
  func text(of bytes: [UInt8], _ direction: Passage.Direction) -> String? {
    let candidates = direction == .toDevice ? received : sent
    if let whole = candidates.whole[bytes] { return definition.messages[whole].name }
    for index in candidates.others {
      let message = definition.messages[index]
      guard let values = message.match(bytes), (try? message.build(values)) == bytes else { continue }
      let hidden = direction == .toDevice ? [] : computed[index] ?? []
      let shown = values.enumerated().map { hidden.contains($0.offset) ? nil : $0.element }
      let text = ValueText.write(message, shown)
      if isRead(text, as: bytes) { return text }
    }
    return nil
  }

  /// Whether a transcript with this text has these bytes.
  private func isRead(_ text: String, as bytes: [UInt8]) -> Bool {
    guard case .step(let step)? = try? parser.parse("= \(text)"),
      case .expectRead(let pattern) = step.action
    else { return false }
    return pattern.difference(from: bytes) == nil
  }
}

extension Rule.FieldSource {
  /// Whether the definition computes it from nothing that a central or the recording decides.
  fileprivate var isComputed: Bool {
    guard case .value(let expression) = self else { return false }
    if case .checksum = expression { return true }
    return expression.isComputed
  }
}

extension Expression {
  fileprivate var isComputed: Bool {
    switch self {
    case .field, .variable, .setting, .generator, .cell, .rows, .named: false
    case .known(let known): [.uptime, .unixTime].contains(known)
    default: operands.allSatisfy(\.isComputed)
    }
  }
}

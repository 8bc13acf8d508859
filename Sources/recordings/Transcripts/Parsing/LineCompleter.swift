import Bluetooth
import DeviceModel
import Framing

/// Completes the lines that a person types at the prompt.
package struct LineCompleter: Sendable {
  /// The effect of Tab.
  package enum Completion: Hashable, Sendable {
    case nothing
    /// Inserts this text at the cursor; the cursor then stands this many characters before its end.
    case insert(String, back: Int)
    /// Moves the cursor this many characters to the right.
    case move(Int)
    /// Lists these words, one of which may follow.
    case list([String])
  }

  private let definition: PeripheralDefinition

  package init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// Completes the word before the cursor.
  ///
  /// - Parameters:
  ///   - line: the line up to the cursor.
  ///   - rest: the line from the cursor on.
  package func complete(_ line: String, before rest: String = "") -> Completion {
    var words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    let word = line.last.map { $0 == " " } ?? true ? "" : words.removeLast()
    let candidates = candidates(after: words).filter { $0.text.hasPrefix(word) }
    guard let first = candidates.first else { return moving(into: rest) }
    if candidates.count == 1 {
      if first.text == word, let move = Self.nextField(in: rest) { return .move(move) }
      return .insert(String((first.text + first.end).dropFirst(word.count)), back: first.back)
    }
    let common = candidates.reduce(first.text) { $0.commonStart(with: $1.text) }
    return common.count > word.count
      ? .insert(String(common.dropFirst(word.count)), back: 0) : .list(candidates.map(\.text))
  }

  private func moving(into rest: String) -> Completion {
    Self.nextField(in: rest).map { .move($0) } ?? .nothing
  }

  /// The end of the next field without a value.
  private static func nextField(in rest: String) -> Int? {
    let characters = Array(rest)
    return characters.indices.first { index in
      characters[index] == "=" && (index + 1 == characters.count || characters[index + 1] == " ")
    }.map { $0 + 1 }
  }
}

/// A word that is possible at the cursor.
private struct Candidate {
  var text: String
  /// The text after a complete word.
  var end = " "
  /// The distance of the cursor from its end afterwards.
  var back = 0

  /// `mtu=`, which a value follows.
  static func name(_ name: String) -> Self { Self(text: name + "=", end: "") }
}

extension LineCompleter {
  private static let commands = [
    "connect", "disconnect", "parameters", "phy", "refuse", "pair", "bond", "unpair", "lose", "subscribe",
    "unsubscribe", "open", "close", "serve", "unserve", "as", "read", "press",
    "forget", "reset",
    "advertise", "wait", "set",
    "seed", "clock", "fault", "no", "help", "quit", ">", ">!", ">?", ">>", "]", "*", "+", "==",
  ]

  private func candidates(after words: [String]) -> [Candidate] {
    guard let first = words.first else { return Self.commands.map { Candidate(text: $0) } }
    switch (first, words.count) {
    case ("as", 2...): return candidates(after: Array(words.dropFirst(2)))
    case ("connect", 1): return [.name("mtu"), Candidate(text: "raw"), Candidate(text: "as")]
    case ("connect", 2) where words[1] == "as": return [Candidate(text: "phone")]
    case ("lose", 1): return [Candidate(text: "keys")]
    case ("disconnect", 1):
      return HCIError.allNames.map { Candidate(text: "reason=\($0)") }
    case ("parameters", _):
      return KnownValue.ofParameters.map(\.rawValue).filter { !isGiven($0, in: words) }.map(Candidate.name)
    case ("phy", 1): return PHY.words.map { Candidate(text: $0) } + ["tx", "rx"].map(Candidate.name)
    case ("refuse", 1): return [Candidate(text: "parameters")]
    case ("pair", _), ("bond", _):
      return ["passkey", "io-capability", "secure-connections"].filter { !isGiven($0, in: words) }
        .map(Candidate.name)
    case ("subscribe", 1), ("unsubscribe", 1): return ids(where: \.canNotify)
    case ("open", 1), ("close", 1): return channels
    case ("serve", 1), ("unserve", 1): return sought
    case ("read", 1): return ids(where: \.canBeRead) + descriptors(where: \.canRead)
    case (">", 1): return ids(where: \.canBeWritten) + descriptors(where: \.canWrite) + channels + sought
    case (">?", 1): return ids(where: \.canBeWritten) + descriptors(where: \.canWrite)
    case (">!", 1): return ids(where: \.canBeWritten)
    case ("]", 1): return definition.hasWireSide ? [Candidate(text: "wire")] : []
    case (">", 2), ("serve", 2), (">?", 2), (">!", 2), ("]", 2): return messages
    case (">", _), (">?", _), (">!", _), ("]", _): return fields(of: words[2], notIn: words)
    case ("press", 1): return controls
    case ("advertise", 1): return ["on", "off"].map { Candidate(text: $0) }
    case ("set", _): return slots.filter { candidate in !words.contains { $0.hasPrefix(candidate.text) } }
    case ("*", _): return names
    default: return []
    }
  }

  private func isGiven(_ name: String, in words: [String]) -> Bool {
    words.contains { $0.hasPrefix(name + "=") }
  }

  private func ids(where isPossible: (CharacteristicDefinition) -> Bool) -> [Candidate] {
    definition.characteristics.filter(isPossible).map { Candidate(text: $0.id) }
  }

  private var channels: [Candidate] { definition.channels.map { Candidate(text: $0.id) } }

  private var sought: [Candidate] { definition.sought.map { Candidate(text: $0.id) } }

  private func descriptors(where isPossible: (DescriptorDefinition) -> Bool) -> [Candidate] {
    definition.characteristics.flatMap { characteristic in
      characteristic.descriptors.filter(isPossible).map { Candidate(text: "\(characteristic.id)/\($0.uuid)") }
    }
  }

  /// A message is completed with all its fields; the cursor is in the first.
  private var messages: [Candidate] {
    definition.namedMessages.map { message in
      let fields = names(of: message).map { " \($0)=" }
      let back = fields.dropFirst().reduce(0) { $0 + $1.count }
      return Candidate(text: message.name, end: fields.isEmpty ? " " : fields.joined(), back: back)
    }
  }

  private func fields(of name: String, notIn words: [String]) -> [Candidate] {
    guard let message = definition.namedMessages.first(where: { $0.name == name }) else { return [] }
    return names(of: message).filter { !isGiven($0, in: words) }.map(Candidate.name)
  }

  private func names(of message: MessageTemplate) -> [String] {
    message.fields.flatMap { field in
      field.valueType.isGroup ? field.columns.map { "\(field.name)[0].\($0.name)" } : [field.name]
    }
  }

  private var slots: [Candidate] {
    definition.settableSlots.flatMap { values(named: $0.name, of: $0.kind) }
  }

  /// `NAME=`, with each value if they are few.
  private func values(named name: String, of kind: SettingDefinition.Kind) -> [Candidate] {
    switch kind {
    case .boolean: ["true", "false"].map { Candidate(text: "\(name)=\($0)") }
    case .oneOf(let values): values.map { Candidate(text: "\(name)=\($0)") }
    default: [.name(name)]
    }
  }

  /// A button has no value; a switch toggles without one.
  private var controls: [Candidate] {
    definition.controls.flatMap { control -> [Candidate] in
      let plain = Candidate(text: control.name)
      guard case .bound(let slot) = control.kind else { return [plain] }
      let values = values(named: control.name, of: definition[slot].kind)
      return definition.form(of: control) == .switch ? [plain] + values : values
    }
  }

  private var names: [Candidate] {
    let names =
      definition.settings.map(\.name) + definition.variables.map(\.name) + definition.generators.map(\.name)
      + definition.values.map(\.name) + (definition.states.isEmpty ? [] : ["state"])
    return names.map { Candidate(text: $0) }
  }
}

extension String {
  fileprivate func commonStart(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

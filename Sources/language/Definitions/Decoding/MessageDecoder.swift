import DeviceModel
import Framing

/// Reads messages.
struct MessageDecoder {
  /// Those of the definition.
  let checksums: [Checksum]
  let log: DiagnosticLog

  func messages(_ entries: [Entry<Node<Language.Message>>]) -> [MessageTemplate] {
    entries.compactMap { entry in
      if entry.key.text == "any" { log.error(.anyAsName, at: entry.key.range) }
      return message(entry.key.text, entry.value)
    }
  }

  /// - Parameter name: empty for a message that a rule waits for and that has no name.
  func message(_ name: String, _ node: Node<Language.Message>) -> MessageTemplate? {
    guard let (text, form) = node.template else { return nil }
    let message = log.read(text) { text throws(TextError) in
      try MessageTemplate(name: name, template: text, form: form, checksums: checksums)
    }
    for (mistake, place) in message.map({ HiddenNames.fields(of: $0, in: text.text) }) ?? [] {
      log.warn(mistake, at: text.range(at: place.lowerBound, length: place.count))
    }
    return message
  }
}

extension Node where Keys == Language.Message {
  /// Its text, and the text between its holes.
  var template: (Scalar, MessageTemplate.Form)? {
    if let bytes = word ?? self.bytes { return (bytes, .bytes) }
    return self.text.map { ($0, .text(ignoringCase: self.ignoresCase ?? false)) }
  }
}

import Definitions
import DeviceModel

/// Lines that configure a conversation.
extension LineParser {
  func device(_ words: inout Words) throws(Diagnostic) -> TranscriptLine {
    let token = try words.next("the definition's file", hint: "as in device lamp.yaml")
    guard let name = token.name == nil ? token.text : nil, !name.isEmpty, !name.contains("/") else {
      throw words.error(
        "expected the name of a file", at: token.range, hint: "the definition must be in the same folder")
    }
    return .device(name)
  }

  func settings(_ words: inout Words) throws(Diagnostic) -> [Int: Value] {
    guard words.peek != nil else { throw words.missing("a setting", hint: "as in set NAME=VALUE") }
    var settings: [Int: Value] = [:]
    while let token = words.next() {
      let (index, value) = try setting(token, words)
      settings[index] = value
    }
    return settings
  }

  private func setting(_ token: Token, _ words: Words) throws(Diagnostic) -> (Int, Value) {
    guard let name = token.name else {
      throw words.error("expected NAME=VALUE", at: token.range, hint: "as in set local-name=\"My lamp\"")
    }
    guard let index = definition.settings.firstIndex(where: { $0.name == name }) else {
      let hint = Suggestion.hint(for: name, in: definition.settings.map(\.name))
      throw words.error(
        "the definition has no setting '\(name)'", at: token.nameRange,
        hint: definition.settings.isEmpty ? "it has no settings" : hint)
    }
    guard let text = token.text else { throw words.error("expected UTF-8 text", at: token.contentRange) }
    do { return (index, try definition.settings[index].kind.parse(text)) } catch {
      throw words.error(error.message, at: token.contentRange)
    }
  }

  func seed(_ words: inout Words) throws(Diagnostic) -> UInt64 {
    let token = try words.next("a number", hint: "as in seed 7")
    guard let number = token.word.flatMap({ UInt64($0) }) else {
      throw words.error("expected a whole number, 0 or greater", at: token.range, hint: "as in seed 7")
    }
    return number
  }
}

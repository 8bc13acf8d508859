import Definitions
import DeviceModel

/// Lines that configure a conversation.
extension LineParser {
  func device(_ words: inout Words) throws(Diagnostic) -> TranscriptLine {
    let token = try words.next(.definitionFile)
    guard let name = token.name == nil ? token.text : nil, !name.isEmpty, !name.hasPrefix("/") else {
      throw words.error(.notFileName, at: token.range)
    }
    return .device(name)
  }

  func settings(_ words: inout Words) throws(Diagnostic) -> [Int: Value] {
    guard words.peek != nil else { throw words.missing(.setting) }
    var settings: [Int: Value] = [:]
    while let token = words.next() {
      let (index, value) = try setting(token, words)
      settings[index] = value
    }
    return settings
  }

  private func setting(_ token: Token, _ words: Words) throws(Diagnostic) -> (Int, Value) {
    guard let name = token.name else { throw words.error(.notSetting, at: token.range) }
    guard let index = definition.settings.firstIndex(where: { $0.name == name }) else {
      throw words.error(
        .unknownSetting(name, known: definition.settings.map(\.name)), at: token.nameRange)
    }
    guard let text = token.text else { throw words.error(.notUTF8, at: token.contentRange) }
    do { return (index, try definition.settings[index].kind.parse(text)) } catch {
      throw words.error(.badSetting(error), at: token.contentRange)
    }
  }

  func seed(_ words: inout Words) throws(Diagnostic) -> UInt64 {
    let token = try words.next(.seed)
    guard let number = token.word.flatMap({ UInt64($0) }) else {
      throw words.error(.notSeed, at: token.range)
    }
    return number
  }
}

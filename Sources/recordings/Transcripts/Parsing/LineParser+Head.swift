import Definitions

/// Lines that configure a conversation.
extension LineParser {
  func device(_ words: inout Words) throws(Diagnostic) -> TranscriptLine {
    let token = try words.next(.definitionFile)
    guard let name = token.name == nil ? token.text : nil, !name.isEmpty else {
      throw words.error(.notFileName, at: token.range)
    }
    return .device(name)
  }

  func seed(_ words: inout Words) throws(Diagnostic) -> UInt64 {
    let token = try words.next(.seed)
    guard let number = token.word.flatMap({ UInt64($0) }) else {
      throw words.error(.notSeed, at: token.range)
    }
    return number
  }

  func clock(_ words: inout Words) throws(Diagnostic) -> Int64 {
    let token = try words.next(.clock)
    guard let time = token.word.flatMap(ClockText.parse) else {
      throw words.error(.notClock, at: token.range)
    }
    return time
  }
}

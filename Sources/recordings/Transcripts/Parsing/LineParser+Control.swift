import Behavior
import Definitions
import DeviceModel

/// Lines that operate the device from outside.
extension LineParser {
  /// `level=3 name=Lamp`
  func assignments(_ words: inout Words) throws(Diagnostic) -> [ControlEvent.Assignment] {
    guard words.peek != nil else { throw words.missing(.setting) }
    var assignments: [ControlEvent.Assignment] = []
    while let token = words.next() { assignments.append(try assignment(token, words)) }
    return assignments
  }

  func assignment(_ token: Token, _ words: Words) throws(Diagnostic) -> ControlEvent.Assignment {
    guard let name = token.name else { throw words.error(.notSetting, at: token.range) }
    guard let text = token.text else { throw words.error(.notUTF8, at: token.contentRange) }
    do { return try ControlReader(definition).assignment(name, text) } catch {
      throw diagnostic(error, of: token, words)
    }
  }

  /// `button` or `speed=7`
  func operation(_ words: inout Words) throws(Diagnostic) -> ControlEvent {
    let token = try words.next(.control(known: definition.controls.map(\.name)))
    guard let text = token.text else { throw words.error(.notUTF8, at: token.contentRange) }
    do {
      guard let name = token.name else { return try ControlReader(definition).operation(text) }
      return try ControlReader(definition).operation(name, text)
    } catch {
      throw diagnostic(error, of: token, words)
    }
  }

  func diagnostic(_ error: ControlMistake, of token: Token, _ words: Words) -> Diagnostic {
    let nameRange = token.name == nil ? token.range : token.nameRange
    return words.error(error.mistake, at: error.isOfValue ? token.contentRange : nameRange)
  }
}

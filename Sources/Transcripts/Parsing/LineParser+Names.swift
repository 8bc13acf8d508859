import Behavior
import Definitions

/// Names of attributes and of the wire side.
extension LineParser {
  /// `FFE1`, or `FFE1/2901` for a descriptor.
  func attribute(_ words: inout Words) throws(Diagnostic) -> AttributeReference {
    let token = try words.next("a characteristic", hint: known)
    let parts = (token.word ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let index = try characteristic(String(parts.first ?? ""), token, words)
    guard parts.count == 2 else { return .characteristic(index) }
    let descriptors = definition.characteristics[index].descriptors.map(\.uuid.description)
    guard let descriptor = descriptors.firstIndex(of: parts[1].uppercased()) else {
      throw words.error(
        "'\(parts[0])' has no descriptor '\(parts[1])'", at: token.range,
        hint: Suggestion.hint(for: String(parts[1]), in: descriptors))
    }
    return .descriptor(descriptor, of: index)
  }

  /// Reads the id of a characteristic that notifies or indicates.
  func notifying(_ words: inout Words) throws(Diagnostic) -> Int {
    let token = try words.next("a characteristic", hint: known)
    let index = try characteristic(token.word ?? "", token, words)
    guard definition.characteristics[index].canNotify else {
      throw words.error(
        "'\(definition.characteristics[index].id)' neither notifies nor indicates", at: token.range)
    }
    return index
  }

  private func characteristic(_ id: String, _ token: Token, _ words: Words) throws(Diagnostic) -> Int {
    let ids = definition.characteristics.map(\.id)
    if let index = ids.firstIndex(of: id) { return index }
    throw words.error(
      "no characteristic has the id '\(id)'", at: token.range, hint: Suggestion.hint(for: id, in: ids))
  }

  private var known: String { "known: " + definition.characteristics.map(\.id).joined(separator: ", ") }

  /// Reads the word `wire`; an error if the device has no wire side.
  func wire(_ words: inout Words) throws(Diagnostic) {
    let token = try words.next("'wire'")
    guard token.word == "wire" else { throw words.error("expected 'wire'", at: token.range) }
    guard definition.hasWireSide else {
      throw words.error("\(definition.name) has no wire side", at: token.range)
    }
  }
}

/// Mistakes in layers.
extension Mistake {
  static func layerOfOther(_ name: String, isWord: Bool) -> Self {
    Self(
      isWord ? "'\(name)' has another meaning as a place" : "another place has the name '\(name)'",
      "choose another name for the layer")
  }
  static func layerAsCharacteristic(_ name: String) -> Self {
    Self("'\(name)' is a layer, which has no attribute", "name a characteristic")
  }
  /// A rule for `send` names a place that is not a layer.
  static func notLayer(_ name: String, known: [String]) -> Self {
    Self(
      "'\(name)' is not a layer: only what a rule sends into a layer is an event",
      known.isEmpty
        ? "declare one, and send to it: layers: [message]" : Suggestion.hint(for: name, in: known))
  }
  static let sendWithoutLayer = Self(
    "the event does not say from which layer the message comes", "name it: from: LAYER")
  static func unsentLayer(_ name: String) -> Self {
    Self(
      "no rule sends what goes into '\(name)'",
      "write one: on: { send: any, from: \(name) }; or name another place: to: ID")
  }
  static func unheardLayer(_ name: String) -> Self {
    Self(
      "no rule waits for what arrives at '\(name)'", "write one: on: { receive: MESSAGE, from: \(name) }")
  }
  /// - Parameter path: the layers in order, the first again at the end.
  static func layerLoop(_ path: [String]) -> Self {
    Self(
      "what goes out of '\(path[0])' comes into it again: \(path.joined(separator: " → "))",
      "send it to a characteristic, or to a layer further out")
  }
  static func unfilledLayer(_ name: String) -> Self {
    Self(
      "nothing arrives at '\(name)'", "an action hands it bytes: { receive: EXPRESSION, from: \(name) }")
  }
  static func unusedLayerRule(_ name: String) -> Self {
    Self("nothing is sent to '\(name)'", "an action does so: { send: MESSAGE, to: \(name) }")
  }
  static func unusedLayer(_ name: String) -> Self {
    Self(
      "no rule waits for anything at '\(name)'", "remove it, or write one: on: { send: any, from: \(name) }")
  }
  static let noOrigin = Self(
    "this event comes from no place", "name the place: to: ID")
  static let silentOrigin = Self(
    "'origin' does not send", "name a characteristic that notifies: to: ID")
}

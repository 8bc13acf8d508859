package import BlemuJSON

/// What a program answers that is asked by a device: a response of JSON-RPC 2.0.
package struct ControlAnswer: Sendable {
  /// That of the question.
  package var id: JSONValue
  package var outcome: Outcome

  package enum Outcome: Hashable, Sendable {
    case result(JSONValue)
    /// The member `error`.
    case error(JSONValue)
  }

  /// nil: it is no response.
  package init?(_ value: JSONValue) {
    guard value["jsonrpc"]?.text == "2.0", value["method"] == nil, let id = value["id"] else { return nil }
    if let error = value["error"] {
      outcome = .error(error)
    } else if let result = value["result"] {
      outcome = .result(result)
    } else {
      return nil
    }
    self.id = id
  }
}

extension ControlMethod {
  /// The method of the request that a device sends to a program that intercepts.
  package static let question = "intercepted"

  /// The members of the answer to that. Without any, the rules go on.
  package static var answerParameters: [Parameter] {
    content + [
      Parameter(
        "from", .text,
        "the id of the characteristic that sends it; by default the one from which rules answer"),
      Parameter(
        "error", .text,
        "refuses the request with this ATT error, as in 'insufficient-authorization' or '0x80'"),
    ]
  }
}

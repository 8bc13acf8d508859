import BlemuJSON

/// Why a request of the control protocol failed (JSON-RPC 2.0, 5.1).
package struct ControlError: Error, Hashable, Sendable {
  package enum Code: Int, CaseIterable, Sendable {
    case notJSON = -32700
    case notRequest = -32600
    case unknownMethod = -32601
    /// A parameter is missing, unknown or of another type; a name that the device does not have, a value that it does not
    /// take. Nothing has changed.
    case badParameters = -32602
    /// An expectation was not met.
    case notMet = -32001
    /// The device cannot do that now: nobody has subscribed, say.
    case notPossible = -32002
  }

  package var code: Code
  package var message: String
  /// What to do next.
  package var hint: String?
  /// Of an expectation that was not met: both sides, as `blemu test` shows them.
  package var comparison: String?

  package init(_ code: Code, _ message: String, hint: String? = nil, comparison: String? = nil) {
    (self.code, self.message, self.hint, self.comparison) = (code, message, hint, comparison)
  }
}

extension ControlError {
  /// The member `error` of a response.
  package var value: JSONValue {
    let data: JSONValue? =
      hint == nil && comparison == nil
      ? nil
      : ([:] as JSONValue).adding([
        "hint": hint.map(JSONValue.string), "comparison": comparison.map(JSONValue.string),
      ])
    return (["code": .integer(code.rawValue), "message": .string(message)] as JSONValue).adding(["data": data]
    )
  }

  /// Reads the member `error` of a response.
  package init?(_ value: JSONValue) {
    guard let number = value["code"]?.wholeNumber, let code = Code(rawValue: number),
      let message = value["message"]?.text
    else { return nil }
    self.init(
      code, message, hint: value["data"]?["hint"]?.text, comparison: value["data"]?["comparison"]?.text)
  }
}

package import BlemuJSON

/// Why a request of the control protocol failed (JSON-RPC 2.0, 5.1).
public struct ControlError: Error, Hashable, Sendable {
  /// What kind of error it is, by its number in the protocol.
  public enum Code: Int, CaseIterable, Sendable {
    /// The line is no JSON.
    case notJSON = -32700
    /// The line is no request.
    case notRequest = -32600
    /// The device does not know the method: it is of another version.
    case unknownMethod = -32601
    /// A parameter is missing, unknown or of another type; a name that the device does not have, a value that it does not
    /// take. Nothing has changed.
    case badParameters = -32602
    /// An expectation was not met.
    case notMet = -32001
    /// The device cannot do that now: for example, no central has subscribed.
    case notPossible = -32002
    /// The program has cancelled the request, with the method `cancel`.
    case givenUp = -32003
  }

  /// What kind of error it is.
  public var code: Code
  /// What happened.
  public var message: String
  /// What to do next.
  public var hint: String?
  /// Of an expectation that was not met: both sides, as `blemu test` shows them.
  public var comparison: String?

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

extension ControlError: CustomStringConvertible {
  /// What happened; on further lines both sides of an expectation, or what to do next.
  public var description: String {
    if let comparison { return "\(message)\n\n\(comparison)" }
    return message + (hint.map { "\n  \($0)" } ?? "")
  }
}

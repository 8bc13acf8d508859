import BlemuControl
import Definitions
import BlemuJSON

/// A request of JSON-RPC 2.0.
package struct ControlRequest: Sendable {
  /// A text, a number or null; nil: a notification, which gets no response.
  package var id: JSONValue?
  package var method: ControlMethod
  /// An object whose members have the types of the method's parameters.
  package var parameters: JSONValue

  /// What one line has.
  package enum Message {
    case one(Result<ControlRequest, Refusal>)
    case batch([Result<ControlRequest, Refusal>])
    /// The answer to a request of the device.
    case answer(ControlAnswer)
  }

  /// A request that cannot be understood, with the id that its response has.
  package struct Refusal: Error {
    package var id: JSONValue
    package var error: ControlError
  }
}

extension ControlRequest {
  /// Reads a line.
  package static func read(_ line: [UInt8]) -> Message {
    do {
      let value = try JSONValue(parsing: line)
      if let answer = ControlAnswer(value) { return .answer(answer) }
      guard case .array(let elements) = value else { return .one(read(value)) }
      guard !elements.isEmpty else {
        return .one(refused(.null, .notRequest, "a batch has at least one request"))
      }
      return .batch(elements.map(read))
    } catch {
      let hint = "each message is one line of JSON"
      return .one(
        .failure(
          Refusal(
            id: .null,
            error: ControlError(.notJSON, "not JSON: \(error.reason), at byte \(error.offset)", hint: hint))))
    }
  }

  private static func refused(
    _ id: JSONValue, _ code: ControlError.Code, _ message: String, hint: String? = nil
  ) -> Result<ControlRequest, Refusal> {
    .failure(Refusal(id: id, error: ControlError(code, message, hint: hint)))
  }

  private static func read(_ value: JSONValue) -> Result<ControlRequest, Refusal> {
    let id = value["id"] ?? .null
    switch id {
    case .null, .string, .integer: break
    default: return refused(.null, .notRequest, "an id must be a text, a whole number or null")
    }
    guard value.members != nil, value["jsonrpc"]?.text == "2.0", let name = value["method"]?.text else {
      let example = #"as in {"jsonrpc": "2.0", "id": 1, "method": "get"}"#
      return refused(id, .notRequest, "not a request of JSON-RPC 2.0", hint: example)
    }
    guard let method = ControlMethod(rawValue: name) else {
      return refused(
        id, .unknownMethod, "there is no method '\(name)'",
        hint: Suggestion.hint(for: name, in: ControlMethod.allCases.map(\.rawValue)))
    }
    let parameters = value["params"] ?? [:]
    if let error = problem(with: parameters, of: method) { return .failure(Refusal(id: id, error: error)) }
    return .success(ControlRequest(id: value["id"], method: method, parameters: parameters))
  }

  /// Why the parameters are not those of a method; nil: they are.
  private static func problem(with parameters: JSONValue, of method: ControlMethod) -> ControlError? {
    problem(with: parameters, as: method.parameters, of: "'\(method.rawValue)'")
  }

  /// Why an object does not have these members; nil: it does.
  ///
  /// - Parameter owner: what has them, as in `'set'`.
  package static func problem(
    with parameters: JSONValue, as known: [ControlMethod.Parameter], of owner: String
  ) -> ControlError? {
    guard let members = parameters.members else {
      return ControlError(.badParameters, "the parameters of \(owner) must be an object")
    }
    for member in members {
      guard let parameter = known.first(where: { $0.name == member.name }) else {
        return ControlError(
          .badParameters, "\(owner) has no parameter '\(member.name)'",
          hint: known.isEmpty ? "it has none" : Suggestion.hint(for: member.name, in: known.map(\.name)))
      }
      if let problem = parameter.type.problem(with: member.value) {
        return ControlError(.badParameters, "'\(member.name)' \(problem)", hint: parameter.summary)
      }
    }
    let missing = known.first { $0.isRequired && parameters[$0.name] == nil }
    return missing.map {
      ControlError(.badParameters, "\(owner) needs '\($0.name)'", hint: $0.summary)
    }
  }
}

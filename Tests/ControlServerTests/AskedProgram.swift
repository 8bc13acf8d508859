import BlemuControl
import BlemuJSON
import Testing

/// A program on the control side that is asked, or one that plays a central meanwhile.
final class AskedProgram {
  private let client: RawClient
  private var lastID = 0
  private var lines: [JSONValue] = []

  init(_ path: String) throws { client = try RawClient(path) }

  /// Sends a request, and does not wait for the response.
  @discardableResult
  func request(_ method: ControlMethod, _ parameters: JSONValue = [:]) -> Int {
    lastID += 1
    send(["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method.rawValue), "params": parameters])
    return lastID
  }

  func send(_ message: JSONValue) { client.send(message.line + "\n") }

  /// The result of a request.
  func result(of id: Int) throws -> JSONValue {
    let response = try next { $0["id"] == .integer(id) }
    return response["result"] ?? response["error"] ?? .null
  }

  func call(_ method: ControlMethod, _ parameters: JSONValue = [:]) throws -> JSONValue {
    try result(of: request(method, parameters))
  }

  /// Lets the central in memory do something, and does not wait.
  func act(_ line: String, as address: String? = nil) -> Int {
    request(.act, (["line": .string(line)] as JSONValue).adding(["as": address.map(JSONValue.string)]))
  }

  /// The next question of the device.
  func question() throws -> JSONValue {
    let question = try next { $0["method"] == "intercepted" }
    #expect(question["jsonrpc"] == "2.0")
    return question
  }

  func answer(_ question: JSONValue, _ result: JSONValue) {
    send(["jsonrpc": "2.0", "id": question["id"] ?? .null, "result": result])
  }

  /// Answers the next question; returns its parameters.
  @discardableResult
  func answerNext(_ result: JSONValue) throws -> JSONValue {
    let question = try question()
    answer(question, result)
    return question["params"] ?? .null
  }

  /// The first line that has come without being asked for, and that this is true of; nil: none has.
  func take(where isWanted: (JSONValue) -> Bool) -> JSONValue? {
    lines.firstIndex(where: isWanted).map { lines.remove(at: $0) }
  }

  private func next(where isWanted: (JSONValue) -> Bool) throws -> JSONValue {
    if let index = lines.firstIndex(where: isWanted) { return lines.remove(at: index) }
    while true {
      let line = try client.nextLine()
      if isWanted(line) { return line }
      lines.append(line)
    }
  }
}

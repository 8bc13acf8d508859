package import BlemuJSON

/// A line that a device sends.
package enum ControlMessage: Hashable, Sendable {
  /// The answer to the request with this number; nil: to a line that the device could not read.
  case response(to: Int?, Result<JSONValue, ControlError>)
  /// What the device tells unasked, such as an event of a watch.
  case notification(method: String, JSONValue)
  /// What the device asks the program. It waits for a response with this id.
  case request(id: JSONValue, method: String, JSONValue)
}

extension ControlMessage {
  /// Reads a line.
  ///
  /// - Throws: ``ControlFailure/notUnderstood(_:)``.
  package init(line: [UInt8]) throws(ControlFailure) {
    guard let value = try? JSONValue(parsing: line), let message = Self.read(value) else {
      throw .notUnderstood(String(decoding: line.prefix(200), as: UTF8.self))
    }
    self = message
  }

  private static func read(_ value: JSONValue) -> ControlMessage? {
    if let method = value["method"]?.text {
      let parameters = value["params"] ?? [:]
      guard let id = value["id"] else { return .notification(method: method, parameters) }
      return .request(id: id, method: method, parameters)
    }
    guard let id = value["id"], id == .null || id.wholeNumber != nil else { return nil }
    if let error = value["error"].flatMap(ControlError.init) {
      return .response(to: id.wholeNumber, .failure(error))
    }
    return value["result"].map { .response(to: id.wholeNumber, .success($0)) }
  }
}

extension ControlMethod {
  /// The line of a request.
  ///
  /// - Parameters:
  ///   - number: that of its response.
  ///   - parameters: an object.
  package func request(number: Int, _ parameters: JSONValue) -> [UInt8] {
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(number), "method": .string(rawValue), "params": parameters,
    ]
    return Array((request.line + "\n").utf8)
  }
}

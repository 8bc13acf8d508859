import BlemuControl
import EventLoop
import BlemuJSON

/// Where the response to a request goes.
@EventLoop
package final class ControlReply {
  let id: JSONValue?
  private let deliver: (String?) -> Void

  /// - Parameters:
  ///   - id: of the request; nil: it wants no response.
  ///   - deliver: called once with the response, in JSON; nil: there is none.
  package init(to id: JSONValue?, _ deliver: @escaping (String?) -> Void) {
    (self.id, self.deliver) = (id, deliver)
  }

  func succeed(_ result: JSONValue) { succeed(json: result.line) }

  /// - Parameter result: in JSON, on one line.
  func succeed(json result: String) { send("result", result) }

  func fail(_ error: ControlError) { send("error", error.value.line) }

  private func send(_ name: String, _ value: String) {
    deliver(id.map { "{\"jsonrpc\": \"2.0\", \"id\": \($0.line), \"\(name)\": \(value)}" })
  }
}

/// Collects the responses to a batch, in its order, and sends them together (JSON-RPC 2.0, 6).
@EventLoop
final class ControlBatch {
  private var responses: [String?]
  private var missing: Int
  private let deliver: (String?) -> Void

  init(of count: Int, _ deliver: @escaping (String?) -> Void) {
    responses = Array(repeating: nil, count: count)
    missing = count
    self.deliver = deliver
  }

  func take(_ response: String?, at index: Int) {
    responses[index] = response
    missing -= 1
    guard missing == 0 else { return }
    let all = responses.compactMap(\.self)
    deliver(all.isEmpty ? nil : "[\(all.joined(separator: ", "))]")
  }
}

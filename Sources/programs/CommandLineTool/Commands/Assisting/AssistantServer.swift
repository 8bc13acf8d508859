import BlemuControl
import BlemuJSON
import ControlServer
import Definitions
import EventLoop

/// Answers the messages of the Model Context Protocol (specification 2025-06-18). Requests do not wait for each other.
@EventLoop
final class AssistantServer {
  /// The versions of the protocol, the latest first. What a server with tools and pages does is the same in all of them, apart
  /// from the batches of 2025-03-26.
  static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  private let session: AssistantSession
  private let write: (String) -> Void
  /// The work on messages, by the ids of requests.
  private var tasks: [JSONValue: Task<Void, Never>] = [:]

  /// - Parameter write: sends a message, in one line.
  init(_ session: AssistantSession, write: @escaping (String) -> Void) {
    (self.session, self.write) = (session, write)
  }

  func take(_ line: RequestLines.Element) {
    guard case .line(let bytes) = line else {
      return refuse(.notRequest, "a message has at most \(RequestLines.longest) bytes")
    }
    do { start(try JSONValue(parsing: bytes)) } catch {
      refuse(.notJSON, "not JSON: \(error.reason), at byte \(error.offset)")
    }
  }

  /// Answers what is no message.
  private func refuse(_ code: ControlError.Code, _ reason: String) {
    write(Self.response(to: .null, ControlError(code, reason)).line)
  }

  private func start(_ message: JSONValue) {
    let key = message["id"] ?? message
    tasks[key] = EventLoop.start { [self] in
      let answer = await answer(to: message)
      tasks[key] = nil
      if let answer, !Task.isCancelled { write(answer.line) }
    }
  }

  /// Waits for the work on all messages.
  func finish() async { while let task = tasks.values.first { await task.value } }

  func cancel() { for task in tasks.values { task.cancel() } }
}

// MARK: Messages of JSON-RPC

extension AssistantServer {
  /// The response; nil: the message wants none.
  private func answer(to message: JSONValue) async -> JSONValue? {
    if let batch = message.elements, !batch.isEmpty {
      var answers: [JSONValue] = []
      for message in batch { if let answer = await answer(to: message) { answers.append(answer) } }
      return answers.isEmpty ? nil : .array(answers)
    }
    guard message["jsonrpc"]?.text == "2.0", let method = message["method"]?.text else {
      if message["result"] != nil || message["error"] != nil { return nil }  // this server asks nothing
      return Self.response(
        to: message["id"] ?? .null, ControlError(.notRequest, "not a request of JSON-RPC 2.0"))
    }
    let parameters = message["params"] ?? [:]
    guard let id = message["id"] else {
      if method == "notifications/cancelled", let id = parameters["requestId"] { tasks[id]?.cancel() }
      return nil
    }
    do throws(ControlError) {
      return ["jsonrpc": "2.0", "id": id, "result": try await result(of: method, parameters)]
    } catch {
      return Self.response(to: id, error)
    }
  }

  private static func response(to id: JSONValue, _ error: ControlError) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "error": error.value]
  }

  private func result(of method: String, _ parameters: JSONValue) async throws(ControlError) -> JSONValue {
    switch method {
    case "initialize": return Self.introduction(for: parameters["protocolVersion"]?.text)
    case "ping": return [:]
    case "tools/list": return ["tools": .array(AssistantTool.all.map(\.description))]
    case "tools/call": return try await call(parameters["name"]?.text ?? "", parameters["arguments"] ?? [:])
    case "resources/list": return ["resources": .array(session.pages.all)]
    case "resources/templates/list": return ["resourceTemplates": .array([AssistantPages.template])]
    case "resources/read":
      return ["contents": .array([try session.pages.content(of: parameters["uri"]?.text ?? "")])]
    default: throw ControlError(.unknownMethod, "there is no method '\(method)'")
    }
  }
}

// MARK: Methods

extension AssistantServer {
  /// - Parameter version: the one that the assistant wants.
  private static func introduction(for version: String?) -> JSONValue {
    [
      "protocolVersion": .string(versions.first { $0 == version } ?? versions[0]),
      "capabilities": ["tools": [:], "resources": [:]],
      "serverInfo": ["name": "blemu", "title": "blemu", "version": .string(ProgramVersion.text)],
      "instructions": .string(instructions),
    ]
  }

  private static let instructions = """
    blemu runs virtual Bluetooth LE peripherals, each described by a definition: one YAML file. To make one from a data sheet, read \
    \(AssistantPages.scheme)from-a-datasheet.md and \(AssistantPages.scheme)language/README.md (as resources, or with the tool \
    \(AssistantTool.pageName)), and look at a similar device ('list', 'show' with source). Write the definition, and 'check' it until it \
    has no errors. 'run' it in memory, and play its phone with 'act': 'connect', 'subscribe ID', '> ID VALUE', 'read ID'. See what \
    happened with 'expect' and 'journal', look inside with 'get', and let time pass with 'advance'. Prove it with 'test' and a \
    transcript (\(AssistantPages.scheme)language/transcripts.md). A tool takes a definition as a path, as the name of a bundled \
    device, or as a text.
    """

  private func call(_ name: String, _ arguments: JSONValue) async throws(ControlError) -> JSONValue {
    guard let tool = AssistantTool.all.first(where: { $0.name == name }) else {
      throw ControlError(
        .badParameters, "there is no tool '\(name)'",
        hint: Suggestion.hint(for: name, in: AssistantTool.all.map(\.name)))
    }
    do {
      if let problem = ControlRequest.problem(with: arguments, as: tool.parameters, of: "'\(name)'") {
        throw problem
      }
      return Self.content(try await tool.call(arguments, session), isError: false)
    } catch {
      return Self.content("\(error)", isError: true)
    }
  }

  private static func content(_ text: String, isError: Bool) -> JSONValue {
    ["content": [["type": "text", "text": .string(text)]], "isError": .boolean(isError)]
  }
}

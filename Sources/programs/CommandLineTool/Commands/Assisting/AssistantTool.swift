import BlemuControl
import BlemuJSON
import EventLoop

/// What an assistant can call: a command, a method of the control protocol, or a page. The descriptions are those of the commands
/// and the methods.
struct AssistantTool: Sendable {
  let name: String
  let summary: String
  let parameters: [ControlMethod.Parameter]
  /// Does it, and returns what the assistant reads.
  let call: @EventLoop @Sendable (JSONValue, AssistantSession) async throws -> String

  static let all: [Self] = commands + [run] + methods + [page]

  /// For the list of tools.
  var description: JSONValue {
    [
      "name": .string(name), "description": .string(summary),
      "inputSchema": ControlSchema.object(of: parameters),
    ]
  }
}

// MARK: Methods of the control protocol

extension AssistantTool {
  /// The others are for programs that keep a connection.
  private static let methods: [Self] = [
    ControlMethod.describe, .status, .get, .set, .press, .send, .wire, .act, .advertise, .disconnect, .forget,
    .reset, .faults, .advance, .journal, .expect, .stop,
  ].map { method in
    Self(
      name: method.rawValue, summary: method.description.summary, parameters: [device] + method.parameters
    ) { arguments, session in
      let name = arguments[device.name]?.text ?? ""
      let parameters = (arguments.members ?? []).filter { $0.name != device.name }
      return try await session.ask(name, method, .object(parameters)).line
    }
  }

  private static let device = ControlMethod.Parameter(
    "device", .text, isRequired: true,
    "the name of a device that runs: from 'run', or one that a person has started with 'blemu run'")
}

// MARK: Pages

extension AssistantTool {
  static let pageName = "read-page"

  private static let page = Self(
    name: pageName, summary: "Returns a page of the documentation.",
    parameters: [
      ControlMethod.Parameter(
        "uri", .text, isRequired: true,
        "the address of a resource, as in '\(AssistantPages.scheme)language/README.md'")
    ]
  ) { arguments, session in
    try session.pages.content(of: arguments["uri"]?.text ?? "")["text"]?.text ?? ""
  }
}

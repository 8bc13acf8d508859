import BlemuJSON
import Testing

@testable import ControlServer

/// Requests that wait, and that their program gives up.
@Suite struct CancelTests {
  private func request(_ id: String, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc": "2.0", "id": \#(id), "method": "\#(method)", "params": \#(parameters)}"# + "\n"
  }

  private static let givenUp: JSONValue = ["code": -32003, "message": "cancelled by the program"]

  @Test func `an expectation that was given up takes no event`() async throws {
    let lamp = try await ControlledLamp()
    let program = try RawClient(lamp.path)
    program.send(request("\"first\"", "expect", #"{"lines": ["connect"], "within": 86400000}"#))
    program.send(request("2", "cancel", #"{"id": "first"}"#))
    let answer = try program.nextLine()
    #expect(answer["id"] == "first")
    #expect(answer["error"] == Self.givenUp)
    #expect(try program.nextLine()["result"] == ["cancelled": true])
    program.send(request("3", "act", #"{"line": "connect"}"#))
    _ = try program.nextLine()
    program.send(request("4", "expect", #"{"lines": ["connect"]}"#))
    #expect(try program.nextLine()["result"]?["events"] == [2])
    program.send(request("5", "expectations"))
    let all = try program.nextLine()["result"]?["expectations"]?.elements ?? []
    #expect(all.map { $0["state"] } == ["withdrawn", "met"])
    await lamp.close()
  }

  @Test func `so is a request for the journal`() async throws {
    let lamp = try await ControlledLamp()
    let program = try RawClient(lamp.path)
    program.send(request("1", "journal", #"{"after": 99, "wait": 30000}"#))
    program.send(request("2", "cancel", #"{"id": 1}"#))
    let answer = try program.nextLine()
    #expect(answer["id"] == 1)
    #expect(answer["error"] == Self.givenUp)
    #expect(try program.nextLine()["result"] == ["cancelled": true])
    await lamp.close()
  }

  @Test func `one that was answered, or is of another connection, is not there`() async throws {
    let lamp = try await ControlledLamp()
    let (program, other) = (try RawClient(lamp.path), try RawClient(lamp.path))
    program.send(request("1", "expect", #"{"lines": ["connect"], "within": 86400000}"#))
    program.send(request("2", "status"))
    #expect(try program.nextLine()["id"] == 2)
    other.send(request("3", "cancel", #"{"id": 1}"#))
    #expect(try other.nextLine()["result"] == ["cancelled": false])
    other.send(request("4", "act", #"{"line": "connect"}"#))
    #expect(try program.nextLine()["result"]?["events"] == [2])
    program.send(request("5", "cancel", #"{"id": 1}"#))
    #expect(try program.nextLine()["result"] == ["cancelled": false])
    await lamp.close()
  }
}

import BlemuControl
import BlemuJSON
import EventLoop
import Testing

@testable import ControlServer

/// Where an expectation begins that does not say it.
@Suite struct PlaceTests {
  private func with(_ body: (ControlledLamp) async throws -> Void) async throws {
    let lamp = try await ControlledLamp()
    try await body(lamp)
    await lamp.close()
  }

  private func isMet(
    _ client: ControlConnection, _ line: String, after: Int? = nil
  ) throws -> Bool {
    let parameters = (["lines": [.string(line)]] as JSONValue).adding(["after": after.map(JSONValue.integer)])
    do throws(ControlFailure) {
      _ = try client.call(.expect, parameters)
    } catch {
      guard case .refused(let refusal) = error, refusal.code == .notMet else { throw error }
      return false
    }
    return true
  }

  @Test func `what came before an act is not its effect`() async throws {
    try await with { lamp in
      let client = try ControlConnection(to: lamp.path)
      _ = try client.call(.press, ["control": "button"])
      _ = try client.call(.press, ["control": "lamp"])
      #expect(try !isMet(client, "* \"pressed\""))
      #expect(try isMet(client, "press lamp"))
      #expect(try isMet(client, "* \"pressed\"", after: 0))
    }
  }

  @Test(
    arguments: [
      (.set, ["values": ["level": 3]]), (.press, ["control": "button"]), (.wire, ["text": "x"]),
      (.advertise, ["on": true]), (.reset, [:]), (.forget, [:]),
      (.faults, ["add": "drop on stream"]),
    ] as [(ControlMethod, JSONValue)])
  func `an expectation begins with the last act`(method: ControlMethod, parameters: JSONValue) async throws {
    try await with { lamp in
      let client = try ControlConnection(to: lamp.path)
      await lamp.log("before", times: 1)
      _ = try client.call(method, parameters)
      #expect(try !isMet(client, "* \"before\""))
      await lamp.log("after", times: 1)
      #expect(try isMet(client, "* \"after\""))
    }
  }

  @Test(
    arguments: [
      (.get, [:]), (.status, [:]), (.journal, [:]), (.faults, [:]), (.faults, ["remove-all": true]),
      (.press, ["control": "buton"]), (.act, ["line": "connect"]),
    ] as [(ControlMethod, JSONValue)])
  func `what does nothing to the device moves no place`(
    method: ControlMethod, parameters: JSONValue
  ) async throws {
    try await with { lamp in
      let client = try ControlConnection(to: lamp.path)
      await lamp.log("before", times: 1)
      _ = try? client.call(method, parameters)
      #expect(try isMet(client, "* \"before\""))
    }
  }

  @Test func `a connection has a place of its own, and those that share it have one`() async throws {
    try await with { lamp in
      let alone = try ControlConnection(to: lamp.path)
      let commands = try (0..<3).map { _ in
        let command = try ControlConnection(to: lamp.path)
        _ = try command.call(.share)
        return command
      }
      await lamp.log("before", times: 1)
      _ = try commands[0].call(.press, ["control": "button"])
      #expect(try !isMet(commands[1], "* \"before\""))
      #expect(try isMet(commands[1], "* \"pressed\""))
      #expect(try !isMet(commands[2], "* \"pressed\""))
      #expect(try isMet(alone, "* \"before\""))
      // Of commands, a central's line is an act as well.
      await lamp.log("before", times: 1)
      _ = try commands[0].call(.act, ["line": "connect"])
      #expect(try !isMet(commands[1], "* \"before\""))
    }
  }

  @Test func `a line that came too early is named`() async throws {
    try await with { lamp in
      let client = try ControlConnection(to: lamp.path)
      _ = try client.call(.press, ["control": "button"])
      _ = try client.call(.press, ["control": "lamp"])
      let failure = #expect(throws: ControlFailure.self) {
        try client.call(.expect, ["lines": ["* \"pressed\""]])
      }
      guard case .refused(let error) = failure else { throw failure ?? .ended }
      #expect(
        error.hint
          == "event 3 would meet it, but came before the last act or expectation: 'after 2' counts it"
      )
    }
  }
}

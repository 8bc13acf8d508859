import BlemuControl
import EventLoop
import Framing
import BlemuJSON
import Testing

@testable import ControlServer

/// What is expected of the journal.
@Suite struct ExpectationTests {
  private func with(_ body: (ControlConnection, ControlledLamp) async throws -> Void) async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    for line in [
      "connect", "subscribe switch", "> switch turn state=1", "> switch turn state=2",
      "> switch turn state=2",
    ] {
      _ = try client.call(.act, ["line": .string(line)])
    }
    try await body(client, lamp)
    await lamp.close()
  }

  @Test(
    arguments: [
      ["lines": ["connect"]],
      ["lines": ["subscribe switch", "> switch turn state=1", "< switch turned state=1"]],
      ["lines": ["> switch turn"], "at-least": 3], ["lines": ["> switch"], "at-least": 3, "at-most": 3],
      ["lines": ["> switch 01 **"], "at-least": 3], ["lines": ["> switch 01 ..."], "at-least": 3],
      ["lines": ["< switch turned state=3"], "at-most": 0],
      ["lines": ["> switch 01 02"], "at-least": 2, "at-most": 2],
      ["lines": ["* \"turned to 2\""], "at-least": 2], ["lines": ["* \"turned\" ..."], "at-least": 3],
      ["lines": ["* state == 'busy'"]], ["lines": ["> switch turn state=2", "* state == 'busy'"]],
      ["lines": ["! \"not sent\" ..."], "at-most": 0],
    ] as [JSONValue])
  func `what has come is met`(parameters: JSONValue) async throws {
    try await with { client, _ in _ = try client.call(.expect, parameters) }
  }

  @Test(
    arguments: [
      (["lines": ["disconnect"]], "'disconnect' did not come"),
      (
        ["lines": ["> switch turn state=3"]],
        "'> switch turn state=3' did not come; in event 10, state is 2, not 3"
      ),
      (["lines": ["> switch 01 03"]], "'> switch 01 03' did not come; in event 10, byte 1 is 0x02, not 0x03"),
      (
        ["lines": ["> switch turn state=2", "> switch turn state=1"]],
        "'> switch turn state=1' did not come; in event 10, state is 2, not 1"
      ),
      (["lines": ["> switch turn"], "at-least": 4], "'> switch turn' came 3 times, not 4 times"),
      (
        ["lines": ["> switch turn"], "at-most": 2],
        "'> switch turn' came more than 2 times: the last is event 10"
      ),
      (["lines": ["connect"], "at-most": 0], "'connect' came, as event 2"),
      (["lines": ["* state == 'idle'"]], "'* state == 'idle'' is not true: state is \"busy\""),
      (
        ["lines": [">! switch 01 02"], "after": 9],
        "'>! switch 01 02' did not come; in event 10, it is a write request"
      ),
    ] as [(JSONValue, String)])
  func `what has not come fails`(parameters: JSONValue, message: String) async throws {
    try await with { client, _ in
      let failure = #expect(throws: ControlFailure.self) { try client.call(.expect, parameters) }
      guard case .refused(let error) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(error.code == .notMet)
      #expect(error.message == message)
      #expect(error.comparison?.contains("expected") == true)
    }
  }

  @Test func `what is done to the device is met`() async throws {
    try await with { client, _ in
      _ = try client.call(.advertise, ["on": false])
      _ = try client.call(.reset)
      _ = try client.call(.expect, ["lines": ["advertise off", "reset"], "after": 0])
      #expect(throws: ControlFailure.self) {
        try client.call(.expect, ["lines": ["advertise on"], "after": 0])
      }
    }
  }

  @Test(arguments: [
    ("advertise as \"Other \\\"1\\\"\"", []), ("drop every 2nd in on switch", ["drop", "drop in on switch"]),
    ("refuse 0x80 on switch", ["refuse", "refuse 0x80", "refuse application-error-80 on switch"]),
    ("delay 1000ms on switch", ["delay", "delay 1s"]), ("corrupt 1 bit in on switch", ["corrupt"]),
  ])
  func `a fault that has struck is met in the words with which it was added`(
    fault: String, others: [String]
  ) async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.faults, ["add": .string(fault)])
    for line in ["connect", "> switch 05", "> switch 06"] {
      _ = try client.call(.act, ["line": .string(line)])
    }
    for words in [fault] + others {
      _ = try client.call(
        .expect, ["lines": [.string("fault \(words)")], "after": 0, "within": 5000])
    }
    #expect(throws: ControlFailure.self) {
      try client.call(.expect, ["lines": [.string("fault \(fault) once")], "after": 0])
    }
    await lamp.close()
  }

  @Test(arguments: [
    ("drop out", ["sent switch turned state=5", "fault drop out"], "< switch"),
    ("drop out", ["received switch turn state=5", "sent switch 81 05"], "< switch"),
    ("truncate to 1 byte out", ["sent switch turned", "fault truncate", "< switch 81"], "< switch turned"),
    ("truncate to 1 byte out", ["< switch"], "sent switch 81"),
    ("delay 50ms out", ["sent switch turned", "fault delay", "< switch turned state=5"], "disconnect"),
    ("drop in", ["> switch turn state=5", "fault drop"], "received switch"),
    ("truncate to 1 byte in", ["> switch turn state=5", "received switch 01"], "> switch 01"),
    ("truncate to 1 byte in", ["received switch"], "received switch 01 05"),
    ("refuse 0x80", ["fault refuse", "! application-error-80"], "received switch"),
    ("refuse 0x80", ["> switch 01 05"], "received switch"),
    ("drop out on stream", ["received switch 01 05", "< switch"], "fault drop"),
    ("drop out on stream", ["> switch 01 05", "sent switch"], "fault drop"),
  ])
  func `what one side has is met by its own words only`(fault: String, lines: [String], never: String)
    async throws
  {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.faults, ["add": .string(fault)])
    for line in ["connect", "subscribe switch", "> switch 01 05"] {
      _ = try client.call(.act, ["line": .string(line)])
    }
    _ = try client.call(
      .expect, ["lines": .array(lines.map(JSONValue.string)), "after": 0, "within": 5000])
    _ = try client.call(.expect, ["lines": [.string(never)], "after": 0, "at-most": 0])
    if fault.hasPrefix("refuse") {
      _ = try client.call(
        .expect, ["lines": ["! application-error-80"], "after": 0, "at-least": 1, "at-most": 1])
    }
    await lamp.close()
  }

  @Test func `a message in pieces comes whole only if no fault strikes a piece`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    let whole = "\"12345678901234567890123456789\\n\""
    for line in ["connect", "subscribe stream"] { _ = try client.call(.act, ["line": .string(line)]) }
    let send: JSONValue = ["from": "stream", "text": "12345678901234567890123456789\n"]
    _ = try client.call(.send, send)
    _ = try client.call(.expect, ["lines": [.string("< stream \(whole)")]])
    _ = try client.call(.faults, ["add": "drop out every 2nd"])
    _ = try client.call(.send, send)
    _ = try client.call(.expect, ["lines": [.string("sent stream \(whole)")]])
    _ = try client.call(
      .expect, ["lines": [.string("< stream \(whole)")], "after": 0, "at-least": 1, "at-most": 1])
    await lamp.close()
  }

  @Test(arguments: [
    "set level=0x07", "set level", "set level=7 title=\"A B\"", "set level=7 title", "set", "press lamp",
    "press lamp=true", "press", "advertise", "reset",
  ])
  func `what is done to the device is met in other words for it`(line: String) async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.set, ["values": ["level": 7, "title": "A B"]])
    _ = try client.call(.press, ["control": "lamp", "value": true])
    _ = try client.call(.advertise, ["on": true])
    _ = try client.call(.reset)
    _ = try client.call(.expect, ["lines": [.string(line)], "after": 0])
    await lamp.close()
  }

  @Test func `how often a line came cannot be told of events that are forgotten`() async throws {
    try await with { client, lamp in
      await lamp.log("busy", times: Journal.mostEvents)
      // 12 events came before; the first that is kept is 13.
      for (parameters, start) in [
        (["lines": ["connect"], "at-most": 0], 0), (["lines": ["bond"], "at-most": 3, "after": 5], 5),
        (["lines": ["* \"busy\""], "at-least": 1, "at-most": 20_000], 0),
      ] as [(JSONValue, Int)] {
        let failure = #expect(throws: ControlFailure.self) { try client.call(.expect, parameters) }
        guard case .refused(let error) = failure else { continue }
        let line = parameters["lines"]?.elements?.first?.text ?? ""
        #expect(
          error.message == "cannot count '\(line)': the journal no longer contains "
            + "\(12 - start) events\(start > 0 ? " after event \(start)" : "")"
            + "; 'after 12' counts only those that it keeps")
        #expect(error.code == .notMet)
        #expect(error.comparison?.contains("… \(12 - start) events forgotten") == true)
      }
      _ = try client.call(.expect, ["lines": ["connect"], "at-most": 0, "after": 12])
      _ = try client.call(.expect, ["lines": ["* \"busy\""], "at-least": 3, "after": 0])
    }
  }

  @Test func `both sides are shown`() async throws {
    try await with { client, _ in
      let failure = #expect(throws: ControlFailure.self) {
        try client.call(.expect, ["lines": ["> switch turn state=2", "> switch turn state=2", "disconnect"]])
      }
      guard case .refused(let error) = failure, let comparison = error.comparison else {
        Issue.record("\(String(describing: failure))")
        return
      }
      // The times are those of the run.
      let rows = comparison.split(separator: "\n").map { row in
        row.split(separator: " ").filter { !$0.contains(".") || $0.contains("..") }.joined(separator: " ")
      }
      #expect(
        rows == [
          "expected time actual", "7 > switch turn state=2 > switch 01 02 turn state=2",
          "10 > switch turn state=2 > switch 01 02 turn state=2", "-> disconnect",
          "11 < switch 81 02 turned state=2 note=\"\"", "12 * \"turned to 2\"",
        ])
    }
  }

  @Test func `an expectation goes on where the last one has ended`() async throws {
    try await with { client, _ in
      let first = try client.call(.expect, ["lines": ["> switch turn state=2"]])
      let second = try client.call(.expect, ["lines": ["> switch turn state=2"]])
      #expect(first == ["events": [7], "after": 7])
      #expect(second == ["events": [10], "after": 10])
      #expect(throws: ControlFailure.self) { try client.call(.expect, ["lines": ["> switch turn state=2"]]) }
      // One that fails takes nothing, and another connection begins at the beginning.
      #expect(try client.call(.expect, ["lines": ["* \"turned to 2\""]]) == ["events": [12], "after": 12])
      #expect(try client.call(.expect, ["lines": ["connect"], "after": 0]) == ["events": [2], "after": 2])
    }
  }

  @Test func `what is expected is awaited`() async throws {
    try await with { client, lamp in
      let path = lamp.path
      async let result = Task.detached {
        try ControlConnection(to: path).call(
          .expect, ["lines": ["> switch turn state=9", "< switch turned state=9"], "within": 60_000])
      }.value
      async let condition = Task.detached {
        try ControlConnection(to: path).call(.expect, ["lines": ["* level == 7"], "within": 60_000])
      }.value
      _ = try client.call(.set, ["values": ["level": 7]])
      _ = try client.call(.act, ["line": "> switch turn state=9"])
      #expect(try await result["events"] == [14, 15])
      _ = try await condition
    }
  }

  @Test func `what may not come is awaited for all of the time`() async throws {
    try await with { client, lamp in
      let path = lamp.path
      async let message = Task.detached { () -> String? in
        do throws(ControlFailure) {
          _ = try ControlConnection(to: path).call(
            .expect, ["lines": ["disconnect"], "at-most": 0, "within": 60_000])
          return nil
        } catch {
          return if case .refused(let error) = error { error.message } else { "\(error)" }
        }
      }.value
      _ = try client.call(.act, ["line": "disconnect"])
      #expect(await message == "'disconnect' came, as event 14")
      #expect(
        try client.call(.expect, ["lines": ["bond"], "at-most": 0, "within": 1]) == [
          "events": [], "after": 14,
        ])
    }
  }
}

import BlemuControl
import BlemuJSON
import BlueZLimits
import TestSupport
import Testing

@testable import ControlServer

/// Programs that take over what centrals do.
@Suite struct InterceptTests {
  /// A lamp, a program that is asked, and a central that has connected and subscribed.
  private func with(
    _ body: (_ program: AskedProgram, _ central: AskedProgram, ControlledLamp) async throws -> Void
  ) async throws {
    let lamp = try await ControlledLamp()
    let central = try AskedProgram(lamp.path)
    for line in ["connect", "subscribe switch", "subscribe stream"] {
      #expect(try central.result(of: central.act(line)) == accepted)
    }
    try await body(AskedProgram(lamp.path), central, lamp)
    await lamp.close()
  }

  private let accepted: JSONValue = ["response": "accepted"]

  private func intercept(_ program: AskedProgram, _ what: String, within: Int = 20_000) throws -> Int {
    let result = try program.call(.intercept, ["what": .string(what), "within": .integer(within)])
    return try #require(result["intercept"]?.wholeNumber, "\(result.line)")
  }

  /// Checks that these lines come, in this order.
  private func expect(_ program: AskedProgram, _ lines: String...) throws {
    let result = try program.call(
      .expect, ["lines": .array(lines.map(JSONValue.string)), "within": 20_000, "after": 0])
    #expect(result["events"] != nil, "\(result["data"]?["comparison"]?.text ?? result.line)")
  }

  // MARK: Reads

  @Test func `a read is answered with bytes, refused, or goes on`() async throws {
    try await with { program, central, _ in
      #expect(try intercept(program, "read level") == 1)
      let read = central.act("read level")
      let question = try program.answerNext(["bytes": "0102"])
      #expect(question["intercept"] == 1)
      #expect(question["event"] == "read")
      #expect(question["attribute"] == "level")
      #expect(question["central"] == "00:00:00:00:00:02")
      #expect(question["within"] == 20_000)
      #expect(question["number"] == nil)
      #expect(try central.result(of: read) == ["response": "value", "value": "01 02"])
      let refused = central.act("read level")
      try program.answerNext(["error": "0x80"])
      #expect(
        try central.result(of: refused) == [
          "response": "refused", "error": "application-error-80", "code": 128,
        ])
      let ordinary = central.act("read level")
      try program.answerNext([:])
      #expect(try central.result(of: ordinary) == ["response": "value", "value": "32"])
      try expect(central, "read level 01 02", "! 0x80", "read level 32")
    }
  }

  @Test func `one question is for all parts of a long read`() async throws {
    try await with { program, central, lamp in
      _ = try intercept(program, "read level")
      let value = String(repeating: "AB", count: 60) + "CD"
      let long = central.act("read level")
      try program.answerNext(["bytes": .string(value)])
      let read = try central.result(of: long)["value"]?.text?.filter { $0 != " " }
      // A client asks for the rest until a part is shorter than the link carries; each part is an event of its own.
      #expect(read == value)
      let events = try central.call(.journal)["events"]?.elements ?? []
      #expect(events.count { $0["event"] == "read" } > 1)
      let again = central.act("read level")
      try program.answerNext([:])
      #expect(try central.result(of: again)["value"] == "32")
    }
  }

  // MARK: Writes

  @Test func `a write is answered, refused, or goes on`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch turn state=5")
      let answered = central.act("> switch turn state=5")
      let question = try program.answerNext(["message": "turned", "fields": ["state": 9, "note": "AB"]])
      #expect(question["event"] == "write")
      #expect(question["message"] == "turn")
      #expect(question["fields"] == ["state": 5])
      #expect(question["value"] == "01 05")
      #expect(try central.result(of: answered) == accepted)
      try expect(central, "> switch 01 05", "< switch 81 09 AB")
      #expect(try central.call(.get, ["names": ["state"]]) == ["values": ["state": "idle"]])
      #expect(try central.result(of: central.act("read switch"))["value"] == "81 09 AB")

      let refused = central.act(">? switch turn state=5")
      try program.answerNext(["error": "insufficient-authorization"])
      #expect(
        try central.result(of: refused) == [
          "response": "refused", "error": "insufficient-authorization", "code": 8,
        ])

      let silent = central.act("> switch turn state=5")
      try program.answerNext(["bytes": ""])
      #expect(try central.result(of: silent) == accepted)
      #expect(try central.result(of: central.act("read switch"))["value"] == "01 05")

      let ordinary = central.act("> switch turn state=5")
      try program.answerNext([:])
      #expect(try central.result(of: ordinary) == accepted)
      try expect(
        central, "> switch turn state=5", "! insufficient-authorization", "> switch turn state=5",
        "> switch turn state=5", "< switch turned state=5", "* \"turned to 5\"")
      // The one that nobody takes over is not asked about.
      #expect(try central.result(of: central.act("> switch turn state=6")) == accepted)
      let text = try central.call(.journal, ["format": "text"])["events"]?.line ?? ""
      #expect(text.contains("^ intercept 1 takes over '> switch turn state=5'"))
      #expect(text.contains("^ intercept 1 answered in place of the rules"))
      #expect(text.contains("^ intercept 1 refused it in place of the rules"))
    }
  }

  @Test func `a write command is refused in vain, and the log says so`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch")
      _ = central.act(">! switch 01 05")
      try program.answerNext(["error": "0x80"])
      try expect(
        central,
        "! \"intercept 1 refused '>! switch 01 05' with application-error-80: the central does not learn it\" ..."
      )
      #expect(try central.call(.get, ["names": ["state"]]) == ["values": ["state": "idle"]])
    }
  }

  // MARK: Messages

  @Test func `a message may come in two writes`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> stream line count=7")
      #expect(try central.result(of: central.act("> stream \"go \"")) == accepted)
      #expect(try central.result(of: central.act("> stream \"7\\n\"")) == accepted)
      let question = try program.answerNext(["text": "gone"])
      #expect(question["event"] == "frame")
      #expect(question["value"] == "67 6F 20 37")
      #expect(question["fields"] == ["count": 7])
      try expect(central, "> stream \"go \"", "> stream \"7\\n\"", "< stream \"gone\"")
      // In one write, it can be refused.
      let refused = central.act("> stream \"go 7\\n\"")
      try program.answerNext(["error": "0x81"])
      #expect(
        try central.result(of: refused) == [
          "response": "refused", "error": "application-error-81", "code": 129,
        ])
    }
  }

  @Test func `the second of two messages in one write waits for the first`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> stream line count=1")
      #expect(try central.result(of: central.act("> stream \"go 1\\ngo 2\\n\"")) == accepted)
      let next = central.act("> stream \"go 3\\n\"")
      let question = try program.question()
      #expect(try central.call(.expect, ["lines": ["* \"went 2\""], "at-most": 0])["events"] == [])
      program.answer(question, ["text": "one"])
      #expect(try central.result(of: next) == accepted)
      try expect(central, "< stream \"one\"", "* \"went 2\"", "* \"went 3\"")
    }
  }

  @Test func `each of three messages in one write is asked about, in order`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> stream line")
      _ = central.act("> stream \"go 1\\ngo 2\\ngo 3\\n\"")
      try program.answerNext(["text": "one"])
      try program.answerNext([:])
      try program.answerNext(["error": "0x80"])
      try expect(
        central, "< stream \"one\"", "* \"went 2\"",
        "! \"intercept 1 refused '> stream 67 6F 20 33' with application-error-80: the central does not\" ..."
      )
      // A message of one write is asked about once.
      let single = central.act("> stream \"go 4\\n\"")
      try program.answerNext([:])
      #expect(try central.result(of: single) == accepted)
      try expect(central, "* \"went 4\"")
      let journal = try central.call(.journal)["events"]?.elements ?? []
      #expect(journal.count { $0["message"] == "went 4" } == 1)
    }
  }

  // MARK: What goes wrong

  @Test func `a late answer is ignored`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch", within: 50)
      let write = central.act("> switch turn state=5")
      let question = try program.question()
      #expect(try central.result(of: write) == accepted)
      program.answer(question, ["bytes": "99"])
      try expect(
        central,
        "! \"intercept 1 has not answered '> switch 01 05' within 0.050 s; the rules go on (process \" ...",
        "< switch turned state=5", "! \"the answer of intercept 1 to '> switch 01 05' came \" ...")
    }
  }

  @Test func `the rules go on if the program ends with an open question`() async throws {
    try await with { _, central, lamp in
      var program: AskedProgram? = try AskedProgram(lamp.path)
      _ = try intercept(#require(program), "> switch")
      let write = central.act("> switch turn state=5")
      _ = try #require(program).question()
      program = nil
      #expect(try central.result(of: write) == accepted)
      try expect(
        central, "! \"intercept 1 ended before it had answered '> switch 01 05'; the rules go on\" ...",
        "< switch turned state=5")
      #expect(try central.result(of: central.act("> switch turn state=6")) == accepted)
    }
  }

  @Test func `a reset forgets what is in question and what waits for it`() async throws {
    try await with { program, central, lamp in
      _ = try intercept(program, ">! switch 01 05")
      _ = central.act(">! switch 01 05")
      _ = try program.question()
      _ = central.act(">! switch 01 06")
      _ = try AskedProgram(lamp.path).call(.reset, [:])
      try expect(central, "reset", "! \"intercept 1 was asked about \" ...", "disconnect")
      let turned = try central.call(
        .expect, ["lines": ["* \"turned to \" ..."], "at-most": 0, "within": 0, "after": 0])
      #expect(turned["events"] == [], "\(turned.line)")
    }
  }

  @Test func `what a central has done before it disconnects is for the rules`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch")
      _ = central.act(">! switch 01 05")
      _ = central.act(">! switch 01 06")
      let question = try program.question()
      _ = central.act("disconnect")
      try expect(
        central, "> switch 01 05", "* \"turned to 5\"", "> switch 01 06", "* \"turned to 6\"", "disconnect")
      program.answer(question, ["bytes": "99"])
      try expect(central, "disconnect", "! \"the answer of intercept 1 to '>! switch 01 05' came\" ...")
      #expect(try central.result(of: central.act("connect")) == accepted)
      let write = central.act("> switch 01 07")
      try program.answerNext(["bytes": ""])
      #expect(try central.result(of: write) == accepted)
    }
  }

  @Test(
    arguments: [
      (["byts": "00"], "an answer has no parameter 'byts' (did you mean 'bytes'?)"),
      (["bytes": 7], "'bytes' must be a text with hex digits"), (["bytes": "0"], "'0' is not hex"),
      (["message": "trned"], "the definition has no message 'trned' (did you mean 'turned'?)"),
      (["error": "insufficient-autorization"], "there is no ATT error 'insufficient-autorization'"),
      (["error": "0x80", "text": "x"], "it has an error and something else"),
      (["from": "level", "text": "x"], "'level' neither notifies nor indicates"),
      (["from": "switch"], "there is no value"), (7, "the parameters of an answer must be an object"),
    ] as [(JSONValue, String)])
  func `a wrong answer is no answer, and the log says why`(answer: JSONValue, problem: String) async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch")
      let write = central.act("> switch turn state=5")
      try program.answerNext(answer)
      #expect(try central.result(of: write) == accepted)
      let warnings = try central.call(.journal)["events"]?.elements?.filter { $0["event"] == "warning" } ?? []
      #expect(warnings.count == 1)
      let text = warnings.first?["message"]?.text ?? ""
      #expect(text.contains("has answered '> switch 01 05' wrongly: \(problem)"), "\(text)")
      #expect(text.contains("; the rules go on (process "))
      try expect(central, "< switch turned state=5")
    }
  }

  @Test func `a program may say that it has failed, and what nobody asks is not an answer`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch")
      let write = central.act("> switch turn state=5")
      let id = try program.question()["id"] ?? .null
      for id in [.string("intercept-99"), "x", 7, .null] as [JSONValue] {
        program.send(["jsonrpc": "2.0", "id": id, "result": ["bytes": "99"]])
      }
      central.send(["jsonrpc": "2.0", "id": id, "result": ["bytes": "99"]])
      program.send(["jsonrpc": "2.0", "id": id, "error": ["code": -32000, "message": "KeyError: 7"]])
      #expect(try central.result(of: write) == accepted)
      try expect(central, "! \"intercept 1 failed at '> switch 01 05': KeyError: 7; the rules go on\" ...")
      try expect(central, "! \"a program answered a question that was not asked: \" ...")
    }
  }

  @Test func `the log says that BlueZ answers before a program or a fault can`() async throws {
    let lamp = try await ControlledLamp(limits: BlueZLimits())
    let program = try AskedProgram(lamp.path)
    for what in ["> switch turn", "> stream", "read switch", ">! switch"] {
      _ = try intercept(program, what, within: 1000)
    }
    for fault in ["refuse 0x80 on switch", "refuse 0x80 on stream"] {
      #expect(try program.call(.faults, ["add": .string(fault)])["number"] != nil)
    }
    let warnings = try program.call(.journal)["events"]?.elements?.filter { $0["event"] == "warning" } ?? []
    #expect(
      warnings.map { $0["message"]?.text } == [
        "intercept 1: BlueZ itself answers every write to 'switch' at once: the central gets no error and does not wait for the program",
        "refuse application-error-80 on switch: BlueZ itself answers every write to 'switch' at once: the value is lost, but the central gets no error",
      ])
    await lamp.close()
  }

  // MARK: Several

  @Test func `programs are asked in their order until one takes it`() async throws {
    try await with { first, central, lamp in
      let second = try AskedProgram(lamp.path)
      _ = try intercept(first, "> switch")
      _ = try intercept(second, "> switch turn")
      let write = central.act("> switch turn state=5")
      try first.answerNext([:])
      try second.answerNext(["bytes": "42"])
      #expect(try central.result(of: write) == accepted)
      try expect(central, "< switch 42")
      let other = central.act("> switch 77")
      try first.answerNext(["bytes": "43"])
      #expect(try central.result(of: other) == accepted)
      #expect(try first.call(.unintercept, ["intercept": 1]) == [:])
      let third = central.act("> switch turn state=5")
      try second.answerNext([:])
      #expect(try central.result(of: third) == accepted)
      try expect(central, "< switch 43", "< switch turned state=5")
    }
  }

  @Test func `the device does what the program asks before it answers, and other centrals go on`()
    async throws
  {
    try await with { program, central, lamp in
      let other = try AskedProgram(lamp.path)
      let address = "00:00:00:00:00:07"
      #expect(try other.result(of: other.act("connect", as: address)) == accepted)
      _ = try intercept(program, "> switch turn state=1")
      let write = central.act("> switch turn state=1")
      let question = try program.question()
      _ = try program.call(.set, ["values": ["level": 7]])
      #expect(try program.call(.get, ["names": ["level"]]) == ["values": ["level": 7]])
      _ = try program.call(.send, ["from": "switch", "bytes": "55"])
      _ = try program.call(.press, ["control": "button"])
      #expect(try other.result(of: other.act("read level", as: address))["value"] == "07")
      program.answer(question, ["bytes": "66"])
      #expect(try central.result(of: write) == accepted)
      try expect(central, "< switch 55", "* \"pressed\"", "read level 07", "> switch 01 01", "< switch 66")
    }
  }

  @Test func `what nobody wants waits for each question before it`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, ">! switch 01 ...")
      for bytes in ["01 05", "01 06", "02 07"] { _ = central.act(">! switch \(bytes)") }
      try program.answerNext([:])
      let second = try program.question()
      let third = try central.call(.expect, ["lines": ["> switch 02 07"], "at-most": 0, "after": 0])
      #expect(third["events"] == [], "\(third.line)")
      program.answer(second, [:])
      try expect(central, "> switch 01 05", "> switch 01 06", "> switch 02 07")
    }
  }

  @Test func `many writes keep their order, and none is lost`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch")
      for number in 0..<200 { _ = central.act(">! switch \(["77", "78"][number % 2]) \(hex(number))") }
      for number in 0..<200 {
        let question = try program.answerNext(["bytes": .string(hex(number))])
        #expect(question["value"]?.text?.suffix(2) == hex(number)[...])
      }
      try expect(central, "< switch C7")
      let sent = try central.call(.journal)["events"]?.elements?.filter { $0["event"] == "notify" } ?? []
      #expect(sent.compactMap { $0["value"]?.text } == (0..<200).map(hex))
    }
  }

  private func hex(_ number: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }

  // MARK: Limits

  @Test func `there is a limit to interceptions, which end with their connection`() async throws {
    try await with { program, central, lamp in
      let others = try AskedProgram(lamp.path)
      for _ in 1..<Interceptions.most { _ = try intercept(others, "read level") }
      _ = try intercept(program, "read level")
      #expect(
        try program.call(.intercept, ["what": "read level"])["message"]
          == "there are 100 interceptions already")
      #expect(
        try program.call(.unintercept, ["intercept": 1])["message"] == "this connection has no interception 1"
      )
      #expect(try program.call(.unintercept, ["intercept": 100]) == [:])
      #expect(try intercept(program, "read level") == 101)
    }
  }

  @Test func `what waits for a question has a limit, and is not lost`() async throws {
    try await with { program, central, _ in
      _ = try intercept(program, "> switch 77")
      _ = central.act(">! switch 77")
      _ = try program.question()
      for _ in 0..<4096 { _ = central.act(">! switch 78") }
      let last = central.act("> switch turn state=5")
      #expect(try central.result(of: last) == accepted)
      try expect(
        central,
        "! \"intercept 1 has not answered '>! switch 77', and too much waits for it; the rules go on\" ...",
        "< switch turned state=5")
      #expect(try central.call(.status)["values-in"] == 4098)
    }
  }

  @Test(
    arguments: [
      ("connect", "'connect' is neither a read nor a write of a central", "a line with >, >!, >? or read"),
      ("< switch", "'< switch' is neither a read nor a write of a central", "a line with >, >!, >? or read"),
      (
        "* level == 3", "'* level == 3' is neither a read nor a write of a central",
        "a line with >, >!, >? or read"
      ),
      (
        "read level 14", "'read level 14': the program provides the value of a read",
        "write 'read level'"
      ),
      ("> swtich", "'> swtich': no characteristic has the id 'swtich'", "did you mean 'switch'?"),
    ])
  func `only what a central reads and writes can be taken over`(
    line: String, message: String, hint: String
  ) async throws {
    try await with { program, _, _ in
      let error = try program.call(.intercept, ["what": .string(line)])
      #expect(error["message"] == .string(message))
      #expect(error["data"]?["hint"] == .string(hint))
    }
  }
}

import DeviceModel
import Framing
import Testing

@testable import Learning

/// Definitions as a person would keep them.
struct TidyingTests {
  /// A device with FFE1 and rules for what is written there.
  private struct Rules {
    var learnt = LearntDefinition(name: "Device", summary: "")

    init() { learnt.addServices(SpokenDevice("", [:]).table) }

    private var place: Rule.Endpoint { .characteristic(0) }

    mutating func add(
      _ name: String, _ request: String, _ steps: [Rule.Action], repetitions: [String?] = []
    ) {
      let message = learnt.addMessage(name, request)
      learnt.device.rules.append(
        Rule(on: .received(message: message, from: place), steps, repetitions: repetitions))
    }

    func send(_ bytes: String) -> Rule.Action {
      .send(.template(ValueTemplate(learnt: bytes)), to: .endpoint(place))
    }

    /// A rule that handles what begins like a request, and is as long, like that request.
    mutating func addExample(_ request: String) {
      let bytes = LearningTests.bytes(request)
      let start = HexText.format([bytes[0]])
      let text = ValueTemplate(
        learnt: "{hex(frame, ' ')} is answered like \(request)", form: .text(ignoringCase: false),
        .hex(.frame))
      add("", "\(start) {data: bytes(\(bytes.count - 1))}", [.log(text), .receive(.bytes(bytes), from: nil)])
    }

    /// A rule with tables and variables of its own, which steps through two answers: one value, then two.
    mutating func addStepping(_ request: UInt8) {
      let name = "\(request)"
      let table = learnt.addTable(
        "recorded-\(name)", ["row": .integer, "delay": .integer, "value": .bytes],
        rows: (0..<3).map { [.integer($0), .integer(20), .bytes([request, UInt8($0)])] })
      let counts = learnt.addTable(
        "count-\(name)", ["step": .integer, "first": .integer, "values": .integer],
        rows: [[1, 0, 1], [2, 1, 2]].map { $0.map { .integer($0) } })
      let (row, step) = (learnt.addVariable("next-\(name)"), learnt.addVariable("step-\(name)"))
      let cell = { Expression.cell(table: table, key: [.variable(row)], column: $0) }
      let value = ValueTemplate(learnt: "{recorded-\(name)[next-\(name)].value}", cell(2))
      let count = Expression.cell(table: counts, key: [.variable(step)], column: 2)
      let sending: [Rule.Action] = [
        .wait(cell(1)), .send(.template(value), to: .endpoint(place)),
        .set([(.variable(row), (.variable(row) + 1) % 3)]),
      ]
      add(
        "request-\(name)", HexText.format([request]),
        [
          .set([(.variable(step), .variable(step) % 2 + 1)]),
          .repeat(count, index: 0, sending.map { Rule.Step($0) }),
        ], repetitions: ["i"])
    }

    mutating func addRest() {
      learnt.device.rules.append(
        Rule(on: .received(message: nil, from: place), [ReplayWriter.log("nothing")]))
    }

    /// The section of the definition once it is tidy.
    mutating func tidy(_ section: String = "rules") -> String {
      learnt.tidy()
      return LearningTests.section(section, of: learnt)
    }
  }

  @Test func `rules that do the same become one`() throws {
    var rules = Rules()
    rules.add("request-1", "01 01", [.wait(.number(70)), rules.send("81")])
    rules.add("request-2", "02 {level: u8}", [.wait(.number(70)), rules.send("81")])
    rules.add("request-3", "03", [.wait(.number(80)), rules.send("81")])
    rules.add("request-4", "04", [.wait(.number(70)), rules.send("81")])
    #expect(
      rules.tidy() == """
        rules:
          - on: { receive: [request-1, request-2, request-4] }
            do:
              - { wait: 70ms }
              - { send: { bytes: "81" }, to: FFE1 }
          - on: { receive: request-3 }
            do:
              - { wait: 80ms }
              - { send: { bytes: "81" }, to: FFE1 }
        """)
    var memory = try MemoryDevice(rules.learnt)
    _ = memory.subscribe()
    _ = memory.write("02 07")
    #expect(memory.wait(100) == ["70 81"])
  }

  /// The first rule that takes a frame fires: `02 01` is the request of the second rule.
  @Test func `a rule does not come before one that takes its frames`() throws {
    var rules = Rules()
    rules.add("request-1", "01", [rules.send("81")])
    rules.add("request-2", "02 {level: u8}", [rules.send("82")])
    rules.add("request-3", "{kind: u8} 01", [rules.send("81")])
    #expect(rules.tidy().split(separator: "\n").count { $0.contains("receive") } == 3)
    var memory = try MemoryDevice(rules.learnt)
    _ = memory.subscribe()
    #expect(memory.write("02 01") == ["82"])
    #expect(memory.write("03 01") == ["81"])
  }

  @Test func `rules that repeat a field of their message stay apart`() {
    var rules = Rules()
    let echo = Rule.Action.send(
      .template(ValueTemplate(learnt: "80 {level: u8}", .field(0))), to: .endpoint(.characteristic(0)))
    rules.add("request-1", "01 {level: u8}", [echo])
    rules.add("request-2", "02 00 {level: u8}", [echo])
    #expect(rules.tidy().split(separator: "\n").count { $0.contains("receive") } == 2)
  }

  @Test func `many answers are rows of a table`() throws {
    var rules = Rules()
    for number in 1...9 {
      let answers = [rules.send("8\(number) 00"), .wait(.number(30)), rules.send("8\(number) 01")]
      rules.add("request-\(number)", "0\(number) 00", number == 9 ? [ReplayWriter.log("nothing")] : answers)
    }
    for number in 1...5 { rules.addExample("0\(number) 00") }
    rules.addRest()
    #expect(
      rules.tidy() == """
        rules:
          - on: { receive: any }
            if: size(answers[frame]) > 0
            do:
              repeat: size(answers[frame])
              index: i
              do:
                - { wait: "answers[frame, i].delay" }
                - if: size(answers[frame, i].value) == 0
                  then:
                    - { log: "no effect was recorded" }
                    - end
                - { send: { bytes: "{answers[frame, i].value}" }, to: FFE1 }
          - on: { receive: any }
            if: size(examples[slice(frame, 0, 1), frame.size].request) > 0
            do:
              - log: "{hex(frame, ' ')} is answered like {hex(examples[slice(frame, 0, 1), size(frame)].request, ' ')}"
              - { receive: "examples[slice(frame, 0, 1), frame.size].request" }
          - on: { receive: any }
            do: { log: "nothing" }
        """)
    #expect(LearningTests.section("messages", of: rules.learnt) == "")
    #expect(try rules.learnt.written().dataFiles.map(\.name) == ["answers.csv"])
    var memory = try MemoryDevice(rules.learnt)
    _ = memory.subscribe()
    #expect(memory.write("03 00") == ["83 00"])
    #expect(memory.wait(100) == ["30 83 01"])
    #expect(memory.write("09 00") == [])
    #expect(memory.wait(100) == [])
    #expect(memory.write("02 77") == ["82 00"])
    #expect(memory.wait(100) == ["30 82 01"])
    #expect(memory.write("07 77") == [])
  }

  /// A definition has at most 256 tables and 256 variables.
  @Test func `the answers of very many requests that step through them share a table`() throws {
    var rules = Rules()
    for request in 1...130 { rules.addStepping(UInt8(request)) }
    #expect(
      rules.tidy("data") == """
        data:
          steps:
            file: steps.csv
            columns: { request: bytes, step: integer, number: integer, delay: integer, value: bytes }
            key: [request, step, number]
        """)
    var memory = try MemoryDevice(rules.learnt)
    _ = memory.subscribe()
    for answers in [["20 07 00"], ["20 07 01", "40 07 02"], ["20 07 00"]] {
      _ = memory.write("07")
      #expect(memory.wait(100) == answers)
    }
    _ = memory.write("08")
    #expect(memory.wait(100) == ["20 08 00"])
  }

  @Test func `a table of one row is no table`() throws {
    var rules = Rules()
    let table = rules.learnt.addTable(
      "recorded", ["row": .integer, "delay": .integer, "value": .bytes],
      rows: [[.integer(0), .integer(40), .bytes([1, 2, 3])]])
    let cell = { Expression.cell(table: table, key: [.local(0, .integer)], column: $0) }
    let value = ValueTemplate(learnt: "{recorded[i].value}", cell(2))
    let steps = [
      Rule.Step(.wait(cell(1))), Rule.Step(.send(.template(value), to: .endpoint(.characteristic(0)))),
    ]
    let message = rules.learnt.addMessage("request-1", "01")
    rules.learnt.device.rules.append(
      Rule(
        on: .received(message: message, from: .characteristic(0)),
        [.repeat(.number(1), index: 0, steps)], repetitions: ["i"]))
    #expect(
      rules.tidy() == """
        rules:
          - on: { receive: request-1 }
            do:
              - { wait: 40ms }
              - { send: { bytes: "01 02 03" }, to: FFE1 }
        """)
    #expect(LearningTests.section("data", of: rules.learnt) == "")
  }

  @Test func `names have at most 24 characters, and are unique`() {
    var names = ModelNames(taken: ["answer"])
    #expect(names.unique("answer-97") == "answer-97")
    #expect(names.unique("answer-97") == "answer-97-2")
    #expect(names.unique("answer", suffix: "FFE1") == "answer-FFE1")
    let long = "recorded-stream-58AF3DCA-6FC0-4FA3-9464-74662F043A3A"
    #expect(names.unique(long) == "recorded-stream-58AF3DCA")
    #expect(names.unique(long) == "recorded-stream-2")
    #expect(names.unique("abcdefghijklmnopqrstuvwxyz") == "abcdefghijklmnopqrstuvwx")
    #expect(names.unique("abcdefghijklmnopqrstuvwxyz") == "abcdefghijklmnopqrstuv-2")
  }

  @Test func `the evidence for a message stands next to it`() {
    var rules = Rules()
    rules.add("request-1", "01", [rules.send("81")])
    rules.learnt.evidence = [
      Evidence("frames of one byte", at: "FFE1 <-", agreeing: 3, of: 3),
      Evidence("request-1 leads to 81, usually after 20ms", at: "FFE1 <-", agreeing: 2, of: 3),
      Evidence("request-1 comes first", at: "FFE1 <-", agreeing: 1, of: 1),
    ]
    #expect(
      rules.tidy("messages") == """
        messages:
          request-1: "01"  # leads to 81, usually after 20ms (2 of 3)
        """)
  }
}

import TestSupport
import Testing

@testable import Behavior

@Suite struct RuleTests {
  static let services = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: in, uuid: FFE1, properties: [write] }
          - { id: out, uuid: FFE2, properties: [notify] }
          - { id: both, uuid: FFE3, properties: [write, indicate] }

    """

  func expect(_ rules: String, _ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    var conversation = try Conversation(definition(Self.services + rules))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "every event has its rules",
      """
      messages: { hello: "01", bye: "02" }
      rules:
        - { on: connect, do: { log: hello } }
        - { on: disconnect, do: { log: bye } }
        - { on: { subscribe: out }, do: { send: hello } }
        - { on: { unsubscribe: out }, do: { send: bye, to: wire } }
        - { on: { receive: hello }, do: [{ send: hello, to: out }, { log: done }, { send: bye, to: both }] }
      """,
      """
      +
      * hello
      +out
      < out 01
      +both
      -out
      [ 02
      > in 01
      < out 01
      * done
      < both 02
      > both 01
      < out 01
      * done
      < both 02
      > in 02
      ! in 02: no rule takes it
      -
      * bye
      """),
    Scenario(
      "the answer goes back to the place of the frame, unless the rule names another",
      """
      framing: { both: { size: 1 } }
      messages: { question: "{n: u8}" }
      rules:
        - { on: { receive: question }, do: { send: question } }
      """,
      """
      > both 05 06
      < both 05
      < both 06
      """),
    Scenario(
      "the first rule whose condition holds is the only one",
      """
      messages: { number: "{n: u8}" }
      rules:
        - { on: { receive: number }, if: n < 10, do: { log: small } }
        - { on: { receive: number }, if: n < 20, do: { log: middle } }
        - { on: { receive: number }, do: { log: "{n}" } }
      """,
      """
      > in 09
      * small
      > in 0A
      * middle
      > in 14
      * 20
      """),
    Scenario(
      "a frame that conditions refuse is a frame that no rule takes",
      """
      messages: { number: "{n: u8}" }
      rules:
        - { on: { receive: number }, if: n < 10, do: { log: small } }
      """,
      """
      > in 0A
      ! in 0A: no rule takes it
      """),
    Scenario(
      "a general message after a special one takes the rest",
      """
      messages: { all: "{data: bytes}", one: "01" }
      rules:
        - { on: { receive: all }, if: data.size > 1, do: { log: many } }
        - { on: { receive: one }, do: { log: one } }
        - { on: { receive: all }, do: { log: "any {data}" } }
      """,
      """
      > in 01 02
      * many
      > in 01
      * one
      > in 02
      * any 02
      > in
      * any 
      """),
    Scenario(
      "without rules nothing is expected, and nothing unexpected",
      "wire: { bridge: both }",
      "> in 01\n> both 01\n[ 01"),
    Scenario(
      "lines are frames without their ends",
      """
      framing: { in: { delimiter: 0D 0A } }
      messages: { line: "{text: text}" }
      rules:
        - { on: { receive: line }, do: { log: "line '{text}'" } }
      """,
      """
      > in 41 54 0D
      > in 0A 41 54 2B 0D 0A 0D 0A
      * line 'AT'
      * line 'AT+'
      * line ''
      """),
    Scenario(
      "silence ends a frame, a disconnection does not",
      """
      framing: { in: { idle: 20ms } }
      messages: { line: "{text: text}" }
      rules:
        - { on: { receive: line }, do: { log: "{text}" } }
      """,
      """
      > in 41
      timer at 20 ms
      19 ms
      > in 54
      timer at 39 ms
      20 ms
      * AT
      > in 42
      timer at 59 ms
      -
      ! in 42: unfinished when the stream ended
      no timer
      """),
    Scenario(
      "unfinished frames end in the order of their characteristics",
      """
      framing: { in: { size: 3 }, both: { size: 3 } }
      messages: { three: "{data: bytes(3)}" }
      """,
      """
      > both 01
      > in 02
      -
      ! in 02: unfinished when the stream ended
      ! both 01: unfinished when the stream ended
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a rule that fails is reported, and its earlier actions stay`() throws {
    try expect(
      """
      messages: { number: "{n: u8}", pair: "{a: u8} {b: u8}" }
      rules:
        - on: { receive: number }
          if: 10 // n > 3
          do: [{ send: number, to: out }, { send: pair, with: { a: n, b: n * 100 }, to: out }, { log: done }]
        - { on: { receive: number }, do: { log: other } }
      """,
      """
      > in 02
      < out 02
      < out 02 C8
      * done
      > in 03
      * other
      > in 00
      * line 11: division by zero
      """)
    try expect(
      """
      messages: { number: "{n: u8}", pair: "{a: u8} {b: u8}" }
      rules:
        - on: { receive: number }
          do: [{ send: number, to: out }, { send: pair, with: { a: n, b: n * 100 }, to: out }, { log: done }]
      """,
      """
      > in 03
      < out 03
      * line 11: 300 is not in 0…255
      """)
  }

}

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

  @Test func `every event has its rules`() throws {
    try expect(
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
      """)
  }

  @Test func `the answer goes back to the place of the frame, unless the rule names another`() throws {
    try expect(
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
      """)
  }

  @Test func `the first rule whose condition holds is the only one`() throws {
    try expect(
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
      """)
  }

  @Test func `a frame that conditions refuse is a frame that no rule takes`() throws {
    try expect(
      """
      messages: { number: "{n: u8}" }
      rules:
        - { on: { receive: number }, if: n < 10, do: { log: small } }
      """,
      """
      > in 0A
      ! in 0A: no rule takes it
      """)
  }

  @Test func `a general message after a special one takes the rest`() throws {
    try expect(
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
      """)
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

  @Test func `without rules nothing is expected, and nothing unexpected`() throws {
    try expect("wire: { bridge: both }", "> in 01\n> both 01\n[ 01")
  }

  @Test func `lines are frames without their ends`() throws {
    try expect(
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
      """)
  }

  @Test func `silence ends a frame, a disconnection does not`() throws {
    try expect(
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
      """)
  }

  @Test func `unfinished frames end in the order of their characteristics`() throws {
    try expect(
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
      """)
  }
}

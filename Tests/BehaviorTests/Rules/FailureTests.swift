import TestSupport
import Testing

@testable import Behavior

/// Rules that cannot be performed.
@Suite struct FailureTests {
  /// A write of `n` and `m`, two numbers of 64 bits, for one expression.
  @Test(
    arguments: [
      ("n + m", "7F FF FF FF FF FF FF FF 00 00 00 00 00 00 00 01", "a number does not fit in 64 bits"),
      ("n - m", "80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01", "a number does not fit in 64 bits"),
      ("n * m", "40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02", "a number does not fit in 64 bits"),
      ("n // m", "80 00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF", "a number does not fit in 64 bits"),
      ("n // m", "00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00", "division by zero"),
      ("n % m", "00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00", "division by zero"),
      ("ceil(n / m)", "00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00", "division by zero"),
      ("-n", "80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "a number does not fit in 64 bits"),
      ("abs(n)", "80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "a number does not fit in 64 bits"),
      ("n << m", "00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 3F", "a number does not fit in 64 bits"),
      (
        "n << m", "00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 40",
        "cannot shift by 64 bits, only by 0 to 63"
      ),
      (
        "n >> m", "00 00 00 00 00 00 00 01 FF FF FF FF FF FF FF FF",
        "cannot shift by -1 bits, only by 0 to 63"
      ),
      ("random(n, m)", "00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 01", "there is no number from 2 to 1"),
      (
        "number(hex(frame))", "00 00 00 00 00 00 00 0A 00 00 00 00 00 00 00 00",
        "'000000000000000A0000000000000000' is not a number"
      ),
      (
        "round(n * 1e0 * m * 4)", "40 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00",
        "a number does not fit in 64 bits"
      ),
    ])
  func `an expression without a value ends the rule`(expression: String, bytes: String, reason: String) throws
  {
    try expect(
      """
      messages: { two: "{n: i64be} {m: i64be}" }
      variables: { x: { type: integer, default: 0 } }
      rules:
        - { on: { receive: two }, do: [{ log: before }, { set: { x: "\(expression.replacing("1e0", with: "1.0"))" } }, { log: "{x}" }] }
      """,
      """
      > in \(bytes)
      * before
      * line 6: \(reason)
      """)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a failing condition consumes the event, and no later rule fires",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, if: 6 // n > 1, do: { log: first } }
        - { on: { receive: n }, do: { log: second } }
        - { on: connect, do: [{ if: 1 // centrals == 2, log: never }, { if: 1 // (centrals - 1) == 0, log: never }, { log: never }] }
      """,
      """
      > in 02
      * first
      > in 06
      * second
      > in 00
      * line 5: division by zero
      +
      * line 7: division by zero
      """),
    Scenario(
      "a field that its value does not fit, and a text that is too long",
      """
      messages: { n: "{n: u8}", name: "{name: text(2)}" }
      rules:
        - { on: { receive: n, from: in }, do: { send: n, with: { n: n + 1 }, to: out } }
        - { on: { receive: n, from: data }, do: { send: name, with: { name: text(n) } } }
      """,
      """
      > in FE
      < out FF
      > in FF
      * line 5: 256 is not in 0…255
      > data 63
      < data 39 39
      > data 64
      * line 6: 3 bytes do not fit into 2
      """),
    Scenario(
      "a failing rule keeps its consequences, and its wait ends",
      """
      states: [a, b]
      rules:
        - { on: connect, do: [{ enter: b }, { wait: 1s }, { log: "{1 // (centrals - 1)}" }, { wait: 1s }, { log: never }] }
        - { on: { enter: b }, do: { log: b } }
      """,
      """
      +
      waits until 1000 ms
      * b
      5000 ms
      * line 5: division by zero
      """),
    Scenario(
      "a wait gives new steps",
      """
      variables: { n: { type: integer, default: 0 } }
      rules:
        - { on: connect, do: { repeat: 9000, do: [{ set: { n: n + 1 } }, { if: n % 4000 == 0, wait: 1ms }] } }
        - { on: disconnect, do: { log: "{n}" } }
      """,
      """
      start
      2+
      waits until 1 ms
      10 ms
      waits until 2 ms
      -
      * 9000
      """),
    Scenario(
      "states that enter each other are stopped, and the log says so once",
      """
      states: [a, b]
      rules:
        - { on: connect, do: [{ log: begin }, { enter: b }] }
        - { on: { enter: a }, do: { enter: b } }
        - { on: { enter: b }, do: [{ enter: a }, { enter: b }, { enter: a }] }
        - { on: disconnect, do: { log: "{state}" } }
      """,
      """
      +
      * begin
      * line 7: more than 10000 steps without time passing; add a 'wait', or a condition that ends it
      -
      * b
      """),
    Scenario(
      "a runaway rule still releases the frames that it would have released",
      """
      states: [a, b]
      messages: { n: "{n: u8}" }
      rules:
        - { on: connect, do: { hold: in } }
        - { on: { subscribe: out }, do: [{ enter: b }, { release: in }] }
        - { on: { enter: b }, do: { repeat: 9999, do: { enter: a } } }
        - { on: { enter: a }, do: [{ if: false, enter: b }, { release: in }] }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      +
      > in 01
      +out
      * line 8: more than 10000 steps without time passing; add a 'wait', or a condition that ends it
      * 1
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `so many steps without time passing end a rule`() throws {
    let rules = """
      messages: { n: "{n: u32be}" }
      rules:
        - on: { receive: n }
          do: [{ repeat: n, index: i, do: { if: i < 0, log: never } }, { log: done }]
      """
    // The repeat is a step, and so is what stands behind it.
    try expect(
      rules,
      """
      > in 00 00 27 0E
      * done
      > in 00 00 27 0F
      * line 5: more than 10000 steps without time passing; add a 'wait', or a condition that ends it
      > in FF FF FF FF
      * line 5: more than 10000 steps without time passing; add a 'wait', or a condition that ends it
      > in 00 00 27 0E
      * done
      """)
  }

  @Test func `each frame of a write has steps of its own`() throws {
    var conversation = try Conversation(
      definition(
        """
        framing: { in: { size: 1 } }
        messages: { n: "{n: u8}" }
        variables: { count: { type: integer, default: 0 } }
        rules:
          - { on: { receive: n }, do: { repeat: 30, do: { set: { count: count + n } } } }
          - { on: connect, do: { log: "{count}" } }
        services:
          - { uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
        """))
    let write = "> in" + String(repeating: " 01", count: 512)
    _ = conversation.play(write)
    #expect(conversation.play("+") == "+\n* 15360")
  }
}

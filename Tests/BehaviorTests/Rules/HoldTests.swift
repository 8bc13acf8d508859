import TestSupport
import Testing

@testable import Behavior

/// What arrives waits while a rule is busy.
@Suite struct HoldTests {
  static let rules = """
    framing: { in: { size: 1 } }
    messages: { n: "{n: u8}" }
    rules:
      - on: { receive: n }
        do: [{ hold: in }, { log: "{n} begins" }, { wait: 10ms }, { log: "{n} ends" }, { release: in }]
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "one after the other, in order",
      Self.rules,
      """
      > in 01 02
      * 1 begins
      waits until 10 ms
      > in 03
      10 ms
      * 1 ends
      * 2 begins
      waits until 20 ms
      > in 04
      10 ms
      * 2 ends
      * 3 begins
      waits until 30 ms
      20 ms
      * 3 ends
      * 4 begins
      waits until 40 ms
      * 4 ends
      > in 05
      * 5 begins
      waits until 50 ms
      """),
    Scenario(
      "released frames come before new ones, and after the rule's consequences",
      """
      framing: { in: { size: 1 } }
      states: [open, closed]
      messages: { go: "00", n: "{n: u8}" }
      rules:
        - { on: { receive: go, from: wire }, do: [{ release: in }, { enter: open }, { log: opened }] }
        - { on: { enter: open }, do: { log: open } }
        - { on: { receive: go }, do: [{ hold: in }, { enter: closed }] }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      > in 01 00 02 03
      * 1
      > in 04
      ] 00
      * opened
      * open
      * 2
      * 3
      * 4
      """),
    Scenario(
      "a release without anything held is nothing",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: connect, do: { release: in } }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      +
      > in 01
      * 1
      """),
    Scenario(
      "a second hold changes nothing",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: connect, do: { hold: in } }
        - { on: disconnect, do: { release: in } }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      +
      > in 01
      2+
      > in 02
      -
      * 1
      * 2
      """),
    Scenario(
      "frames held at one place do not delay another",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: connect, do: [{ hold: in }, { hold: wire }] }
        - { on: disconnect, do: [{ release: wire }, { release: in }] }
        - { on: { receive: n }, do: { log: "{n}" } }
        - { on: { receive: n, from: wire }, do: { log: "wire {n}" } }
      """,
      """
      +
      > in 01
      ] 02
      > data 03
      * 3
      -
      * wire 2
      * 1
      """),
    Scenario(
      "held bytes cross the bridge later, and none overtakes another",
      """
      framing: { wire: { start: A5, size: 2 } }
      wire: { bridge: data }
      messages: { go: "01" }
      rules:
        - { on: connect, do: { hold: wire } }
        - { on: { receive: go, from: in }, do: { release: wire } }
      """,
      """
      +
      ] A5 01 00 A5 02
      > in 01
      < data A5 01
      < data 00
      < data A5 02
      ] A5 03
      < data A5 03
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `4096 bytes can be held, and later bytes are discarded`() throws {
    var conversation = try Conversation(
      definition(
        """
        messages: { block: "{data: bytes(512)}", n: "{n: u8}" }
        rules:
          - { on: connect, do: { hold: in } }
          - { on: disconnect, do: { release: in } }
          - { on: { receive: block }, do: { log: "{data[0]}" } }
          - { on: { receive: n }, do: { log: "{n}" } }
        services:
          - { uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
        """))
    _ = conversation.play("+")
    for number in 1...8 {
      let line = "> in 0\(number)" + String(repeating: " 00", count: 511)
      #expect(conversation.play(line) == line)
    }
    #expect(conversation.play("> in 09") == "> in 09\n! in 09: too much is held")
    #expect(conversation.play("-") == "-\n* 1\n* 2\n* 3\n* 4\n* 5\n* 6\n* 7\n* 8")
    #expect(conversation.play("> in 09") == "> in 09\n* 9")
  }

  @Test func `frames without bytes are not held without end`() throws {
    var conversation = try Conversation(
      definition(
        """
        messages: { n: "{n: u8}" }
        rules:
          - { on: connect, do: { hold: in } }
          - { on: { receive: n }, do: { release: in } }
        services:
          - { uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
        """))
    _ = conversation.play("+")
    for _ in 0..<4096 { #expect(conversation.play("> in") == "> in") }
    #expect(conversation.play("> in") == "> in\n! in : too much is held")
  }

}

import TestSupport
import Testing

@testable import Behavior

/// `with: { GROUP: { repeat: COUNT, index: NAME, row: { … } } }`
@Suite struct ComputedRowTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "a rule computes the rows of a group",
      """
      variables: { base: { type: integer, default: 10 } }
      messages: { samples: "05 {repeat samples}{value: u16be}{flag: u8}{end}" }
      rules:
        - on: connect
          do:
            - send: samples
              with: { samples: { repeat: base // 4 + 1, index: i, row: { value: base + i * 256, flag: "if(i == 1, 9, 0)" } } }
              to: out
            - { send: samples, with: { samples: { repeat: 0, row: { value: 1, flag: 2 } } }, to: out }
      """,
      """
      +
      < out 05 00 0A 00 01 0A 09 02 0A 00
      < out 05
      """),
    Scenario(
      "rows are computed inside a repetition",
      """
      messages: { pair: "{n: u8} {repeat rows(0..2)}{a: u8}{b: u8}{end}" }
      rules:
        - on: connect
          do:
            - repeat: 2
              index: n
              do: { send: pair, with: { rows: { repeat: n + 1, index: i, row: { a: n, b: i } } }, to: out }
      """,
      """
      +
      < out 00 00 00
      < out 01 01 00 01 01
      """),
    Scenario(
      "rows have rows",
      """
      messages:
        list: "{repeat records}{tag: u8}{count(items): u8}{repeat items}{v: u8}{if tag}{w: u8}{end}{end}{end}"
        echo: "AA {repeat records}{tag: u8}{count(items): u8}{repeat items}{v: u8}{if tag}{w: u8}{end}{end}{end}"
        items: "BB {repeat items}{v: u8}{end}"
      rules:
        - on: connect
          do:
            - send: list
              with:
                records: { repeat: 2, index: i, row: { tag: i, items: { repeat: i + 1, index: j, row: { v: i * 16 + j, w: 7 } } } }
              to: out
            - { send: list, with: { records: [{ tag: 0, items: [{ v: 1 }, { v: 2 }] }, { tag: 3, items: [] }] }, to: out }
        - on: { receive: list }
          do:
            - { send: echo, with: { records: records }, to: out }
            - { if: "records[0].items.size > 1", then: { log: "{records[0].items[1].v} {records[1].items[0].w}" } }
      """,
      """
      +
      < out 00 01 00 01 02 10 07 11 07
      < out 00 02 01 02 03 00
      > in 00 02 05 06 01 01 08 09
      < out AA 00 02 05 06 01 01 08 09
      * 6 9
      """),
    Scenario(
      "a group refuses a number of rows that it cannot have",
      """
      variables: { count: { type: integer, default: 3 } }
      messages: { pair: "{repeat rows(0..2)}{a: u8}{end}" }
      rules:
        - { on: connect, do: { send: pair, with: { rows: { repeat: count, row: { a: 1 } } }, to: out } }
        - { on: disconnect, do: { send: pair, with: { rows: { repeat: count - 4, row: { a: 1 } } }, to: out } }
      """,
      """
      +
      * line 12: 3 rows, expected 0…2
      -
      * line 13: -1 rows, expected 0…2
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `each row is a step`() throws {
    let rules = """
      messages: { many: "{repeat rows}{a: u8}{end}" }
      rules:
        - { on: connect, do: { repeat: 3, do: { send: many, with: { rows: { repeat: 4000, row: { a: 1 } } }, to: out } } }
      """
    var conversation = try Conversation(definition(RuleTests.services + rules))
    let lines = conversation.play("+").split(separator: "\n")
    #expect(lines.count == 1 + 2 + 1)
    #expect(lines.last?.hasPrefix("* line 11: more than 10000 steps without time passing") ?? false)
  }

  private func expect(
    _ rules: String, _ transcript: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try RuleTests().expect(rules, transcript, sourceLocation: sourceLocation)
  }
}

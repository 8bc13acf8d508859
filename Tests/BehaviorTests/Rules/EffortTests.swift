import TestSupport
import Testing

/// What a definition cannot make the engine do, however it is written.
@Suite struct EffortTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "a text does not grow without end",
      """
      variables: { word: { type: text, max: 65536, default: abcdefgh } }
      rules:
        - on: start
          do:
            - { repeat: 13, do: { set: { word: word + word } } }
            - { log: "{word.size}" }
            - { set: { word: "word + 'x'" } }
      """,
      """
      start
      * 65536
      * line 5: 65537 bytes; text and bytes have at most 65536
      """),
    // 204 times 64 KiB, filled and summed up.
    Scenario(
      "functions of large bytes do not keep the device busy, and the next event has time again",
      """
      variables: { sum: { type: integer, default: 0 }, count: { type: integer, default: 0 } }
      rules:
        - on: start
          do:
            - { start: later, after: 1s }
            - repeat: 10000
              do: [{ set: { sum: "crc32(fill(0, 65536), sum)" } }, { set: { count: count + 1 } }]
        - { on: { timer: later }, do: [{ set: { sum: "crc32(fill(0, 65536))" } }, { log: "{count} {sum}" }] }
      """,
      """
      start
      timer later at 1000 ms
      * line 5: the expressions compute too much at one moment; add a 'wait'
      1000 ms
      * 204 3617033963
      """),
    Scenario(
      "a line of the log has 4096 bytes at most",
      """
      variables: { word: { type: text, max: 4096, default: abcdefgh } }
      rules:
        - { on: start, do: [{ repeat: 9, do: { set: { word: word + word } } }, { log: "{word}{word.size}" }] }
      """,
      """
      start
      * line 5: 4100 bytes do not fit into 4096
      """),
    Scenario(
      "initial values after a reset have at most 512 bytes",
      """
      settings: { word: { type: text, max: 600, default: x } }
      services:
        - uuid: FFE0
          characteristics: [{ id: data, uuid: FFE1, properties: [read, write], text: "{word}" }]
      rules: [{ on: { write: data }, do: [{ repeat: 599, do: { set: { word: "word + 'x'" } } }, reset] }]
      """,
      """
      > data 00
      keeps \(String(repeating: "x", count: 600))
      * the attributes keep their values: 600 bytes do not fit into 512
      advertises no name
      ? data
      = 78
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `one event sends four megabytes at most`() throws {
    var conversation = try Conversation(
      definition(
        RuleTests.services + """
          messages: { big: "{data: bytes(4096)}" }
          rules: [{ on: start, do: { repeat: 10000, do: { send: big, with: { data: address }, to: out } } }]
          """))
    let lines = conversation.play("start").split(separator: "\n")
    #expect(lines.count == 1 + 1024 + 1)
    #expect(lines.last == "* line 10: more than 4194304 bytes without time passing; add a 'wait'")
  }

  @Test func `empty lines of the log count, too`() throws {
    let rules = """
      framing: { both: { size: 1 } }
      messages: { byte: "{n: u8}" }
      rules: [{ on: { receive: byte }, do: { repeat: 400, do: { log: "" } } }]
      """
    var conversation = try Conversation(definition(RuleTests.services + rules))
    let lines = conversation.play("> both" + String(repeating: " 00", count: 500)).split(separator: "\n")
    #expect(lines.count { $0 == "* " } == 1 << 16)
  }

  /// Each frame has steps of its own, but not as many as there are frames.
  @Test func `all frames of an event together have 100,000 steps`() throws {
    let rules = """
      framing: { both: { size: 1 } }
      messages: { byte: "{n: u8}" }
      variables: { count: { type: integer, default: 0 } }
      rules:
        - { on: { receive: byte }, do: { repeat: 9998, do: { set: { count: count + 1 } } } }
        - { on: disconnect, do: { log: "{count}" } }
      """
    var conversation = try Conversation(definition(RuleTests.services + rules))
    let write = "> both" + String(repeating: " 00", count: 12)
    let lines = conversation.play(write + "\n-").split(separator: "\n")
    let remark = "* bytes dropped (1): more than 100000 steps without time passing"
    #expect(lines.count { $0 == remark } == 2)
    #expect(lines.last == "* 99980")
  }

}

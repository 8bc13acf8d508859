import Testing

/// Rules for reads and writes.
@Suite struct AnswerTests {
  static let services = """

    services:
      - uuid: FFE0
        characteristics:
          - { id: data, uuid: FFE1, properties: [read, write, notify], value: "01 02 03" }
          - { id: other, uuid: FFE2, properties: [read, write], value: "FF" }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "a rule answers a read, and the value stays the same",
      """
      variables: { n: { type: integer, default: 0 } }
      messages: { n: "A5 {n: u16be}" }
      rules:
        - { on: { read: data }, if: n < 2, do: [{ if: offset == 0, set: { n: n + 1 } }, { respond: n }] }
        - { on: { read: data }, do: { log: "no answer at {offset}" } }
      """,
      """
      ? data
      = A5 00 01
      ? data+1
      = 00 01
      ? data+3
      = 
      ? data+4
      x Invalid Offset (0x07)
      ? other
      = FF
      ? data
      = A5 00 02
      ? data+1
      = 02 03
      * no answer at 1
      """),
    Scenario(
      "a rule refuses a read with any error, and ends",
      """
      rules:
        - { on: { read: data }, do: [{ log: a }, { if: offset == 1, refuse: "0x81" }, { refuse: read-not-permitted }] }
      """,
      """
      ? data
      x Read Not Permitted (0x02)
      * a
      ? data+1
      x Application Error (0x81)
      * a
      ? other
      = FF
      """),
    Scenario(
      "the response comes first, whatever else a rule does",
      """
      messages: { n: "07" }
      rules:
        - { on: { read: data }, do: [{ log: before }, { respond: n }, { send: n }, { wait: 10ms }, { log: late }] }
      """,
      """
      ? data
      = 07
      * before
      < data 07
      waits until 10 ms
      10 ms
      * late
      ? data
      = 07
      * before
      < data 07
      waits until 20 ms
      """),
    Scenario(
      "a read rule that waits without an answer leaves the value to be read",
      """
      rules:
        - { on: { read: data }, do: [{ wait: 10ms }, { log: late }] }
      """,
      """
      ? data
      = 01 02 03
      waits until 10 ms
      10 ms
      * late
      """),
    Scenario(
      "a write that a rule refuses changes nothing and is not a frame",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { write: data }, if: value.size != 1 or offset > 0, do: { refuse: invalid-attribute-value-length } }
        - { on: { write: data }, do: { log: "{value} at {offset}" } }
        - { on: { receive: n }, do: { log: "frame {n}" } }
      """,
      """
      > data 05 06
      x Invalid Attribute Value Length (0x0D)
      ? data
      = 01 02 03
      > data+1 05
      x Invalid Attribute Value Length (0x0D)
      > data 05
      * 05 at 0
      * frame 5
      ? data
      = 05
      """),
    Scenario(
      "a write is stored whatever becomes of its rule",
      """
      rules:
        - { on: { write: data }, do: { log: "{1 // (value.size - 1)}" } }
      """,
      """
      > data 09
      * line 4: division by zero
      ? data
      = 09
      """),
    Scenario(
      "a write beyond the value is refused before any rule",
      """
      rules:
        - { on: { write: data }, do: { log: "{value}" } }
      """,
      """
      > data+4 09
      x Invalid Offset (0x07)
      > data+3 09
      * 09
      ? data
      = 01 02 03 09
      """),
    Scenario(
      "one answer is enough",
      """
      messages: { one: "01", two: "02" }
      variables: { first: { type: boolean, default: true } }
      rules:
        - { on: { read: data }, do: [{ if: first, respond: one }, { respond: two }, { log: done }] }
        - { on: { read: other }, do: [{ if: first, respond: one }, { refuse: unlikely-error }] }
        - { on: connect, do: { set: { first: false } } }
      """,
      """
      ? data
      = 01
      * line 6: the central already has its answer
      ? other
      = 01
      * line 7: the central already has its answer
      +
      ? data
      = 02
      * done
      ? other
      x Unlikely Error (0x0E)
      """),
    Scenario(
      "a repetition that has waited cannot answer",
      """
      messages: { one: "01" }
      rules:
        - { on: { read: data }, do: { repeat: 2, do: [{ respond: one }, { wait: 10ms }] } }
      """,
      """
      ? data
      = 01
      waits until 10 ms
      10 ms
      * line 5: the central already has its answer
      """),
    Scenario(
      "an answer has at most 512 bytes",
      """
      variables: { data: { type: bytes, default: "" } }
      messages: { all: "{data: bytes}" }
      rules:
        - { on: { write: data }, do: { set: { data: value } } }
        - { on: { read: data }, do: { respond: all, with: { data: data + data } } }
      """,
      """
      > data 0A
      ? data
      = 0A 0A
      > data\(String(repeating: " 0B", count: 257))
      ? data
      =\(String(repeating: " 0B", count: 257))
      * line 7: 514 bytes; an attribute holds at most 512
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device + Self.services, scenario.transcript, sourceLocation: scenario.place)
  }

}

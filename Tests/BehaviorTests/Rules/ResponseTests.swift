import Testing

/// Rules that say where the response to a write or a subscription goes.
@Suite struct ResponseTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "a value before the response, and one after it",
      """
      rules:
        - { on: { write: data }, do: [{ send: { bytes: "A1" } }, respond, { send: { bytes: "A2" } }] }
        - { on: { receive: any, from: in }, do: [{ send: { bytes: "B1" }, to: out }, respond] }
        - { on: { subscribe: out }, do: [{ send: { bytes: "C1" } }, respond] }
      """,
      """
      > data 05
      < data A1
      responds
      < data A2
      ? data
      = 05
      > in 01
      < out B1
      responds
      +
      +out asks
      < out C1
      responds
      """),
    Scenario(
      "the response waits, and the write with it",
      """
      rules:
        - { on: { write: data }, do: [{ wait: 50ms }, respond, { log: "{value} written" }] }
        - { on: { receive: any, from: data }, do: { log: "{frame} arrives" } }
      """,
      """
      > data 05
      waits until 50 ms
      ? data
      = 00
      50 ms
      responds
      * 05 written
      * 05 arrives
      ? data
      = 05
      """),
    Scenario(
      "a rule that never reaches it responds at its end, however it ends",
      """
      rules:
        - { on: { write: data }, if: "value[0] == 1", do: [{ log: a }, { if: value.size > 1, then: respond }, { log: b }] }
        - { on: { write: data }, if: "value[0] == 2", do: [{ log: a }, { if: value.size == 1, then: end }, respond] }
        - { on: { write: data }, if: "value[0] == 3", do: [{ log: a }, { log: "{1 // (value.size - 1)}" }, respond] }
        - { on: { write: data }, do: [{ repeat: 2, do: [{ send: { bytes: "A1" } }, respond, { wait: 5ms }] }, { log: b }] }
      """,
      """
      > data 01
      * a
      * b
      responds
      > data 01 01
      * a
      responds
      * b
      > data 02
      * a
      responds
      > data 03
      * a
      * line 6: division by zero
      responds
      > data 04
      < data A1
      responds
      waits until 5 ms
      20 ms
      < data A1
      waits until 10 ms
      * b
      """),
    Scenario(
      "a refusal comes after what has been sent, and nothing is stored",
      """
      rules:
        - on: { write: data }
          do: [{ send: { bytes: "A1" } }, { if: value.size > 2, refuse: out-of-range }, { wait: 1s }, { if: value.size > 1, refuse: "0x81" }, respond]
        - { on: { receive: any, from: data }, do: { log: "{frame}" } }
        - { on: { subscribe: out }, do: [{ send: { bytes: "C1" } }, { wait: 1s }, { if: centrals > 1, refuse: "0x82" }, respond, { log: "{subscribed(out)}" }] }
        - { on: { unsubscribe: out }, do: { log: "{subscribed(out)}" } }
      """,
      """
      > data 05 06 07
      < data A1
      x Out Of Range (0xFF)
      > data 05 06
      < data A1
      waits until 1000 ms
      1000 ms
      x Application Error (0x81)
      ! data: Application Error (0x81)
      ? data
      = A1
      +
      +out asks
      < out C1
      waits until 2000 ms
      1000 ms
      responds
      * true
      2+
      2+out asks
      < out C1
      waits until 3000 ms
      1000 ms
      x Application Error (0x82)
      ! out: Application Error (0x82)
      -out
      * false
      """),
    Scenario(
      "of two rules for one write, the first that reaches it places the response",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { write: data }, if: "value[0] < 3", do: [{ send: { bytes: "A1" } }, { if: "value[0] == 1", then: respond }] }
        - { on: { write: data }, do: { send: { bytes: "A2" } } }
        - { on: { receive: n, from: data }, do: [{ send: { bytes: "B1" } }, { wait: n * 1ms }, respond, { send: { bytes: "B2" } }] }
      """,
      """
      > data 01
      < data A1
      responds
      < data B1
      waits until 1 ms
      1 ms
      < data B2
      > data 05
      < data A2
      < data B1
      waits until 6 ms
      5 ms
      responds
      < data B2
      """),
    Scenario(
      "a central that leaves meanwhile gets nothing, and its write is not stored",
      """
      rules:
        - { on: { write: data }, do: [{ wait: 1s }, respond, { log: late }] }
        - { on: { subscribe: out }, do: [{ wait: 1s }, respond] }
        - { on: { unsubscribe: out }, do: { log: "{subscribed(out)}" } }
      """,
      """
      +
      > data 05
      waits until 1000 ms
      +out asks
      waits until 1000 ms
      -
      waits no more
      waits no more
      x Unlikely Error (0x0E)
      x Unlikely Error (0x0E)
      ? data
      = 00
      2+
      2+out
      waits until 1000 ms
      2-out
      * false
      1000 ms
      """),
    Scenario(
      "a rule that ends with its state responds, and a reset does",
      """
      states: [idle, busy]
      rules:
        - { on: { write: data }, while: idle, do: [{ wait: 1s }, respond] }
        - { on: { receive: any, from: data }, do: { log: "{frame}" } }
        - { on: { receive: { bytes: "01" }, from: in }, do: { enter: busy } }
        - { on: { receive: { bytes: "02" }, from: in }, do: reset }
      """,
      """
      +
      > data 05
      waits until 1000 ms
      > in 01
      waits no more
      responds
      * 05
      > data 06
      * 06
      > in 02
      disconnects all
      advertises no name
      > data 07
      waits until 1000 ms
      > in 02
      waits no more
      responds
      disconnects all
      advertises no name
      ? data
      = 00
      """),
    Scenario(
      "a write to 2902 waits before its subscription begins",
      """
      rules:
        - { on: { write: out/2902 }, do: [{ log: "{value}" }, { wait: 10ms }, respond] }
        - { on: { subscribe: out }, do: { send: { bytes: "C1" } } }
      """,
      """
      +
      +out asks
      * 01 00
      waits until 10 ms
      10 ms
      responds
      < out C1
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }
}

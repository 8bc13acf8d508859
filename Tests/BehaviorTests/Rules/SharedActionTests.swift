import Testing

/// Actions that several rules perform.
@Suite struct SharedActionTests {
  @Test func `are performed with the values of each rule`() throws {
    try expect(
      """
      messages: { a: "01 {n: u8}", b: "02 {n: u8}", ok: "AA {n: u8}" }
      actions:
        answer: [{ send: ok, to: out }, { perform: note }]
        note: { if: n > 5, log: "{n} is large" }
      rules:
        - { on: { receive: a }, do: [{ perform: answer }, { log: a }] }
        - { on: { receive: b }, do: { repeat: 2, index: n, do: { if: n == 1, perform: answer } } }
      """,
      """
      +out
      > in 01 05
      < out AA 05
      * a
      > in 01 06
      < out AA 06
      * 6 is large
      * a
      > in 02 09
      < out AA 01
      """)
  }

  @Test func `may wait, start timers and end the rule`() throws {
    try expect(
      """
      messages: { a: "01", b: "02" }
      actions:
        later: [{ wait: 10ms }, { start: tick, after: 5ms }]
        stop-here: [{ log: last }, end]
      rules:
        - { on: { receive: a }, do: [{ perform: later }, { log: a }] }
        - { on: { receive: b }, do: [{ if: centrals == 0, perform: stop-here }, { log: never }] }
        - { on: { timer: tick }, do: { log: tick } }
      """,
      """
      > in 01
      waits until 10 ms
      20 ms
      timer tick at 15 ms
      * a
      * tick
      > in 02
      * last
      """)
  }
}

import Testing

/// What happens if the condition of an action is false.
@Suite struct ElseTests {
  @Test func `runs in place of the action, and the condition is evaluated once`() throws {
    try expect(
      """
      variables: { on: { type: boolean, default: false } }
      messages: { a: "01", b: "02", c: "03 {n: u8}", ok: "AA" }
      rules:
        - on: { receive: a }
          do:
            - if: on
              then: [{ set: { on: false } }, { log: off }]
              else: [{ set: { on: true } }, { log: on }]
            - log: done
        - on: { receive: b }
          do: [{ if: not on, log: dark, else: { log: light } }, { if: on, then: end, else: { log: dark } }, { log: last }]
        - on: { receive: c }
          do:
            if: n < 10
            send: ok
            to: out
            else:
              if: n < 20
              repeat: n - 15
              index: i
              do: { log: "{i}" }
              else: [{ if: n == 20, wait: 5ms, else: { log: many } }, { log: end }]
      """,
      """
      +out
      > in 01
      * on
      * done
      > in 02
      * light
      > in 01
      * off
      * done
      > in 02
      * dark
      * dark
      * last
      > in 03 09
      < out AA
      > in 03 11
      * 0
      * 1
      > in 03 0A
      > in 03 1E
      * many
      * end
      > in 03 14
      waits until 5 ms
      10 ms
      * end
      """)
  }

  @Test func `may be inside a repetition`() throws {
    try expect(
      """
      rules:
        - on: { receive: any }
          do:
            - repeat: 4
              index: i
              do: [{ if: i % 2 == 0, log: "{i} is even", else: { repeat: i, do: { log: "{i}" } } }]
            - log: last
      """,
      """
      > in 01
      * 0 is even
      * 1
      * 2 is even
      * 3
      * 3
      * 3
      * last
      """)
  }

  @Test func `a row with a false condition is left out`() throws {
    try expect(
      """
      messages: { a: "01 {n: u8}", rows: "02 {repeat items}{x: u8}{end}", one: "03 {repeat items(1)}{x: u8}{end}" }
      rules:
        - on: { receive: a }
          do:
            - { send: rows, to: out, with: { items: [{ x: 1, if: n > 1 }, { x: 2 }, { if: n > 2, x: 3 }] } }
            - { send: rows, to: out, with: { items: { repeat: 5, index: i, row: { x: i, if: i % 2 == n % 2 } } } }
            - { send: one, to: out, with: { items: { repeat: 5, index: i, row: { x: i, if: i == n } } } }
      """,
      """
      +out
      > in 01 01
      < out 02 02
      < out 02 01 03
      < out 03 01
      > in 01 03
      < out 02 01 02 03
      < out 02 01 03
      < out 03 03
      > in 01 09
      < out 02 01 02 03
      < out 02 01 03
      * line 5: 0 rows, expected 1
      """)
  }

  @Test func `a column may be named if`() throws {
    try expect(
      """
      messages: { rows: "02 {repeat items}{if: u8}{end}" }
      rules:
        - { on: { receive: any }, do: { send: rows, to: out, with: { items: [{ if: 1 }, { if: 2 }] } } }
      """,
      """
      +out
      > in 01
      < out 02 01 02
      """)
  }
}

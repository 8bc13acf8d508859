import Testing

/// Shared actions with parameters, and functions.
@Suite struct ParameterTests {
  @Test func `a parameter has the value that the rule gives it`() throws {
    try expect(
      """
      messages: { a: "01 {n: u8}", ok: "AA {word: u8} {n: u8}" }
      actions:
        say(word): { log: "{word}" }
        answer(word, n): [{ send: ok, to: out }, { perform: say, with: { word: n } }, { log: "{word} again" }]
      rules:
        - on: { receive: a }
          do:
            - { perform: say, with: { word: "'hello'" } }
            - { perform: answer, with: { word: n + 1, n: n * 2 } }
            - { repeat: 2, index: i, do: { perform: say, with: { word: i * 10 } } }
            - { if: n > 5, perform: say, with: { word: n > 6 }, else: { perform: say, with: { word: "1.5" } } }
      """,
      """
      +out
      > in 01 05
      * hello
      < out AA 06 0A
      * 10
      * 6 again
      * 0
      * 10
      * 1.5
      """)
  }

  @Test func `an argument is evaluated once, before the actions`() throws {
    try expect(
      """
      variables: { count: { type: integer, default: 1 } }
      actions:
        add(step): [{ set: { count: count + step } }, { set: { count: count + step } }, { wait: 5ms }, { log: "{count} {step}" }]
      rules:
        - on: { receive: any }
          do: [{ perform: add, with: { step: count } }, { log: "{count}" }]
      """,
      """
      > in 01
      waits until 5 ms
      > in 01
      waits until 5 ms
      10 ms
      * 9 1
      * 9
      * 9 3
      * 9
      """)
  }

  @Test func `a function takes values of any type`() throws {
    try expect(
      """
      settings: { gain: { type: integer, default: 3 } }
      functions:
        twice(x): x + x
        scaled(x): twice(x) * gain + half
        "clamp(value, low, high)": "if(value < low, low, if(value > high, high, value))"
      values: { half: gain // 2, big: "scaled(100)" }
      messages: { a: "01 {n: u8}" }
      rules:
        - on: { receive: a }
          if: twice(n) > 2
          do:
            - { send: { bytes: "AA {clamp(scaled(n), 0, 20): u8}" }, to: out }
            - { log: "{twice('ab')} {twice(twice(twice(n)))} {twice(1.5)} {hex(twice(frame), ' ')} {n.twice} {big}" }
      """,
      """
      +out
      > in 01 01
      ! in 01 01: no rule takes it
      > in 01 02
      < out AA 0D
      * abab 16 3.0 01 02 01 02 4 601
      """)
  }
}

import Testing

/// Rules that wait for a change, and rules for several things at once.
@Suite struct ChangeTests {
  @Test func `a change fires a rule once, whoever causes it`() throws {
    try expect(
      """
      variables: { level: { type: integer, default: 1 }, on: { type: boolean, default: false }, count: { type: integer, default: 0 } }
      messages: { turn: "01 {state: u8}", both: "02", back: "03", later: "04" }
      rules:
        - { on: { receive: turn }, do: { set: { on: state == 1 } } }
        - { on: { receive: both }, do: [{ set: { on: not on, level: level + 1 } }, { log: first }, { set: { level: level + 1 } }] }
        - { on: { receive: back }, do: [{ set: { level: 9 } }, { set: { level: 3 } }] }
        - { on: { receive: later }, do: [{ set: { level: 4 } }, { wait: 5ms }, { set: { level: 5 } }] }
        - { on: { change: [on, level] }, do: [{ log: "{origin} {on} {level}" }, { set: { count: count + 1 } }] }
        - { on: { change: count }, if: count == 3, do: { log: "three" } }
      """,
      """
      > in 01 01
      * on true 1
      > in 01 01
      > in 02
      * first
      * on false 3
      * level false 3
      * three
      > in 03
      > in 04
      waits until 5 ms
      * level false 4
      10 ms
      * level false 5
      """)
  }

  @Test func `a rule that changes what it waits for ends`() throws {
    try expect(
      """
      variables: { n: { type: integer, default: 0 } }
      rules:
        - { on: { receive: any }, do: { set: { n: 1 } } }
        - { on: { change: n }, do: { set: { n: n + 1 } } }
      """,
      """
      > in 01
      * line 6: more than 10000 steps without time passing; add a 'wait', or a condition that ends it
      """)
  }

  @Test func `a change of the value of a central is that central's`() throws {
    try expect(
      """
      services:
        - uuid: FFE0
          characteristics:
            - { id: in, uuid: FFE1, properties: [write] }
            - { id: out, uuid: FFE2, properties: [notify], recipients: asker }
      variables:
        mine: { type: integer, default: 0, per: central }
        all: { type: integer, default: 0 }
      messages: { put: "01 {n: u8}", leave: "02 {n: u8}" }
      rules:
        - { on: { receive: put }, do: [{ set: { mine: n, all: all + n } }, { log: set }] }
        - { on: { receive: leave }, do: [{ set: { mine: n } }, { disconnect: central }] }
        - { on: { change: mine }, do: [{ send: { bytes: "{mine: u8}" }, to: out }, { set: { mine: "min(mine, 8)" } }] }
        - { on: { change: all }, do: { log: "{origin} {all}" } }
      """,
      """
      +
      2+
      > in 01 07
      * set
      < out 07 to 4C:32:75:0A:11:9E
      * all 7
      2> in 01 07
      * set
      < out 07 to 4C:32:75:0A:11:9F
      * all 14
      > in 01 07
      * set
      * all 21
      2> in 01 09
      * set
      < out 09 to 4C:32:75:0A:11:9F
      * all 30
      < out 08 to 4C:32:75:0A:11:9F
      """)
  }

  @Test func `a rule waits for one of several`() throws {
    try expect(
      """
      states: [a, b, c]
      services:
        - uuid: FFE0
          characteristics:
            - { id: in, uuid: FFE1, properties: [read, write, notify], value: "00" }
            - { id: out, uuid: FFE2, properties: [read, write, notify], value: "00" }
            - { id: data, uuid: FFE3, properties: [read, write], value: "00" }
      rules:
        - { on: { read: any }, if: origin != 'data', do: { log: "read {origin}" } }
        - { on: { write: [in, data] }, do: { log: "write {origin} {value.hex}" } }
        - { on: { subscribe: any }, do: { log: "subscribe {origin}" } }
        - { on: { receive: any, from: out }, do: [{ enter: b }, { start: t1, after: 1ms }, { start: t2, after: 2ms }] }
        - { on: { enter: any }, do: { log: "{state} {origin}" } }
        - { on: { leave: [a, b] }, do: { log: "leave {origin}" } }
        - { on: { timer: any }, do: { log: "timer {origin}" } }
      """,
      """
      +
      ? in
      = 00
      * read in
      ? data
      = 00
      > in 05
      * write in 05
      > data 06
      * write data 06
      +out
      * subscribe out
      > out 01
      timer t1 at 1 ms
      timer t2 at 2 ms
      * leave a
      * b b
      2 ms
      * timer t1
      * timer t2
      """)
  }
}

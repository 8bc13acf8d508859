import Testing

@testable import Behavior

/// A device that begins anew.
@Suite struct ResetTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "a reset restores everything except the settings and the connections",
      """
      settings: { name: { type: text, default: Belt } }
      advertisement: { local-name: "{name}" }
      variables: { n: { type: integer, default: 0 } }
      states: [a, b]
      generators: { level: { shape: ramp, from: 10, to: 0, over: 10s } }
      framing: { in: { size: 2, gap: 1s } }
      messages: { reset: "FF FF", n: "{n: u8} {m: u8}" }
      rules:
        - on: start
          do: { log: "{name} {n} {state} {level} {uptime} {centrals} {unix-time - 1704067200}" }
        - { on: { receive: reset }, do: [reset] }
        - { on: { receive: n }, do: [{ set: { n: n, name: "'Demo'" } }, { enter: b }, { start: tick, every: 1s }] }
        - { on: { timer: tick }, do: { log: tick } }
        - { on: { write: data }, do: [{ wait: 10s }, { log: never }] }
        - { on: disconnect, do: { log: "gone, {centrals} left" } }
      """,
      """
      start
      * Belt 0 a 10 0 0 0
      +
      > data 05
      waits until 10000 ms
      > in 03 04
      keeps Demo
      timer tick at 1000 ms
      advertises Demo
      2> in 01
      timer at 1000 ms
      500 ms
      ? data
      = 05
      2500 ms
      timer tick at 2000 ms
      * tick
      ! in 01: unfinished after 1000 ms of silence
      timer tick at 3000 ms
      * tick
      timer tick at 4000 ms
      * tick
      2> in 01
      timer at 4000 ms
      > in FF FF
      no timer tick
      waits no more
      no timer
      disconnects all
      advertises Demo
      * Demo 0 a 10 0 1 3
      ? data
      = 00
      2> in 02
      timer at 4000 ms
      -
      * gone, 0 left
      20000 ms
      ! in 02: unfinished after 1000 ms of silence
      """),
    Scenario(
      "a reset drops held frames and pending consequences",
      """
      states: [a, b]
      messages: { n: "{n: u8}" }
      rules:
        - { on: connect, do: { hold: in } }
        - { on: disconnect, do: { release: in } }
        - { on: { subscribe: out }, do: [{ enter: b }, reset] }
        - { on: { enter: b }, do: { log: never } }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      +
      > in 01
      +out
      disconnects all
      advertises no name
      > in 02
      * 2
      -
      """),
    Scenario(
      "a reset drops the write and the later frames of that write",
      """
      framing: { in: { size: 1, gap: 1s } }
      messages: { reset: "FF", n: "{n: u8}" }
      rules:
        - { on: { receive: reset }, do: reset }
        - { on: { receive: n }, do: { log: "{n}" } }
        - { on: { write: data }, do: reset }
        - { on: start, do: { log: start } }
      """,
      """
      > in 01 FF 02
      * 1
      advertises no name
      * start
      > in 03
      * 3
      > data 09
      advertises no name
      * start
      ? data
      = 00
      """),
    Scenario(
      "released frames are lost, too",
      """
      messages: { reset: "FF", n: "{n: u8}" }
      rules:
        - { on: connect, do: { hold: in } }
        - { on: { subscribe: out }, do: { release: in } }
        - { on: { receive: reset }, do: reset }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      +
      > in 01
      > in FF
      > in 02
      +out
      * 1
      disconnects all
      advertises no name
      > in 03
      * 3
      """),
    Scenario(
      "a rule that resets at the start does so once",
      """
      rules:
        - { on: start, do: [{ log: start }, reset] }
      """,
      """
      start
      * start
      advertises no name
      * start
      * line 4: a second reset without time passing; add a 'wait', or a condition that ends it
      """),
    Scenario(
      "it advertises again, also when it did not",
      """
      messages: { off: "00", reset: "01" }
      rules:
        - { on: { receive: off }, do: { advertise: false } }
        - { on: { receive: reset }, do: reset }
      """,
      """
      > in 00
      does not advertise
      +
      -
      > in 01
      advertises no name
      """),
    Scenario(
      "it ends all connections on request, and its state stays",
      """
      variables: { n: { type: integer, default: 0 } }
      messages: { bye: "01" }
      rules:
        - { on: { receive: bye }, do: [{ set: { n: 5 } }, disconnect, { log: "{n}" }] }
        - { on: disconnect, do: { log: "gone {n}" } }
      """,
      """
      +
      > in 01
      disconnects all
      * 5
      -
      * gone 5
      """),
    Scenario(
      "other settings make other attributes, after a reset and only if they differ",
      """
      settings: { service: { type: bytes, max: 2, default: FFE0 }, has-more: { type: boolean, default: false } }
      messages: { change: "{a: u8} {b: u8}", more: "01", half: "02", reset: "00" }
      rules:
        - { on: { receive: change }, do: { set: { service: u8(a) + u8(b) } } }
        - { on: { receive: half }, do: { set: { service: u8(0xFF) } } }
        - { on: { receive: more }, do: { set: { has-more: not has-more } } }
        - { on: { receive: reset }, do: [reset] }
        - { on: start, do: { log: "begins" } }
      services:
        - id: port
          uuid: "{service}"
          characteristics:
            - { id: in, uuid: FFE1, properties: [write] }
            - { id: more, uuid: FFE2, if: has-more, properties: [notify] }
      """,
      """
      start
      * begins
      > in FF F0
      keeps FF F0, false
      > in 00
      serves FFF0: FFE1
      advertises no name
      * begins
      > in 00
      advertises no name
      * begins
      +
      > in 01
      keeps FF F0, true
      > in 00
      disconnects all
      serves FFF0: FFE1 FFE2
      advertises no name
      * begins
      > in 02
      keeps FF, true
      > in 00
      disconnects all
      * the attributes stay as they were: the service 'port': a UUID has 2, 4 or 16 bytes, not 1
      advertises no name
      * begins
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}

import Framing
import TestSupport
import Testing

@testable import Behavior

/// Variables, settings and what puts them back.
@Suite struct VariableTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "they are set one after the other, and seen by all rules",
      """
      settings: { name: { type: text, max: 8, default: Belt } }
      variables:
        count: { type: integer, default: 1 }
        seen: { type: boolean, default: false }
        last: { type: bytes, default: "00 01" }
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: { set: { count: count + n, name: name + text(count), seen: true, last: frame } } }
        - { on: connect, do: { log: "{name} {count} {seen} {last}" } }
      """,
      """
      +
      * Belt 1 false 00 01
      > in 04
      keeps Belt5
      2+
      * Belt5 5 true 04
      """),
    Scenario(
      "a value outside the limits ends the rule, and earlier changes stay",
      """
      settings:
        level: { type: integer, min: 0, max: 100, default: 50 }
        name: { type: text, max: 4, default: Belt }
      variables: { key: { type: bytes, max: 2, default: "" } }
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n, from: in }, do: [{ set: { level: n, name: text(n) + "ßß" } }, { log: done }] }
        - { on: { receive: n, from: data }, do: { set: { key: frame + frame + frame } } }
        - { on: connect, do: { log: "{level} {name} {key.size}" } }
      """,
      """
      > in 65
      * line 9: 'level': 101 is not in 0…100
      > in 07
      keeps 7, Belt
      * line 9: 'name': '7ßß' has 5 bytes; at most 4 are allowed
      > data 01
      * line 10: 'key': 3 bytes; at most 2 are allowed
      +
      * 7 Belt 0
      """),
    Scenario(
      "a reset puts variables back and keeps settings, which are restored on demand",
      """
      settings: { a: { type: integer, default: 1 } }
      variables: { b: { type: integer, default: 2 } }
      messages: { set: "01", reset: "02", restore: "03" }
      rules:
        - { on: { receive: set }, do: [{ set: { a: 10, b: 20 } }, { log: "{a} {b}" }] }
        - { on: { receive: reset }, do: reset }
        - { on: { receive: restore }, do: [restore-settings, { log: "{a} {b}" }] }
        - { on: start, do: { log: "{a} {b}" } }
      """,
      """
      start
      * 1 2
      > in 01
      keeps 10
      * 10 20
      > in 02
      advertises no name
      * 10 2
      > in 01
      keeps 10
      * 10 20
      > in 03
      keeps 1
      * 1 20
      """),
    Scenario(
      "settings are kept once per event, before its values are sent, even if the rule fails",
      """
      settings: { a: { type: integer, max: 3, default: 0 }, b: { type: boolean, default: false } }
      variables: { n: { type: integer, default: 0 } }
      messages: { count: "01", fail: "02", other: "03", wait: "04" }
      rules:
        - on: { receive: count }
          do: [{ set: { a: 1 } }, { send: other, to: out }, { repeat: 2, do: { set: { a: a + 1, b: true } } }]
        - { on: { receive: fail }, do: [{ set: { b: false } }, { set: { a: a + 1 } }] }
        - { on: { receive: other }, do: { set: { n: a } } }
        - { on: { receive: wait }, do: [{ set: { a: 0 } }, { wait: 1s }, { set: { a: 2 } }] }
      """,
      """
      > in 01
      keeps 3, true
      < out 03
      > in 02
      keeps 3, false
      * line 9: 'a': 4 is not in -9223372036854775808…3
      > in 03
      > in 04
      keeps 0, false
      waits until 1000 ms
      1000 ms
      keeps 2, false
      """),
    Scenario(
      "the advertisement has the values of when it is asked for",
      """
      settings: { name: { type: text, max: 26, default: Belt } }
      advertisement: { local-name: "{name} {n}" }
      variables: { n: { type: integer, default: 0 } }
      messages: { name: "{name: text}" }
      rules:
        - on: { receive: name }
          do: [{ set: { name: name, n: n + 1 } }, { advertise: false }, { advertise: false }, { advertise: true }]
        - { on: disconnect, do: { advertise: n < 2 } }
      """,
      """
      > in 41 42
      keeps AB
      does not advertise
      advertises AB 1
      -
      advertises AB 1
      > in 43
      keeps C
      does not advertise
      advertises C 2
      -
      does not advertise
      """),
    Scenario(
      "an advertisement without bytes is not advertised, and the next one is",
      """
      advertisement: { manufacturer-data: { FFFF: "{number: u8}" }, local-name: Belt }
      variables: { number: { type: integer, default: 0 } }
      messages: { number: "FF {number: u16be}" }
      rules:
        - { on: { receive: number }, do: [{ advertise: false }, { set: { number: number } }, { advertise: true }] }
        - { on: connect, do: [{ set: { number: 1 } }, { advertise: true }] }
      """,
      """
      > in FF 01 00
      does not advertise
      * nothing is advertised: 256 is not in 0…255
      +
      * nothing is advertised: 256 is not in 0…255
      advertises Belt
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `settings that were given are those that are restored`() throws {
    let device = definition(
      """
      settings: { a: { type: integer, default: 1 } }
      rules:
        - { on: start, do: [{ set: { a: 3 } }, restore-settings, { log: "{a}" }] }
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
      """)
    var engine = try Engine(device, settings: [.integer(2)], address: Conversation.centrals[0])
    #expect(
      engine.handle(.started, at: Instant())
        == Outcome(settings: [.integer(2)], actions: [.remark(.logged("2"))]))
  }

  @Test func `settings that were kept are those at first, and those that were given are restored`() throws {
    let device = definition(
      """
      settings: { a: { type: integer, default: 1 } }
      rules:
        - { on: start, do: [{ log: "{a}" }, restore-settings, { log: "{a}" }] }
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
      """)
    var engine = try Engine(
      device, settings: [.integer(2)], kept: [.integer(3)], address: Conversation.centrals[0])
    #expect(
      engine.handle(.started, at: Instant())
        == Outcome(
          settings: [.integer(2)], actions: [.remark(.logged("3")), .remark(.logged("2"))]))
  }

}

import Testing

@testable import Definitions

/// What looks like a mistake and is none.
@Suite struct NoMistakes {
  /// Rules that can all fire, behind messages `hello` and `number` and states `a`, `b` and `c`.
  @Test(
    arguments: [
      // A condition, or a state, leaves something for the next rule.
      """
        - { on: connect, if: centrals > 1, do: { log: x } }
        - { on: connect, do: { log: x } }
      """,
      """
        - { on: connect, in: a, do: { log: x } }
        - { on: connect, in: [a, b], do: { log: x } }
        - { on: connect, do: { log: x } }
      """,
      // Another place, another message, another event.
      """
        - { on: { receive: hello, from: wire }, do: { log: x } }
        - { on: { receive: hello, from: serial }, do: { log: x } }
      """,
      """
        - { on: { receive: any, from: wire }, do: { log: x } }
        - { on: { receive: any, from: serial }, do: { log: x } }
      """,
      """
        - { on: { receive: hello, from: serial }, do: { log: x } }
        - { on: { receive: hello }, do: { log: x } }
      """,
      """
        - { on: { receive: hello }, do: { log: x } }
        - { on: { receive: number }, do: { log: x } }
        - { on: { receive: any }, do: { log: x } }
      """,
      """
        - { on: { write: serial }, do: { log: x } }
        - { on: { receive: any }, do: { log: x } }
        - { on: { read: serial }, do: { log: x } }
        - { on: { read: other }, do: { log: x } }
      """,
      """
        - { on: { enter: b }, do: { log: x } }
        - { on: { enter: c }, do: { log: x } }
        - { on: { leave: b }, do: { log: x } }
      """,
    ])
  func `rules that can all fire`(rules: String) {
    #expect(
      diagnose(
        """
        states: [a, b, c]
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1, properties: [read, write, notify] }
              - { id: other, uuid: FFE2, properties: [read, write] }
        messages: { hello: "A5", number: "A5 {n: u8}" }
        rules:
          - { on: start, do: [{ enter: b }, { enter: c }, { enter: a }] }
        \(rules)
        """) == "")
  }

  @Test(
    arguments: [
      // A condition decides which one it is.
      "{ on: { read: serial }, do: [{ if: centrals > 1, respond: hello }, { respond: hello }] }",
      "{ on: { read: serial }, do: [{ if: centrals > 1, refuse: unlikely-error }, { respond: hello }] }",
      "{ on: { write: serial }, do: [{ if: value.size > 1, refuse: unlikely-error }, { wait: 1s }, { log: x }] }",
      "{ on: { read: serial }, do: [{ respond: hello }, { wait: 1s }, { log: x }] }",
      "{ on: { read: serial }, do: { refuse: read-not-permitted } }",
      "{ on: { write: serial }, do: { refuse: write-not-permitted } }",
      "{ on: { write: serial }, do: { refuse: \"0x80\" } }",
      "{ on: { read: both }, do: { refuse: insufficient-authorization } }",
    ])
  func `answers that come in time, and errors that BlueZ can send`(rule: String) {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1, properties: [read, write, notify] }
              - { id: both, uuid: FFE2, properties: [read, write, write-without-response] }
        messages: { hello: "A5" }
        rules:
          - \(rule)
        """) == "")
  }

  /// A message of 46 bytes from `outlet`.
  @Test(
    arguments: [
      "link: { mtu: 49 }",
      "link: { centrals: 1 }",
      "link: { mtu: 23 }\nframing: { outlet: { start: A5, size: 46 } }",
      "link: { mtu: 23 }\nwire: { bridge: outlet }",
    ])
  func `messages that arrive whole, or that somebody puts together`(link: String) {
    #expect(
      diagnose(
        """
        \(link)
        services:
          - uuid: FFE0
            characteristics:
              - { id: outlet, uuid: FFE2, properties: [write, notify] }
        messages: { report: "A5 {data: bytes(44)} {xor8}" }
        rules:
          - { on: connect, do: { send: report, with: { data: address } } }
          - { on: { receive: report }, do: { send: report, to: wire } }
        """) == "")
  }

  @Test func `variables that are used in some way or other`() {
    #expect(
      diagnose(
        """
        variables:
          a: { type: integer, default: 1 }
          b: { type: text, default: x }
          c: { type: integer, default: 1 }
          d: { type: integer, default: 1 }
          e: { type: integer, default: 1 }
        advertisement: { local-name: "{b}" }
        services:
          - uuid: FFE0
            characteristics:
              - { id: outlet, uuid: FFE2, properties: [read, notify], value: "{c: u8}" }
        messages: { n: "{d: u8}" }
        rules:
          - on: connect
            do:
              - { set: { a: a + 1, b: "'y'", c: 2, d: 3, e: 4 } }
              - { send: n }
              - { repeat: e, do: { log: x } }
        """) == "")
  }

  @Test func `fields, and what is held and released elsewhere`() {
    #expect(
      diagnose(
        """
        settings: { level: { type: integer, default: 1 } }
        messages: { set: "A5 {level: u8} {state: u8}" }
        states: [a]
        rules:
          - { on: { receive: set }, do: [{ set: { level: level } }, { hold: serial }] }
          - { on: connect, if: state == 'a', do: { repeat: 2, do: { release: serial } } }
        """) == "")
  }
}

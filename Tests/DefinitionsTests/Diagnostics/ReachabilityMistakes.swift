import Testing

@testable import Definitions

/// Rules that can never fire.
@Suite struct ReachabilityMistakes {
  @Test func `the same event twice`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { log: first } }
          - { on: connect, do: { log: second } }
        """) == """
          device.yaml:3:11: error: this rule can never fire: the rule in line 2 takes what it waits for
              3 |   - { on: connect, do: { log: second } }
                |           ^~~~~~~ put it before that one, or give that one a condition
          """)
  }

  @Test func `any frame before a message`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: { receive: any }, do: { log: "{frame}" } }
          - { on: { receive: hello, from: serial }, do: { log: hello } }
        """) == """
          device.yaml:5:11: error: this rule can never fire: the rule in line 4 takes what it waits for
              5 |   - { on: { receive: hello, from: serial }, do: { log: hello } }
                |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ put it before that one, or give that one a condition
          """)
  }

  @Test func `a state among those of an earlier rule`() {
    #expect(
      diagnose(
        """
        states: [a, b, c]
        rules:
          - { on: connect, in: [a, b], do: { enter: b } }
          - { on: connect, in: b, do: { enter: c } }
        """) == """
          device.yaml:4:11: error: this rule can never fire: the rule in line 3 takes what it waits for
              4 |   - { on: connect, in: b, do: { enter: c } }
                |           ^~~~~~~ put it before that one, or give that one a condition
          """)
  }

  @Test func `places that two earlier rules have taken together`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5" }
        services:
          - uuid: FFE0
            characteristics:
              - { id: one, uuid: FFE1, properties: [write] }
              - { id: two, uuid: FFE2, properties: [write] }
        rules:
          - { on: { receive: hello, from: one }, do: { log: one } }
          - { on: { receive: hello, from: two }, do: { log: two } }
          - { on: { receive: hello }, do: { log: both } }
        """) == """
          device.yaml:10:11: error: this rule can never fire: the rules in lines 8 and 9 take what it waits for
             10 |   - { on: { receive: hello }, do: { log: both } }
                |           ^~~~~~~~~~~~~~~~~~ put it before them, or give them conditions
          """)
  }

  @Test func `two messages that are the same`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5 {x: u8}", hallo: "A5 {x: u8}" }
        rules:
          - { on: { receive: hello }, do: { log: "{x}" } }
          - { on: { receive: hallo }, do: { log: "{x}" } }
        """) == """
          device.yaml:4:11: error: this rule can never fire: the rule in line 3 takes what it waits for
              4 |   - { on: { receive: hallo }, do: { log: "{x}" } }
                |           ^~~~~~~~~~~~~~~~~~ put it before that one, or give that one a condition
          """)
  }
}

import Testing

@testable import Definitions

/// Mistakes in groups of rules.
@Suite struct GroupMistakes {
  @Test func `what is wrong in a group is said once`() {
    #expect(
      diagnose(
        """
        rules:
          - from: [serial, wier]
            if: size < 3
            in: idle
            on: connect
            rules:
              - { on: { receive: any }, do: { log: a } }
              - { on: { receive: { text: "B" } }, do: { log: b }, else: [] }
              - { if: true, rules: { log: c } }
          - { in: idle }
        """) == """
          device.yaml:2:20: error: no characteristic has the id 'wier'
              2 |   - from: [serial, wier]
                |                    ^~~~ did you mean 'wire'?

          device.yaml:3:9: error: unknown name 'size'
              3 |     if: size < 3
                |         ^~~~ known: address, central, centrals, frame, origin, state, unix-time, uptime

          device.yaml:4:9: error: no state 'idle'
              4 |     in: idle
                |         ^~~~ declare it: states: [idle]

          device.yaml:5:5: error: a group of rules has no key 'on'
              5 |     on: connect
                |     ^~ did you mean 'in'?

          device.yaml:8:59: error: a rule has no key 'else'
              8 |       - { on: { receive: { text: "B" } }, do: { log: b }, else: [] }
                |                                                           ^~~~ known: on, in, if, do

          device.yaml:9:28: error: expected a list, found a mapping
              9 |       - { if: true, rules: { log: c } }
                |                            ^~~~~~~~~~ write [a, b], or '- ' lines

          device.yaml:10:5: error: a rule needs 'on'
             10 |   - { in: idle }
                |     ^~~~~~~~~~~~ the event that it waits for

          device.yaml:10:5: error: a rule needs 'do'
             10 |   - { in: idle }
                |     ^~~~~~~~~~~~ what to do, in order

          device.yaml:10:11: error: no state 'idle'
             10 |   - { in: idle }
                |           ^~~~ declare it: states: [idle]
          """)
  }

  @Test func `one that can never fire`() {
    #expect(
      diagnose(
        """
        rules:
          - from: wire
            rules:
              - { on: { receive: any }, do: { log: a } }
              - { on: { receive: { text: "B" } }, do: { log: b } }
        """) == """
          device.yaml:5:15: error: this rule can never fire: the rule in line 4 takes what it waits for
              5 |       - { on: { receive: { text: "B" } }, do: { log: b } }
                |               ^~~~~~~~~~~~~~~~~~~~~~~~~~ put it before that one, or give that one a condition
          """)
  }

  @Test func `more rules than a device may have`() {
    let rule = "    - { on: start, if: uptime < 0, do: { log: a } }\n"
    let group = "  - rules:\n" + String(repeating: rule, count: 700)
    let report = diagnose("rules:\n" + group + group + group)
    #expect(report.contains("error: 2100 rules, with those in groups"))
  }
}

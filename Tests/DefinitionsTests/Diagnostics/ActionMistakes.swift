import Testing

@testable import Definitions

/// Mistakes in what a rule does.
@Suite struct ActionMistakes {
  @Test func `a verb that is none`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - on: connect
            do: { sned: hello }
        """) == """
          device.yaml:5:11: error: an action has no key 'sned'
              5 |     do: { sned: hello }
                |           ^~~~ did you mean 'send'?
          """)
  }

  @Test func `a word that is no action`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: restart }
          - { on: disconnect, do: [log] }
        """) == """
          device.yaml:2:24: error: unknown word 'restart'
              2 |   - { on: connect, do: restart }
                |                        ^~~~~~~ did you mean 'start'?

          device.yaml:3:28: error: 'log' of what?
              3 |   - { on: disconnect, do: [log] }
                |                            ^~~ write { log: … }
          """)
  }

  @Test func `two verbs in one action`() {
    #expect(
      diagnose(
        """
        rules:
          - on: connect
            do: { wait: 1s, log: hello }
        """) == """
          device.yaml:3:26: error: an action is one thing, not 'wait' and 'log'
              3 |     do: { wait: 1s, log: hello }
                |                          ^~~~~ keep one of them
          """)
  }

  @Test func `what does not go with a verb`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - on: connect
            do:
              - { log: hello, to: serial }
              - { send: hello, after: 1s }
              - { index: i, wait: 1s }
              - { start: tick, every: 1s, do: { log: tick } }
          - { on: { timer: tick }, do: { log: tick } }
        """) == """
          device.yaml:6:23: error: 'to' does not go with 'log'
              6 |       - { log: hello, to: serial }
                |                       ^~ it goes with 'send'

          device.yaml:7:24: error: 'after' does not go with 'send'
              7 |       - { send: hello, after: 1s }
                |                        ^~~~~ it goes with 'start'

          device.yaml:8:11: error: 'index' does not go with 'wait'
              8 |       - { index: i, wait: 1s }
                |           ^~~~~ it goes with 'repeat'

          device.yaml:9:35: error: 'do' does not go with 'start'
              9 |       - { start: tick, every: 1s, do: { log: tick } }
                |                                   ^~ it goes with 'repeat'
          """)
  }

  @Test func `an empty list of actions`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [] }
        """) == """
          device.yaml:2:24: error: the list is empty
              2 |   - { on: connect, do: [] }
                |                        ^~
          """)
  }

  @Test func `a rule that does nothing`() {
    #expect(
      diagnose(
        """
        rules:
          - on: connect
        """) == """
          device.yaml:2:5: error: a rule needs 'do'
              2 |   - on: connect
                |     ^~ what to do, in order
          """)
  }

  @Test func `a condition of an action that is a number`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { if: centrals, log: hello } }
        """) == """
          device.yaml:2:30: error: expected true or false, found an integer
              2 |   - { on: connect, do: { if: centrals, log: hello } }
                |                              ^~~~~~~~
          """)
  }

  @Test func `a setting or variable that is none`() {
    #expect(
      diagnose(
        """
        settings: { level: { type: integer, default: 1 } }
        variables: { count: { type: integer, default: 1 } }
        rules:
          - { on: connect, do: { set: { cuont: count + level, lvl: 5 } } }
        """) == """
          device.yaml:4:33: error: no setting or variable 'cuont'
              4 |   - { on: connect, do: { set: { cuont: count + level, lvl: 5 } } }
                |                                 ^~~~~ did you mean 'count'?

          device.yaml:4:55: error: no setting or variable 'lvl'
              4 |   - { on: connect, do: { set: { cuont: count + level, lvl: 5 } } }
                |                                                       ^~~ known: count, level
          """)
  }

  @Test func `a value of another type`() {
    #expect(
      diagnose(
        """
        settings: { name: { type: text, default: Belt } }
        variables: { count: { type: integer, default: 1 }, worn: { type: boolean, default: true } }
        rules:
          - { on: connect, if: worn, do: { set: { count: "'a'", worn: count, name: count } } }
        """) == """
          device.yaml:4:51: error: expected an integer, found text
              4 |   - { on: connect, if: worn, do: { set: { count: "'a'", worn: count, name: count } } }
                |                                                   ^~~

          device.yaml:4:63: error: expected true or false, found an integer
              4 |   - { on: connect, if: worn, do: { set: { count: "'a'", worn: count, name: count } } }
                |                                                               ^~~~~

          device.yaml:4:76: error: expected text, found an integer
              4 |   - { on: connect, if: worn, do: { set: { count: "'a'", worn: count, name: count } } }
                |                                                                            ^~~~~
          """)
  }

  @Test func `a constant outside its limits`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, min: 0, max: 100, default: 1 }
          name: { type: text, max: 4, default: Belt }
        rules:
          - { on: connect, do: { set: { level: 101, name: "'Belts'" } } }
        """) == """
          device.yaml:5:40: error: 101 is not in 0…100
              5 |   - { on: connect, do: { set: { level: 101, name: "'Belts'" } } }
                |                                        ^~~

          device.yaml:5:51: error: 'Belts' has 5 bytes, at most 4 are allowed
              5 |   - { on: connect, do: { set: { level: 101, name: "'Belts'" } } }
                |                                                   ^~~~~~~~~
          """)
  }

  @Test func `something that is not set but read`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { set: { uptime: 0 } } }
          - { on: disconnect, do: { set: count } }
        """) == """
          device.yaml:2:33: error: 'uptime' cannot be set
              2 |   - { on: connect, do: { set: { uptime: 0 } } }
                |                                 ^~~~~~ only settings and variables can

          device.yaml:3:34: error: expected a mapping of names, found 'count'
              3 |   - { on: disconnect, do: { set: count } }
                |                                  ^~~~~
          """)
  }

  @Test func `a repetition without its actions, without a number, and of too many`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { repeat: 3 } }
          - { on: disconnect, do: { repeat: 1.5, do: { log: hello } } }
          - { on: start, do: { repeat: 10001, do: { log: hello } } }
        """) == """
          device.yaml:2:34: error: repeat what?
              2 |   - { on: connect, do: { repeat: 3 } }
                |                                  ^ add 'do' and the actions

          device.yaml:3:37: error: expected an integer, found a decimal number
              3 |   - { on: disconnect, do: { repeat: 1.5, do: { log: hello } } }
                |                                     ^~~ round it: ceil(…), floor(…) or round(…)

          device.yaml:4:32: error: 10001 is not in 1…10000
              4 |   - { on: start, do: { repeat: 10001, do: { log: hello } } }
                |                                ^~~~~
          """)
  }

  @Test func `an index outside of its repetition`() {
    #expect(
      diagnose(
        """
        rules:
          - on: connect
            do:
              - { repeat: 3, index: i, do: { log: "{i}" } }
              - { log: "{i}" }
        """) == """
          device.yaml:5:18: error: unknown name 'i'
              5 |       - { log: "{i}" }
                |                  ^ known: address, central, centrals, state, unix-time, uptime
          """)
  }

  @Test func `a group that the message does not have, and a field that is none`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: connect, do: { send: number, with: { n: [ { v: 1 } ] } } }
        """) == """
          device.yaml:4:51: error: 'n' takes one value, not a list
              4 |   - { on: connect, do: { send: number, with: { n: [ { v: 1 } ] } } }
                |                                                   ^~~~~~~~~~~~
          """)
  }

  @Test func `a value for a message that has none`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: connect, do: { send: hello, with: { n: 1 } } }
        """) == """
          device.yaml:4:47: error: 'hello' has no field 'n'
              4 |   - { on: connect, do: { send: hello, with: { n: 1 } } }
                |                                               ^ it has none
          """)
  }

  @Test func `a place that is none`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: connect, do: { send: hello, to: seriel } }
          - { on: start, do: [{ hold: seriel }, { release: wier }] }
        """) == """
          device.yaml:4:43: error: no characteristic has the id 'seriel'
              4 |   - { on: connect, do: { send: hello, to: seriel } }
                |                                           ^~~~~~ did you mean 'serial'?

          device.yaml:5:31: error: no characteristic has the id 'seriel'
              5 |   - { on: start, do: [{ hold: seriel }, { release: wier }] }
                |                               ^~~~~~ did you mean 'serial'?

          device.yaml:5:52: error: no characteristic has the id 'wier'
              5 |   - { on: start, do: [{ hold: seriel }, { release: wier }] }
                |                                                    ^~~~ did you mean 'wire'?
          """)
  }

  @Test func `a place where nothing arrives`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: outlet, uuid: FFE1, properties: [notify] }
        rules:
          - { on: start, do: [{ hold: outlet }, { release: outlet }] }
        """) == """
          device.yaml:6:31: error: 'outlet' cannot be written
              6 |   - { on: start, do: [{ hold: outlet }, { release: outlet }] }
                |                               ^~~~~~ add write or write-without-response to its properties

          device.yaml:6:52: error: 'outlet' cannot be written
              6 |   - { on: start, do: [{ hold: outlet }, { release: outlet }] }
                |                                                    ^~~~~~ add write or write-without-response to its properties
          """)
  }

  @Test func `advertising that is neither true nor false`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { advertise: "no" } }
          - { on: disconnect, do: { advertise: 1 } }
        """) == """
          device.yaml:2:38: error: unknown name 'no'
              2 |   - { on: connect, do: { advertise: "no" } }
                |                                      ^~ known: address, central, centrals, state, unix-time, uptime

          device.yaml:3:40: error: expected true or false, found an integer
              3 |   - { on: disconnect, do: { advertise: 1 } }
                |                                        ^
          """)
  }

  @Test func `a log with a name that is none`() {
    #expect(
      diagnose(
        """
        variables: { count: { type: integer, default: 0 } }
        rules:
          - { on: connect, do: [{ set: { count: count + 1 } }, { log: "{cont} of {count" }] }
        """) == """
          device.yaml:3:74: error: '{' has no closing '}'
              3 |   - { on: connect, do: [{ set: { count: count + 1 } }, { log: "{cont} of {count" }] }
                |                                                                          ^
          """)
  }

  @Test func `a comma that ends a value, and a bracket that YAML takes`() {
    #expect(
      diagnose(
        """
        variables: { data: { type: bytes, default: "" } }
        rules:
          - { on: { write: serial }, do: { set: { data: value.slice(0, 3) } } }
          - { on: connect, do: { log: "{data}" } }
        """) == """
          device.yaml:3:62: error: expected ',' or ')', found the end
              3 |   - { on: { write: serial }, do: { set: { data: value.slice(0, 3) } } }
                |                                                              ^ in { … } and [ … ] a comma ends a value: quote it

          device.yaml:3:64: error: '3)' is not a name
              3 |   - { on: { write: serial }, do: { set: { data: value.slice(0, 3) } } }
                |                                                                ^~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `an index without quotes`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { write: serial }, if: value[0] == 1, do: { log: hello } }
        """) == """
          device.yaml:2:39: error: not valid YAML: did not find expected ',' or '}'
              2 |   - { on: { write: serial }, if: value[0] == 1, do: { log: hello } }
                |                                       ^ in { … } and [ … ], quote what has one of , [ ] { } in it
          """)
  }
}

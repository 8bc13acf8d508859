import Testing

@testable import Definitions

/// Mistakes in waits and timers.
@Suite struct TimeMistakes {
  @Test func `a time without a unit`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [{ wait: 500 }, { wait: 1.5 }, { start: tick, every: 1000 }] }
          - { on: { timer: tick }, do: { log: tick } }
        """) == """
          device.yaml:2:33: error: a duration has a unit
              2 |   - { on: connect, do: [{ wait: 500 }, { wait: 1.5 }, { start: tick, every: 1000 }] }
                |                                 ^~~ write 500ms

          device.yaml:2:48: error: a duration has a unit
              2 |   - { on: connect, do: [{ wait: 500 }, { wait: 1.5 }, { start: tick, every: 1000 }] }
                |                                                ^~~ write 1.5ms

          device.yaml:2:77: error: a duration has a unit
              2 |   - { on: connect, do: [{ wait: 500 }, { wait: 1.5 }, { start: tick, every: 1000 }] }
                |                                                                             ^~~~ write 1000ms
          """)
  }

  @Test func `a time that is none`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [{ wait: 5h }, { wait: "'a'" }, { wait: true }, { wait: 1s / 2 }] }
        """) == """
          device.yaml:2:33: error: '5h' is not a number
              2 |   - { on: connect, do: [{ wait: 5h }, { wait: "'a'" }, { wait: true }, { wait: 1s / 2 }] }
                |                                 ^~ write 17, 0x11, 1.5 or 200ms

          device.yaml:2:48: error: expected a duration, found text
              2 |   - { on: connect, do: [{ wait: 5h }, { wait: "'a'" }, { wait: true }, { wait: 1s / 2 }] }
                |                                                ^~~ as in 500ms, 1.5s or 2min

          device.yaml:2:64: error: expected a duration, found true or false
              2 |   - { on: connect, do: [{ wait: 5h }, { wait: "'a'" }, { wait: true }, { wait: 1s / 2 }] }
                |                                                                ^~~~ as in 500ms, 1.5s or 2min

          device.yaml:2:80: error: expected a duration, found a decimal number
              2 |   - { on: connect, do: [{ wait: 5h }, { wait: "'a'" }, { wait: true }, { wait: 1s / 2 }] }
                |                                                                                ^~~~~~ round it: ceil(…), floor(…) or round(…)
          """)
  }

  @Test func `a time out of range`() {
    #expect(
      diagnose(
        """
        rules:
          - on: connect
            do:
              - { wait: 44000min }
              - { wait: 1s - 2s }
              - { start: tick, after: 0ms }
              - { start: tick, every: 0.2ms }
          - { on: { timer: tick }, do: { log: tick } }
        """) == """
          device.yaml:4:17: error: 2640000000 ms is not in 0 ms to 30 days
              4 |       - { wait: 44000min }
                |                 ^~~~~~~~

          device.yaml:5:17: error: -1000 ms is not in 0 ms to 30 days
              5 |       - { wait: 1s - 2s }
                |                 ^~~~~~~

          device.yaml:6:31: error: 0 ms is not in 1 ms to 30 days
              6 |       - { start: tick, after: 0ms }
                |                               ^~~

          device.yaml:7:31: error: 0 ms is not in 1 ms to 30 days
              7 |       - { start: tick, every: 0.2ms }
                |                               ^~~~~
          """)
  }

  @Test func `a timer without a time, and with two`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { start: tick } }
          - { on: disconnect, do: { start: tick, after: 1s, every: 2s } }
          - { on: { timer: tick }, do: { log: tick } }
        """) == """
          device.yaml:2:33: error: when does 'tick' run out?
              2 |   - { on: connect, do: { start: tick } }
                |                                 ^~~~ add either 'after' or 'every'

          device.yaml:3:60: error: 'after' and 'every' exclude each other
              3 |   - { on: disconnect, do: { start: tick, after: 1s, every: 2s } }
                |                                                            ^~ keep one of them
          """)
  }

  @Test func `a timer that nothing starts`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { start: report, every: 1s } }
          - { on: { timer: reprot }, do: { log: report } }
          - { on: disconnect, do: { stop: blink } }
        """) == """
          device.yaml:3:20: error: nothing starts the timer 'reprot'
              3 |   - { on: { timer: reprot }, do: { log: report } }
                |                    ^~~~~~ did you mean 'report'?

          device.yaml:4:35: error: nothing starts the timer 'blink'
              4 |   - { on: disconnect, do: { stop: blink } }
                |                                   ^~~~~ known: report
          """)
  }

  @Test func `a timer where there is none`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { timer: tick }, do: { log: tick } }
          - { on: disconnect, do: { stop: tick } }
        """) == """
          device.yaml:2:20: error: nothing starts the timer 'tick'
              2 |   - { on: { timer: tick }, do: { log: tick } }
                |                    ^~~~ an action starts it: { start: tick, every: 1s }

          device.yaml:3:35: error: nothing starts the timer 'tick'
              3 |   - { on: disconnect, do: { stop: tick } }
                |                                   ^~~~ an action starts it: { start: tick, every: 1s }
          """)
  }

  @Test func `a timer that nobody waits for`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [{ start: tick, every: 1s }, { start: tick, after: 1s }] }
        """) == """
          device.yaml:2:34: warning: no rule waits for the timer 'tick'
              2 |   - { on: connect, do: [{ start: tick, every: 1s }, { start: tick, after: 1s }] }
                |                                  ^~~~ add a rule with on: { timer: tick }
          """)
  }

  @Test func `an unknown name in a time`() {
    #expect(
      diagnose(
        """
        settings: { gap: { type: integer, default: 5 } }
        rules:
          - { on: connect, do: { wait: gpa * 1ms } }
        """) == """
          device.yaml:3:32: error: unknown name 'gpa'
              3 |   - { on: connect, do: { wait: gpa * 1ms } }
                |                                ^~~ did you mean 'gap'?
          """)
  }

  @Test func `what waits for ever, and what never waits`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [{ hold: serial }, { release: wire }] }
          - { on: disconnect, do: { hold: serial } }
        """) == """
          device.yaml:2:33: warning: nothing releases what waits at 'serial'
              2 |   - { on: connect, do: [{ hold: serial }, { release: wire }] }
                |                                 ^~~~~~ an action does it: { release: serial }

          device.yaml:2:54: warning: nothing ever waits at 'wire'
              2 |   - { on: connect, do: [{ hold: serial }, { release: wire }] }
                |                                                      ^~~~ an action does it: { hold: wire }
          """)
  }
}

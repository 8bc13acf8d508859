import Testing

@testable import Definitions

/// Mistakes in generators.
@Suite struct GeneratorMistakes {
  @Test func `a shape that is none`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: sinus, min: 60, max: 80, period: 1s } }
        """) == """
          device.yaml:1:31: error: unknown word 'sinus'
              1 | generators: { pulse: { shape: sinus, min: 60, max: 80, period: 1s } }
                |                               ^~~~~ known: sine, ramp, random-walk, random, replay
          """)
  }

  @Test func `what a shape lacks, and what it does not have`() {
    #expect(
      diagnose(
        """
        generators:
          pulse: { shape: sine, min: 60, max: 80, every: 1s }
          level: { shape: ramp, min: 100, to: 0, over: 1s }
        """) == """
          device.yaml:2:10: error: shape 'sine' needs 'period'
              2 |   pulse: { shape: sine, min: 60, max: 80, every: 1s }
                |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

          device.yaml:2:43: error: shape 'sine' has no 'every'
              2 |   pulse: { shape: sine, min: 60, max: 80, every: 1s }
                |                                           ^~~~~ it has min, max, period

          device.yaml:3:10: error: shape 'ramp' needs 'from'
              3 |   level: { shape: ramp, min: 100, to: 0, over: 1s }
                |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

          device.yaml:3:25: error: shape 'ramp' has no 'min'
              3 |   level: { shape: ramp, min: 100, to: 0, over: 1s }
                |                         ^~~ it has from, to, over
          """)
  }

  @Test func `a key that no shape has`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: random, min: 60, max: 80, evry: 1s } }
        """) == """
          device.yaml:1:22: error: shape 'random' needs 'every'
              1 | generators: { pulse: { shape: random, min: 60, max: 80, evry: 1s } }
                |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

          device.yaml:1:57: error: a generator has no key 'evry'
              1 | generators: { pulse: { shape: random, min: 60, max: 80, evry: 1s } }
                |                                                         ^~~~ did you mean 'every'?
          """)
  }

  @Test func `numbers and times that are none`() {
    #expect(
      diagnose(
        """
        generators:
          pulse: { shape: random, min: low, max: 80, every: 1 }
          level: { shape: ramp, from: nan, to: 1e300, over: 0ms }
        """) == """
          device.yaml:2:32: error: expected a number, found 'low'
              2 |   pulse: { shape: random, min: low, max: 80, every: 1 }
                |                                ^~~

          device.yaml:2:53: error: '1' is not a duration
              2 |   pulse: { shape: random, min: low, max: 80, every: 1 }
                |                                                     ^ a number with ms, s or min, as in 200ms

          device.yaml:3:31: error: expected a number, found 'nan'
              3 |   level: { shape: ramp, from: nan, to: 1e300, over: 0ms }
                |                               ^~~

          device.yaml:3:40: error: 1e300 is too large
              3 |   level: { shape: ramp, from: nan, to: 1e300, over: 0ms }
                |                                        ^~~~~ less than 1e15

          device.yaml:3:53: error: '0ms' is too short
              3 |   level: { shape: ramp, from: nan, to: 1e300, over: 0ms }
                |                                                     ^~~ at least 1ms
          """)
  }

  @Test func `limits upside down`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: random-walk, min: 80, max: 60, step: 1, every: 1s } }
        """) == """
          device.yaml:1:49: error: 'min' is greater than 'max'
              1 | generators: { pulse: { shape: random-walk, min: 80, max: 60, step: 1, every: 1s } }
                |                                                 ^~
          """)
  }

  @Test func `a replay of a table that is none`() {
    #expect(
      diagnose(
        """
        generators: { trace: { shape: replay, table: ecg, column: value, every: 10ms } }
        """) == """
          device.yaml:1:46: error: no data table 'ecg'
              1 | generators: { trace: { shape: replay, table: ecg, column: value, every: 10ms } }
                |                                              ^~~
          """)
  }

  @Test func `a wrong generator is one mistake, whoever uses it`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: sine, min: 60, max: 80 } }
        rules:
          - { on: connect, if: pulse > 70, do: { log: "{pulse}" } }
        """) == """
          device.yaml:1:22: error: shape 'sine' needs 'period'
              1 | generators: { pulse: { shape: sine, min: 60, max: 80 } }
                |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a generator is not set`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: sine, min: 60, max: 80, period: 1s } }
        rules:
          - { on: connect, do: { set: { pulse: 70 } } }
        """) == """
          device.yaml:3:33: error: 'pulse' cannot be set
              3 |   - { on: connect, do: { set: { pulse: 70 } } }
                |                                 ^~~~~ only settings and variables can
          """)
  }

  @Test func `a decimal generator where a whole number stands`() {
    #expect(
      diagnose(
        """
        generators: { pulse: { shape: sine, min: 60, max: 80.5, period: 1s } }
        messages: { pulse: "{pulse: u8}" }
        rules:
          - { on: connect, do: { send: pulse } }
          - { on: disconnect, do: { send: pulse, with: { pulse: pulse } } }
        """) == """
          device.yaml:4:32: error: nothing fills 'pulse' of 'pulse'
              4 |   - { on: connect, do: { send: pulse } }
                |                                ^~~~~ 'pulse' is a decimal number here; add with: { pulse: … }

          device.yaml:5:57: error: expected an integer, found a decimal number
              5 |   - { on: disconnect, do: { send: pulse, with: { pulse: pulse } } }
                |                                                         ^~~~~ round it: ceil(…), floor(…) or round(…)
          """)
  }

  @Test func `a replay of a table without rows, which a value shows`() {
    #expect(
      diagnose(
        """
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], value: "{rate: u8}" }] }
        data:
          rates: { columns: { rate: integer }, rows: [] }
        generators:
          rate: { shape: replay, table: rates, column: rate, every: 1s }
        """) == """
          device.yaml:6:33: error: 'rates' has no rows
              6 |   rate: { shape: replay, table: rates, column: rate, every: 1s }
                |                                 ^~~~~
          """)
  }
}

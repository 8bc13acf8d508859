import Testing

@testable import Definitions

/// Names that two things have.
@Suite struct NameMistakes {
  @Test func `settings, variables and generators stand in the same expressions`() {
    #expect(
      diagnose(
        """
        settings: { level: { type: integer, default: 1 } }
        variables: { level: { type: integer, default: 1 }, pulse: { type: integer, default: 1 } }
        generators: { pulse: { shape: sine, min: 60, max: 80, period: 1s } }
        """) == """
          device.yaml:2:14: error: 'level' is a name of a setting, too
              2 | variables: { level: { type: integer, default: 1 }, pulse: { type: integer, default: 1 } }
                |              ^~~~~ choose another

          device.yaml:3:15: error: 'pulse' is a name of a variable, too
              3 | generators: { pulse: { shape: sine, min: 60, max: 80, period: 1s } }
                |               ^~~~~ choose another
          """)
  }

  @Test func `names of the language`() {
    #expect(
      diagnose(
        """
        settings: { state: { type: text, default: a }, value: { type: integer, default: 1 } }
        variables: { not: { type: boolean, default: true } }
        generators: { true: { shape: sine, min: 60, max: 80, period: 1s }, centrals: { shape: random, min: 0, max: 1, every: 1s } }
        """) == """
          device.yaml:1:13: error: 'state' is a name of the language
              1 | settings: { state: { type: text, default: a }, value: { type: integer, default: 1 } }
                |             ^~~~~ choose another

          device.yaml:1:48: error: 'value' is a name of the language
              1 | settings: { state: { type: text, default: a }, value: { type: integer, default: 1 } }
                |                                                ^~~~~ choose another

          device.yaml:2:14: error: 'not' is a name of the language
              2 | variables: { not: { type: boolean, default: true } }
                |              ^~~ choose another

          device.yaml:3:15: error: 'true' is a name of the language
              3 | generators: { true: { shape: sine, min: 60, max: 80, period: 1s }, centrals: { shape: random, min: 0, max: 1, every: 1s } }
                |               ^~~~ choose another

          device.yaml:3:68: error: 'centrals' is a name of the language
              3 | generators: { true: { shape: sine, min: 60, max: 80, period: 1s }, centrals: { shape: random, min: 0, max: 1, every: 1s } }
                |                                                                    ^~~~~~~~ choose another
          """)
  }

  @Test func `a variable that nothing sets, one that nothing reads, and one that is neither`() {
    #expect(
      diagnose(
        """
        variables:
          constant: { type: integer, default: 5 }
          written: { type: integer, default: 5 }
          forgotten: { type: integer, default: 5 }
          counter: { type: integer, default: 5 }
        rules:
          - { on: connect, if: constant > 4, do: { set: { written: constant, counter: counter + 1 } } }
        """) == """
          device.yaml:2:3: warning: nothing sets the variable 'constant'
              2 |   constant: { type: integer, default: 5 }
                |   ^~~~~~~~ an action sets it: { set: { constant: … } }; what never changes is a setting

          device.yaml:3:3: warning: nothing reads the variable 'written'
              3 |   written: { type: integer, default: 5 }
                |   ^~~~~~~ remove it

          device.yaml:4:3: warning: nothing uses the variable 'forgotten'
              4 |   forgotten: { type: integer, default: 5 }
                |   ^~~~~~~~~ remove it
          """)
  }

  @Test func `a wrong variable is one mistake, whoever uses it`() {
    #expect(
      diagnose(
        """
        variables: { count: { type: number, default: 0 } }
        rules:
          - { on: connect, if: count > 5, do: [{ set: { count: count + 1 } }, { log: "{count}" }] }
        """) == """
          device.yaml:1:29: error: unknown word 'number'
              1 | variables: { count: { type: number, default: 0 } }
                |                             ^~~~~~ known: text, integer, decimal, boolean, bytes
          """)
  }

  @Test func `a default outside the limits of a variable`() {
    #expect(
      diagnose(
        """
        variables: { count: { type: integer, min: 1, max: 5, default: 0 } }
        """) == """
          device.yaml:1:63: error: 0 is not in 1…5
              1 | variables: { count: { type: integer, min: 1, max: 5, default: 0 } }
                |                                                               ^
          """)
  }
}

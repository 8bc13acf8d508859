import Testing

@testable import Definitions

/// Mistakes in states.
@Suite struct StateMistakes {
  @Test func `a state that is none`() {
    #expect(
      diagnose(
        """
        states: [idle, measuring]
        rules:
          - { on: connect, in: idel, do: { enter: mesuring } }
          - { on: disconnect, in: [measuring, off], do: { enter: idle } }
          - { on: { leave: idler }, do: { enter: measuring } }
        """) == """
          device.yaml:3:24: error: no state 'idel'
              3 |   - { on: connect, in: idel, do: { enter: mesuring } }
                |                        ^~~~ did you mean 'idle'?

          device.yaml:3:43: error: no state 'mesuring'
              3 |   - { on: connect, in: idel, do: { enter: mesuring } }
                |                                           ^~~~~~~~ did you mean 'measuring'?

          device.yaml:4:39: error: no state 'off'
              4 |   - { on: disconnect, in: [measuring, off], do: { enter: idle } }
                |                                       ^~~ known: idle, measuring

          device.yaml:5:20: error: no state 'idler'
              5 |   - { on: { leave: idler }, do: { enter: measuring } }
                |                    ^~~~~ did you mean 'idle'?
          """)
  }

  @Test func `a device without states`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: { enter: measuring } }
        """) == """
          device.yaml:2:33: error: no state 'measuring'
              2 |   - { on: connect, do: { enter: measuring } }
                |                                 ^~~~~~~~~ declare it: states: [measuring]
          """)
  }

  @Test func `a state twice, and one that is no name`() {
    #expect(
      diagnose(
        """
        states: [idle, idle, 2nd, on air]
        """) == """
          device.yaml:1:16: error: a second state 'idle'
              1 | states: [idle, idle, 2nd, on air]
                |                ^~~~ remove one of them

          device.yaml:1:22: error: '2nd' is not a name
              1 | states: [idle, idle, 2nd, on air]
                |                      ^~~ a name has letters, digits and hyphens, and begins with a letter

          device.yaml:1:27: error: 'on air' is not a name
              1 | states: [idle, idle, 2nd, on air]
                |                           ^~~~~~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `no state at all`() {
    #expect(
      diagnose(
        """
        states: [idle, measuring]
        rules:
          - { on: connect, in: [], do: { enter: measuring } }
        """) == """
          device.yaml:3:24: error: the list is empty
              3 |   - { on: connect, in: [], do: { enter: measuring } }
                |                        ^~ without 'in' the rule fires in every state
          """)
  }

  @Test func `a state that nothing enters`() {
    #expect(
      diagnose(
        """
        states: [idle, measuring, broken]
        rules:
          - { on: connect, do: { enter: measuring } }
        """) == """
          device.yaml:1:27: warning: nothing enters the state 'broken'
              1 | states: [idle, measuring, broken]
                |                           ^~~~~~ an action enters it: { enter: broken }
          """)
  }

  @Test func `the first state is not entered at the start`() {
    #expect(
      diagnose(
        """
        states: [idle, measuring]
        rules:
          - { on: { enter: idle }, do: { log: hello } }
          - { on: connect, do: { enter: measuring } }
        """) == """
          device.yaml:3:20: warning: the first state is not entered at the start, and nothing enters it later
              3 |   - { on: { enter: idle }, do: { log: hello } }
                |                    ^~~~ use on: start
          """)
  }

  @Test func `a comparison with a state that is none`() {
    #expect(
      diagnose(
        """
        states: [idle, measuring]
        rules:
          - { on: connect, if: state == 'mesuring', do: { enter: measuring } }
        """) == """
          device.yaml:3:33: error: no state 'mesuring'
              3 |   - { on: connect, if: state == 'mesuring', do: { enter: measuring } }
                |                                 ^~~~~~~~~~ did you mean 'measuring'?
          """)
  }
}

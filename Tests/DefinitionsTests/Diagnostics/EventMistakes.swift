import Testing

@testable import Definitions

/// Mistakes in what a rule waits for.
@Suite struct EventMistakes {
  @Test func `an event that is none, with its object`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { recieve: hello }, do: { log: hello } }
        """) == """
          device.yaml:2:13: error: an event has no key 'recieve'
              2 |   - { on: { recieve: hello }, do: { log: hello } }
                |             ^~~~~~~ did you mean 'receive'?
          """)
  }

  @Test func `an event of which it is not said what`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: timer, do: { log: hello } }
          - { on: {}, do: { log: hello } }
        """) == """
          device.yaml:2:11: error: 'timer' of what?
              2 |   - { on: timer, do: { log: hello } }
                |           ^~~~~ write { timer: … }

          device.yaml:3:11: error: an event says what it is
              3 |   - { on: {}, do: { log: hello } }
                |           ^~ one of receive, read, write, subscribe, unsubscribe, timer, enter, leave
          """)
  }

  @Test func `a place of an event that has none`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { subscribe: serial, from: serial }, do: { log: hello } }
        """) == """
          device.yaml:2:38: error: 'from' goes with 'receive'
              2 |   - { on: { subscribe: serial, from: serial }, do: { log: hello } }
                |                                      ^~~~~~ remove it
          """)
  }

  @Test func `a message from a place that is none, or where nothing arrives`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        services:
          - uuid: FFE0
            characteristics:
              - { id: inlet, uuid: FFE1, properties: [write] }
              - { id: outlet, uuid: FFE2, properties: [notify] }
        rules:
          - { on: { receive: hello, from: inlett }, do: { log: hello } }
          - { on: { receive: hello, from: outlet }, do: { log: hello } }
          - { on: { receive: hello, from: Wire }, do: { log: hello } }
        """) == """
          device.yaml:9:35: error: no characteristic has the id 'inlett'
              9 |   - { on: { receive: hello, from: inlett }, do: { log: hello } }
                |                                   ^~~~~~ did you mean 'inlet'?

          device.yaml:10:35: error: 'outlet' cannot be written
             10 |   - { on: { receive: hello, from: outlet }, do: { log: hello } }
                |                                   ^~~~~~ add write or write-without-response to its properties

          device.yaml:11:35: error: no characteristic has the id 'Wire'
             11 |   - { on: { receive: hello, from: Wire }, do: { log: hello } }
                |                                   ^~~~ did you mean 'wire'?
          """)
  }

  @Test func `a message where nothing can be written`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        services:
          - uuid: FFE0
            characteristics:
              - { id: outlet, uuid: FFE2, properties: [read, notify] }
        rules:
          - { on: { receive: hello }, do: { log: hello } }
        """) == """
          device.yaml:8:22: error: no characteristic can be written, so nothing is received
              8 |   - { on: { receive: hello }, do: { log: hello } }
                |                      ^~~~~ add write to the properties of one, or 'from: wire'
          """)
  }

  @Test func `a field of another message`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: { receive: hello }, if: n > 5, do: { log: "{n}" } }
        """) == """
          device.yaml:4:35: error: unknown name 'n'
              4 |   - { on: { receive: hello }, if: n > 5, do: { log: "{n}" } }
                |                                   ^ known: address, central, centrals, frame, origin, state, unix-time, uptime

          device.yaml:4:55: error: unknown name 'n'
              4 |   - { on: { receive: hello }, if: n > 5, do: { log: "{n}" } }
                |                                                       ^ known: address, central, centrals, frame, origin, state, unix-time, uptime
          """)
  }

  @Test func `a message with the name of all frames`() {
    #expect(
      diagnose(
        """
        messages: { any: "A5" }
        rules:
          - { on: { receive: any }, do: { log: "{frame}" } }
        """) == """
          device.yaml:1:13: error: 'any' stands for any frame
              1 | messages: { any: "A5" }
                |             ^~~ choose another name
          """)
  }
}

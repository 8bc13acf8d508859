import Testing

@testable import Definitions

/// Mistakes in rules and their expressions.
@Suite struct RuleMistakes {
  @Test func `an event that is none`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: conect, do: { log: hello } }
        """) == """
          device.yaml:2:11: error: unknown word 'conect'
              2 |   - { on: conect, do: { log: hello } }
                |           ^~~~~~ did you mean 'connect'?
          """)
  }

  @Test func `an event without its object`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: receive, do: { log: hello } }
        """) == """
          device.yaml:2:11: error: 'receive' of what?
              2 |   - { on: receive, do: { log: hello } }
                |           ^~~~~~~ write { receive: … }
          """)
  }

  @Test func `a place that is named twice`() {
    #expect(
      diagnose(
        """
        messages: { ping: "01" }
        rules:
          - { on: { receive: ping, from: [serial, wire, serial] }, do: { log: hello } }
        """) == """
          device.yaml:3:49: error: a second 'serial'
              3 |   - { on: { receive: ping, from: [serial, wire, serial] }, do: { log: hello } }
                |                                                 ^~~~~~ remove one of them
          """)
  }

  @Test func `two events`() {
    #expect(
      diagnose(
        """
        rules:
          - on: { subscribe: serial, unsubscribe: serial }
            do: { log: hello }
        """) == """
          device.yaml:2:43: error: an event is one thing, not 'subscribe' and 'unsubscribe'
              2 |   - on: { subscribe: serial, unsubscribe: serial }
                |                                           ^~~~~~ keep one of them
          """)
  }

  @Test func `an unknown name in an expression`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packets: monht + 1 } }
        """) == """
          device.yaml:6:45: error: unknown name 'monht'
              6 |     do: { send: day-total, with: { packets: monht + 1 } }
                |                                             ^~~~~ did you mean 'month'?
          """)
  }

  @Test func `a subtraction without spaces`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packets: month-day } }
        """) == """
          device.yaml:6:45: error: unknown name 'month-day'
              6 |     do: { send: day-total, with: { packets: month-day } }
                |                                             ^~~~~~~~~ to subtract, put spaces around '-'
          """)
  }

  @Test func `a decimal number into a whole one`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packets: month / 2 } }
        """) == """
          device.yaml:6:45: error: expected an integer, found a decimal number
              6 |     do: { send: day-total, with: { packets: month / 2 } }
                |                                             ^~~~~~~~~ round it: ceil(…), floor(…) or round(…)
          """)
  }

  @Test func `a condition that is a number`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            if: month
            do: { log: hello }
        """) == """
          device.yaml:6:9: error: expected true or false, found an integer
              6 |     if: month
                |         ^~~~~
          """)
  }

  @Test func `a field that nothing fills`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total }
        """) == """
          device.yaml:6:17: error: nothing fills 'packets' of 'day-total'
              6 |     do: { send: day-total }
                |                 ^~~~~~~~~ add with: { packets: … }
          """)
  }

  @Test func `a field that the message does not have`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packet: 1, packets: 1 } }
        """) == """
          device.yaml:6:36: error: 'day-total' has no field 'packet'
              6 |     do: { send: day-total, with: { packet: 1, packets: 1 } }
                |                                    ^~~~~~ did you mean 'packets'?
          """)
  }

  @Test func `a constant that does not fit its field`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packets: 70000 } }
        """) == """
          device.yaml:6:45: error: 'packets': 70000 is not in 0…65535
              6 |     do: { send: day-total, with: { packets: 70000 } }
                |                                             ^~~~~
          """)
  }

  @Test func `an unknown message`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-requests }
            do: { send: total }
          - on: { receive: day-request }
            do: { send: totals }
        """) == """
          device.yaml:5:20: error: unknown message 'day-requests'
              5 |   - on: { receive: day-requests }
                |                    ^~~~~~~~~~~~ did you mean 'day-request'?

          device.yaml:6:17: error: unknown message 'total'
              6 |     do: { send: total }
                |                 ^~~~~ known: day-request, day-total

          device.yaml:8:17: error: unknown message 'totals'
              8 |     do: { send: totals }
                |                 ^~~~~~ known: day-request, day-total
          """)
  }

  @Test func `a wrong message is one mistake, whoever sends it`() {
    #expect(
      diagnose(
        """
        messages:
          hello: "A5 {x: u7}"
        rules:
          - on: { receive: hello }
            do: { send: hello }
        """) == """
          device.yaml:2:18: error: unknown field type 'u7'
              2 |   hello: "A5 {x: u7}"
                |                  ^~ did you mean 'u8'?
          """)
  }

  @Test func `a message that nothing can carry`() {
    #expect(
      diagnose(
        """
        messages:
          hello: "A5"
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1, properties: [write] }
        rules:
          - on: { receive: hello }
            do: { send: hello }
        """) == """
          device.yaml:9:9: error: where to?
              9 |     do: { send: hello }
                |         ^~~~~~~~~~~~~~~ add 'to:' and one of wire
          """)
  }

  @Test func `a message to where nobody can subscribe`() {
    #expect(
      diagnose(
        """
        messages:
          hello: "A5"
        services:
          - uuid: FFE0
            characteristics:
              - { id: inlet, uuid: FFE1, properties: [write] }
              - { id: outlet, uuid: FFE2, properties: [notify] }
              - { id: another, uuid: FFE3, properties: [indicate] }
        rules:
          - { on: connect, do: { send: hello, to: inlet } }
          - { on: connect, do: { send: hello } }
          - { on: { subscribe: inlet }, do: { send: hello, to: outlet } }
        """) == """
          device.yaml:10:43: error: nobody can subscribe to 'inlet'
             10 |   - { on: connect, do: { send: hello, to: inlet } }
                |                                           ^~~~~ it has neither notify nor indicate

          device.yaml:11:24: error: where to?
             11 |   - { on: connect, do: { send: hello } }
                |                        ^~~~~~~~~~~~~~~ add 'to:' and one of outlet, another, wire

          device.yaml:12:24: error: nobody can subscribe to 'inlet'
             12 |   - { on: { subscribe: inlet }, do: { send: hello, to: outlet } }
                |                        ^~~~~ it has neither notify nor indicate
          """)
  }

  @Test func `two actions in one`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { send: day-total, with: { packets: 1 }, log: hello }
        """) == """
          device.yaml:6:55: error: an action is one thing, not 'send' and 'log'
              6 |     do: { send: day-total, with: { packets: 1 }, log: hello }
                |                                                       ^~~~~ keep one of them
          """)
  }

  @Test func `an action that does nothing`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { with: { packets: 1 } }
        """) == """
          device.yaml:6:9: error: an action says what it is
              6 |     do: { with: { packets: 1 } }
                |         ^~~~~~~~~~~~~~~~~~~~~~~~ one of send, respond, refuse, set, enter, start, stop, wait, repeat, then, hold, release, advertise, log
          """)
  }

  @Test func `an expression without its end`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            if: (month + 1
            do: { log: "day {day +}" }
        """) == """
          device.yaml:6:19: error: expected ')', found the end
              6 |     if: (month + 1
                |                   ^

          device.yaml:7:27: error: expected a value, found the end
              7 |     do: { log: "day {day +}" }
                |                           ^
          """)
  }

  @Test func `an unknown function, and a function of another type`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total: "A5 06 83 {packets: u16le} {xor8}"
        rules:
          - on: { receive: day-request }
            if: ciel(month) == 1
            do: { log: "{size(day)}" }
        """) == """
          device.yaml:6:9: error: unknown function 'ciel'
              6 |     if: ciel(month) == 1
                |         ^~~~~~~~~~~ did you mean 'ceil'?

          device.yaml:7:18: error: 'size' takes bytes, text or a group
              7 |     do: { log: "{size(day)}" }
                |                  ^~~~~~~~~
          """)
  }
}

import Testing

@testable import Definitions
@testable import DeviceModel

/// Mistakes in answers to reads and writes.
@Suite struct AnswerMistakes {
  @Test func `an error that is none`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { write: serial }, do: { refuse: value-not-alowed } }
          - { on: { read: serial }, do: { refuse: "0x00" } }
        """) == """
          device.yaml:2:44: error: unknown ATT error 'value-not-alowed'
              2 |   - { on: { write: serial }, do: { refuse: value-not-alowed } }
                |                                            ^~~~~~~~~~~~~~~~ did you mean 'value-not-allowed'?

          device.yaml:3:43: error: unknown ATT error '0x00'
              3 |   - { on: { read: serial }, do: { refuse: "0x00" } }
                |                                           ^~~~~~
          """)
  }

  @Test func `nothing to refuse, and nothing to answer`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: { receive: hello }, do: { refuse: unlikely-error } }
          - { on: connect, do: { respond: hello } }
          - { on: { write: serial }, do: { respond: hello } }
        """) == """
          device.yaml:4:45: error: there is nothing to refuse in this rule
              4 |   - { on: { receive: hello }, do: { refuse: unlikely-error } }
                |                                             ^~~~~~~~~~~~~~ only 'on: { read: ID }' and 'on: { write: ID }' have it

          device.yaml:5:35: error: there is nothing to answer in this rule
              5 |   - { on: connect, do: { respond: hello } }
                |                                   ^~~~~ only 'on: { read: ID }' has it

          device.yaml:6:45: error: there is nothing to answer in this rule
              6 |   - { on: { write: serial }, do: { respond: hello } }
                |                                             ^~~~~ only 'on: { read: ID }' has it
          """)
  }

  @Test func `an answer behind a wait`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: { read: serial }, do: [{ wait: 10ms }, { respond: hello }] }
          - on: { write: serial }
            do:
              - { repeat: 2, do: { wait: 10ms } }
              - { refuse: unlikely-error }
        """) == """
          device.yaml:4:61: error: the central has had its answer before the wait
              4 |   - { on: { read: serial }, do: [{ wait: 10ms }, { respond: hello }] }
                |                                                             ^~~~~ move it up

          device.yaml:8:19: error: the central has had its answer before the wait
              8 |       - { refuse: unlikely-error }
                |                   ^~~~~~~~~~~~~~ move it up
          """)
  }

  @Test func `a second answer`() {
    #expect(
      diagnose(
        """
        messages: { hello: "A5", number: "A5 {n: u8}" }

        rules:
          - { on: { read: serial }, do: [{ respond: hello }, { if: centrals > 1, respond: hello }] }
        """) == """
          device.yaml:4:83: error: the central has had its answer before
              4 |   - { on: { read: serial }, do: [{ respond: hello }, { if: centrals > 1, respond: hello }] }
                |                                                                                   ^~~~~ keep one of them
          """)
  }

  @Test func `an answer too long for an attribute`() {
    #expect(
      diagnose(
        """
        messages: { long: "{data: bytes(512)} {check: u8}" }
        rules:
          - { on: { read: serial }, do: { respond: long, with: { data: address, check: 0 } } }
        """) == """
          device.yaml:3:44: error: 513 bytes; an attribute holds at most 512
              3 |   - { on: { read: serial }, do: { respond: long, with: { data: address, check: 0 } } }
                |                                            ^~~~
          """)
  }

  @Test func `what stands behind the end of a rule`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [reset, { log: never }] }
          - { on: { write: serial }, do: [{ refuse: unlikely-error }, { log: never }] }
          - { on: { read: serial }, do: [{ if: centrals > 1, refuse: unlikely-error }, { log: often }] }
        """) == """
          device.yaml:2:32: error: nothing is done behind 'reset', which ends the rule
              2 |   - { on: connect, do: [reset, { log: never }] }
                |                                ^~~~~~~~~~~~~~ move it up, or remove it

          device.yaml:3:63: error: nothing is done behind 'refuse', which ends the rule
              3 |   - { on: { write: serial }, do: [{ refuse: unlikely-error }, { log: never }] }
                |                                                               ^~~~~~~~~~~~~~ move it up, or remove it
          """)
  }

  @Test func `an error that BlueZ cannot send`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { write: serial }, if: value.size > 1, do: { refuse: value-not-allowed } }
          - { on: { write: serial }, if: value.size > 0, do: { refuse: read-not-permitted } }
          - { on: { write: serial }, do: { refuse: write-not-permitted } }
          - { on: { read: serial }, if: centrals > 1, do: { refuse: write-not-permitted } }
          - { on: { read: serial }, do: { refuse: "0x9F" } }
        """) == """
          device.yaml:2:64: warning: BlueZ cannot send Value Not Allowed (0x13): the central gets Unlikely Error (0x0E)
              2 |   - { on: { write: serial }, if: value.size > 1, do: { refuse: value-not-allowed } }
                |                                                                ^~~~~~~~~~~~~~~~~ it sends 02 or 03, 06, 07, 08, 0D, 0E, 80 to 9F, FD, FE

          device.yaml:3:64: warning: BlueZ cannot send Read Not Permitted (0x02): the central gets Write Not Permitted (0x03)
              3 |   - { on: { write: serial }, if: value.size > 0, do: { refuse: read-not-permitted } }
                |                                                                ^~~~~~~~~~~~~~~~~~ it sends 02 or 03, 06, 07, 08, 0D, 0E, 80 to 9F, FD, FE

          device.yaml:5:61: warning: BlueZ cannot send Write Not Permitted (0x03): the central gets Read Not Permitted (0x02)
              5 |   - { on: { read: serial }, if: centrals > 1, do: { refuse: write-not-permitted } }
                |                                                             ^~~~~~~~~~~~~~~~~~~ it sends 02 or 03, 06, 07, 08, 0D, 0E, 80 to 9F, FD, FE
          """)
  }

  @Test func `an error where BlueZ answers by itself`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1, properties: [read, write, write-without-response] }
        rules:
          - { on: { write: serial }, do: { refuse: unlikely-error } }
          - { on: { read: serial }, do: { refuse: unlikely-error } }
        """) == """
          device.yaml:6:44: warning: no central gets this error: BlueZ answers every write to 'serial' by itself
              6 |   - { on: { write: serial }, do: { refuse: unlikely-error } }
                |                                            ^~~~~~~~~~~~~~ because it has both write and write-without-response; keep one of them
          """)
  }

  @Test func `what cannot be read, and what cannot be written`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: inlet, uuid: FFE1, properties: [write] }
              - { id: outlet, uuid: FFE2, properties: [read, notify] }
        rules:
          - { on: { read: inlet }, do: { refuse: unlikely-error } }
          - { on: { write: outlet }, do: { refuse: unlikely-error } }
          - { on: { read: outlett }, do: { refuse: unlikely-error } }
        """) == """
          device.yaml:7:19: error: 'inlet' cannot be read
              7 |   - { on: { read: inlet }, do: { refuse: unlikely-error } }
                |                   ^~~~~ add read to its properties

          device.yaml:8:20: error: 'outlet' cannot be written
              8 |   - { on: { write: outlet }, do: { refuse: unlikely-error } }
                |                    ^~~~~~ add write or write-without-response to its properties

          device.yaml:9:19: error: no characteristic has the id 'outlett'
              9 |   - { on: { read: outlett }, do: { refuse: unlikely-error } }
                |                   ^~~~~~~ did you mean 'outlet'?
          """)
  }

  @Test func `a frame's origin that none of the rule's is`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { receive: any, from: [serial, wire] }, if: origin == 'wire' or 'serail' == origin, do: { log: a } }
          - { on: start, do: { log: "{origin}" } }
        """) == """
          device.yaml:2:75: error: nothing comes from 'serail' here
              2 |   - { on: { receive: any, from: [serial, wire] }, if: origin == 'wire' or 'serail' == origin, do: { log: a } }
                |                                                                           ^~~~~~~~ did you mean 'serial'?

          device.yaml:3:31: error: there is no 'origin' here
              3 |   - { on: start, do: { log: "{origin}" } }
                |                               ^~~~~~ only 'on: { receive: … }' has it
          """)
  }

  @Test func `a written value where nothing is written`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: { read: serial }, if: value.size > 0, do: { refuse: unlikely-error } }
          - { on: connect, do: { log: "{frame} {offset}" } }
        """) == """
          device.yaml:2:33: error: there is no 'value' here
              2 |   - { on: { read: serial }, if: value.size > 0, do: { refuse: unlikely-error } }
                |                                 ^~~~~ only 'on: { write: ID }' has it

          device.yaml:3:33: error: there is no 'frame' here
              3 |   - { on: connect, do: { log: "{frame} {offset}" } }
                |                                 ^~~~~ only 'on: { receive: … }' has it
          """)
  }
}

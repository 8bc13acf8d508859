import Testing

/// What is wrong with a transcript, as a person sees it.
@Suite struct MistakeTests {
  /// Lines that follow `connect` and `subscribe control`, each with what is said about it.
  @Test(arguments: [
    (
      "sibscribe control",
      """
      3:1: error: no line begins like this
          3 | sibscribe control
            | ^~~~~~~~~ did you mean 'subscribe'?
      """
    ),
    (
      ">control A5",
      """
      3:1: error: no line begins like this
          3 | >control A5
            | ^~~~~~~~ a blank belongs behind '>'
      """
    ),
    (
      "subscribe contorl",
      """
      3:11: error: no characteristic has the id 'contorl'
          3 | subscribe contorl
            |           ^~~~~~~ did you mean 'control'?
      """
    ),
    (
      "subscribe",
      """
      3:10: error: a characteristic is missing
          3 | subscribe
            |          ^ known: control, fast, frames, secret, spare
      """
    ),
    (
      "< secret 00",
      """
      3:3: error: 'secret' neither notifies nor indicates
          3 | < secret 00
            |   ^~~~~~
      """
    ),
    (
      "read control/2902",
      """
      3:6: error: 'control' has no descriptor '2902'
          3 | read control/2902
            |      ^~~~~~~~~~~~ did you mean '2901'?
      """
    ),
    (
      ">! control/2901 00",
      """
      3:1: error: a descriptor is written by request
          3 | >! control/2901 00
            | ^~~~~~~~~~~~~~~~~~ write '>'
      """
    ),
    (
      "> control",
      """
      3:10: error: a value is missing
          3 | > control
            |          ^ bytes as A5 06, text as "OK", or a message; "" is empty
      """
    ),
    (
      "> control  A5 0",
      """
      3:15: error: a byte has two hex digits
          3 | > control  A5 0
            |               ^
      """
    ),
    (
      "> control  aks number=1",
      """
      3:12: error: 'aks' is neither bytes nor a message
          3 | > control  aks number=1
            |            ^~~ did you mean 'ask'?
      """
    ),
    (
      "> control  A5 **",
      """
      3:12: error: what is written has no '**' and no '...'
          3 | > control  A5 **
            |            ^~~~~
      """
    ),
    (
      "< control  A5 ... 06",
      """
      3:19: error: nothing stands behind '...'
          3 | < control  A5 ... 06
            |                   ^~
      """
    ),
    (
      "> control  A5 number=1",
      """
      3:15: error: only a message has fields
          3 | > control  A5 number=1
            |               ^~~~~~~~ messages: ask, answer, label, leave, hide, chatter, echo, stream, both, roll, piece, cells
      """
    ),
    (
      "> control  ask",
      """
      3:12: error: 'ask' lacks number
          3 | > control  ask
            |            ^~~
      """
    ),
    (
      "> control  ask 5",
      """
      3:16: error: expected FIELD=VALUE
          3 | > control  ask 5
            |                ^ fields: number
      """
    ),
    (
      "> control  ask numbre=5",
      """
      3:16: error: 'ask' has no field 'numbre'
          3 | > control  ask numbre=5
            |                ^~~~~~ did you mean 'number'?
      """
    ),
    (
      "> control  ask number=five",
      """
      3:23: error: 'number' is a whole number
          3 | > control  ask number=five
            |                       ^~~~ as 17 or 0x11
      """
    ),
    (
      "> control  ask number=300",
      """
      3:12: error: 'ask' cannot be built: 300 is not in 0…255
          3 | > control  ask number=300
            |            ^~~
      """
    ),
    (
      "> control  cells cells[1].v=1",
      """
      3:12: error: 'cells' lacks cells[0].v, cells[0].on, cells[1].on
          3 | > control  cells cells[1].v=1
            |            ^~~~~
      """
    ),
    (
      "> control  cells cells=1",
      """
      3:18: error: 'cells' has rows
          3 | > control  cells cells=1
            |                  ^~~~~~~ as in cells[0].NAME=VALUE, cells.size=2
      """
    ),
    (
      "> control  cells cells[0].w=1",
      """
      3:18: error: 'cells' has no field 'cells[0].w'
          3 | > control  cells cells[0].w=1
            |                  ^~~~~~~~~~ did you mean 'cells[0].v'?
      """
    ),
    (
      "< control  ask number=1 number=2",
      """
      3:25: error: 'number' is given twice
          3 | < control  ask number=1 number=2
            |                         ^~~~~~~~
      """
    ),
    (
      "> control  answer number=1 note=0x01",
      """
      3:33: error: '0x01' is neither bytes nor a message
          3 | > control  answer number=1 note=0x01
            |                                 ^~~~ bytes as A5 06, ** and ...; text as "OK"
      """
    ),
    (
      "> control  \"OK",
      """
      3:12: error: the closing quote is missing
          3 | > control  "OK
            |            ^
      """
    ),
    (
      "> control  \"O\"K",
      """
      3:14: error: a blank is missing behind the quote
          3 | > control  "O"K
            |              ^ a quote inside is \\"
      """
    ),
    (
      "> control  O\"K\"",
      """
      3:13: error: a blank is missing before the quote
          3 | > control  O"K"
            |             ^
      """
    ),
    (
      "> control  \"\\q\"",
      """
      3:13: error: unknown escape
          3 | > control  "\\q"
            |             ^~ known: \\r, \\n, \\t, \\\\, \\", \\xNN
      """
    ),
    (
      "< control  A5 after 300",
      """
      3:21: error: expected a duration
          3 | < control  A5 after 300
            |                     ^~~ a number with ms, s or min, as in 200ms
      """
    ),
    (
      "< control  A5 after 1s after 2s",
      """
      3:24: error: nothing more belongs here
          3 | < control  A5 after 1s after 2s
            |                        ^~~~~ after 300ms, or within 20s; repeated
      """
    ),
    (
      "disconnected repeated",
      """
      3:14: error: nothing more belongs here
          3 | disconnected repeated
            |              ^~~~~~~~ after 300ms, or within 20s
      """
    ),
    (
      "! no-such-error",
      """
      3:3: error: unknown ATT error
          3 | ! no-such-error
            |   ^~~~~~~~~~~~~ as value-not-allowed, application-error-80 or 0x80
      """
    ),
    (
      "connect mtu=9",
      """
      3:13: error: an MTU is a number from 23 to 517
          3 | connect mtu=9
            |             ^
      """
    ),
    (
      "wait",
      """
      3:5: error: a duration is missing
          3 | wait
            |     ^ a number with ms, s or min, as in 200ms
      """
    ),
    (
      "+5",
      """
      3:1: error: expected a duration behind '+'
          3 | +5
            | ^~ a number with ms, s or min, as in 200ms
      """
    ),
    (
      "finds",
      """
      3:6: error: what it finds is missing
          3 | finds
            |      ^ a service's UUID and a characteristic's, as in FFE0/FFE1
      """
    ),
    (
      "finds FFE0/FFE1 FFE0/serial",
      """
      3:17: error: expected SERVICE/CHARACTERISTIC
          3 | finds FFE0/FFE1 FFE0/serial
            |                 ^~~~~~~~~~~ a service's UUID and a characteristic's, as in FFE0/FFE1
      """
    ),
    (
      "advertises name=Scale",
      """
      3:12: error: an advertisement has no 'name'
          3 | advertises name=Scale
            |            ^~~~ known: local-name, services, manufacturer-data, service-data, tx-power, appearance, \
      discoverable, connectable, interval, raw
      """
    ),
    (
      "advertises manufacturer-data=0102",
      """
      3:30: error: expected KEY:BYTES
          3 | advertises manufacturer-data=0102
            |                              ^~~~ KEY: 4 hex digits, as in 4D48:01**
      """
    ),
    (
      "advertises tx-power=200",
      """
      3:21: error: expected a number from -128 to 127
          3 | advertises tx-power=200
            |                     ^~~
      """
    ),
    (
      "advertises interval=100",
      """
      3:21: error: expected an advertising interval
          3 | advertises interval=100
            |                     ^~~ as in 100ms, or 100ms-200ms
      """
    ),
    (
      "not on the air",
      """
      3:5: error: expected 'not advertising'
          3 | not on the air
            |     ^~
      """
    ),
    (
      "disconnect now",
      """
      3:12: error: nothing more belongs here
          3 | disconnect now
            |            ^~~
      """
    ),
    (
      "== ",
      """
      3:1: error: the section's title is missing
          3 | ==\(" ")
            | ^~ as in == Asking for a day
      """
    ),
  ])
  func `a line that says nothing that can be done`(line: String, said: String) {
    #expect(mistakes("connect\nsubscribe control\n\(line)") == "scale.transcript:" + said)
  }

  /// Lines that are right by themselves.
  @Test(arguments: [
    (
      "finds FFE0/FFE1",
      """
      1:1: error: no central is connected
          1 | finds FFE0/FFE1
            | ^~~~~~~~~~~~~~~ write 'connect' before it
      """
    ),
    (
      "read control",
      """
      1:1: error: no central is connected
          1 | read control
            | ^~~~~~~~~~~~ write 'connect' before it
      """
    ),
    (
      "connect\nconnect",
      """
      2:1: error: the central is connected already
          2 | connect
            | ^~~~~~~ write 'disconnect' before it
      """
    ),
    (
      "connect\n< control  00",
      """
      2:1: error: nobody has subscribed to 'control'
          2 | < control  00
            | ^~~~~~~~~~~~~ write 'subscribe control' before it
      """
    ),
    (
      "connect\nread control\nwait 1s\n= 00",
      """
      4:1: error: nothing was read
          4 | = 00
            | ^~~~ '=' follows 'read'
      """
    ),
    (
      "connect\n> fast  00\n! write-not-permitted  # never",
      """
      3:1: error: a command is never refused
          3 | ! write-not-permitted  # never
            | ^~~~~~~~~~~~~~~~~~~~~ write '>?' for a request
      """
    ),
    (
      "connect\n! write-not-permitted",
      """
      2:1: error: nothing was requested
          2 | ! write-not-permitted
            | ^~~~~~~~~~~~~~~~~~~~~ '!' follows a write, a read or 'subscribe'
      """
    ),
    (
      "connect\nset limit=2",
      """
      2:1: error: settings are chosen before the device goes on the air
          2 | set limit=2
            | ^~~~~~~~~~~ write it at the section's beginning
      """
    ),
    (
      "set limti=2",
      """
      1:5: error: the definition has no setting 'limti'
          1 | set limti=2
            |     ^~~~~ did you mean 'limit'?
      """
    ),
    (
      "set limit=10",
      """
      1:11: error: 10 is not in 0…9
          1 | set limit=10
            |           ^~
      """
    ),
    (
      "seed -1",
      """
      1:6: error: expected a whole number that is not negative
          1 | seed -1
            |      ^~ as in seed 7
      """
    ),
    (
      "connect\npaced",
      """
      2:1: error: the serial side's speed is kept before the device goes on the air
          2 | paced
            | ^~~~~ write it at the section's beginning
      """
    ),
    (
      "paced 9600",
      """
      1:7: error: nothing more belongs here
          1 | paced 9600
            |       ^~~~
      """
    ),
    (
      "connect\n== One\nconnect",
      """
      1:1: error: this stands before the first section
          1 | connect
            | ^~~~~~~ begin with '== TITLE'
      """
    ),
    (
      "== One\ndevice scale.yaml",
      """
      2:1: error: 'device' stands before the first section
          2 | device scale.yaml
            | ^~~~~~~~~~~~~~~~~
      """
    ),
    (
      "device ../scale.yaml",
      """
      1:8: error: expected the name of a file
          1 | device ../scale.yaml
            |        ^~~~~~~~~~~~~ the definition stands in the same folder
      """
    ),
    (
      "# nothing yet",
      """
      1:1: error: the transcript is empty
          1 | # nothing yet
            | ^ it begins with '== TITLE'
      """
    ),
  ])
  func `a line that cannot stand where it stands`(text: String, said: String) {
    #expect(mistakes(text) == "scale.transcript:" + said)
  }

  @Test func `all mistakes are said at once, and nothing that follows from one`() {
    #expect(
      mistakes(
        """
        == One
        conect
        read control
        > contrl 00
        == Two
        read control
        """) == """
          scale.transcript:2:1: error: no line begins like this
              2 | conect
                | ^~~~~~ did you mean 'connect'?

          scale.transcript:4:3: error: no characteristic has the id 'contrl'
              4 | > contrl 00
                |   ^~~~~~ did you mean 'control'?

          scale.transcript:6:1: error: no central is connected
              6 | read control
                | ^~~~~~~~~~~~ write 'connect' before it
          """)
  }

  @Test func `a device without a serial side`() {
    let bare = define(
      """
      blemu: 1
      name: Bare
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
      """)
    #expect(
      mistakes("] wire  00", in: bare) == """
        scale.transcript:1:3: error: Bare has no serial side
            1 | ] wire  00
              |   ^~~~
        """)
  }
}

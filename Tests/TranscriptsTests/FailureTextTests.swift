import Testing

@testable import Transcripts

/// What a person reads of a conversation that went another way.
@Suite struct FailureTextTests {
  @Test func `both sides stand beside each other, marked where they part`() async throws {
    let text = try await report(
      of: """
        == Asking
        connect
        subscribe control
        > control  ask number=5
        < control  answer number=6  after 300ms
        silence 1s
        disconnect
        connect
        """)
    #expect(
      text == """
        scale.transcript:5: Asking: number is 5, not 6

                 expected                                    time  came
              2  connect                                    0.000  connect
              3  subscribe control                          0.000  subscribe control
              4  > control  ask number=5                    0.000  > control  01 05
        ->    5  < control  answer number=6  after 300ms    0.300  < control  81 05  answer number=5 note=""
              6  silence 1s
              7  disconnect
        """)
  }

  @Test func `what was not looked at stands behind, and lines before are left out`() async throws {
    let text = try await report(
      of: """
        == Chatter
        connect
        subscribe control
        read control
        = 34 15
        unsubscribe control
        subscribe control
        > control  chatter count=9 every=1
        wait 1s
        """)
    #expect(
      text == """
        scale.transcript:9: Chatter: no line expects this: < control  81 00  answer number=0 note=""

                 expected                               time  came
                 …                                            …
              4  read control                          0.000  read control
              5  = 34 15                               0.000  = 34 15
              6  unsubscribe control                   0.000  unsubscribe control
              7  subscribe control                     0.000  subscribe control
              8  > control  chatter count=9 every=1    0.000  > control  04 09 00 01
              9  wait 1s                               0.000  wait 1s
        ->                                             0.001  < control  81 00  answer number=0 note=""
                                                       0.002  < control  81 01  answer number=1 note=""
                                                       0.003  < control  81 02  answer number=2 note=""
                                                       0.004  < control  81 03  answer number=3 note=""
                                                              … 5 more
        """)
  }

  @Test func `nothing came`() async throws {
    let text = try await report(
      of: """
        connect
        subscribe control
        > control  FF "?"
        < control  answer  within 1.5s
        """)
    #expect(
      text == """
        scale.transcript:4: scale: nothing came within 1.5 s

                 expected                           time  came
              1  connect                           0.000  connect
              2  subscribe control                 0.000  subscribe control
              3  > control  FF "?"                 0.000  > control  FF 3F
                                                   0.000  ! control  FF 3F  no rule takes this frame
        ->    4  < control  answer  within 1.5s           (nothing)
        """)
  }

  @Test func `a refusal that no line expects`() async throws {
    let text = try await report(of: "connect\n> secret  \"long\"\nread secret")
    #expect(
      text == """
        scale.transcript:2: scale: refused: Value Not Allowed (0x13)

                 expected             time  came
              1  connect             0.000  connect
        ->    2  > secret  "long"    0.000  > secret  6C 6F 6E 67  "long"
                                            ! value-not-allowed
              3  read secret
        """)
  }

  @Test func `long lines go on in the next`() async throws {
    let text = try await report(
      of: """
        connect mtu=100
        subscribe control
        > control  echo data="Nobody knows how long a line can be before it is too long."
        < control  answer note="Nobody knows how long a line can be before it is too short." number=1
        """)
    #expect(
      text == """
        scale.transcript:4: scale: note: byte 53 is 6C, not 73

                 expected                                         time  came
              1  connect mtu=100                                 0.000  connect mtu=100
              2  subscribe control                               0.000  subscribe control
              3  > control  echo data="Nobody knows how long     0.000  > control  05 4E 6F 62 6F 64 79 20 6B 6E 6F 77 73 20 68 6F 77
                   a line can be before it is too long."                  20 6C 6F 6E 67 20 61 20 6C 69 6E 65 20 63 61 6E 20 62 65 20
                                                                          62 65 66 6F 72 65 20 69 74 20 69 73 20 74 6F 6F 20 6C 6F 6E
                                                                          67 2E
        ->    4  < control  answer note="Nobody knows how        0.000  < control  81 01 4E 6F 62 6F 64 79 20 6B 6E 6F 77 73 20 68 6F
                   long a line can be before it is too                    77 20 6C 6F 6E 67 20 61 20 6C 69 6E 65 20 63 61 6E 20 62 65
                   short." number=1                                       20 62 65 66 6F 72 65 20 69 74 20 69 73 20 74 6F 6F 20 6C 6F
                                                                          6E 67 2E  answer number=1 note="Nobody knows how long a line
                                                                          can be before it is too long."
        """)
  }

  @Test func `what a terminal would obey is not printed`() async throws {
    let text = try await report(
      of: "== A \u{1B}[2J title\nset local-name=\"\\x1B[2J\"\nadvertises local-name=\"\u{1B}\"")
    #expect(
      text == """
        scale.transcript:3: A  [2J title: local-name is "\\x1B[2J", not "\\x1B"

                 expected                      time  came
        ->    3  advertises local-name=" "    0.000  advertises local-name="\\x1B[2J" services=FFE0,180F
                                                       manufacturer-data=4D48:010203 tx-power=-6 discoverable=true
                                                       connectable=true interval=100ms-200ms
        """)
  }

  @Test func `a device that cannot go on the air`() async throws {
    let text = try await report(of: "== Too much\nset local-name=\"123456789012\"\nadvertises", with: crowded)
    #expect(
      text == """
        scale.transcript:1: Too much: the device cannot go on the air: advertising data needs 34 of 31 bytes: manufacturer-data takes 28; shorten it by 3
        """)
  }

  private let crowded = define(
    """
    blemu: 1
    name: Crowded
    settings: { local-name: { type: text, max: 100, default: A } }
    advertisement: { manufacturer-data: { 4D48: "01 02 03 04 05 06 07 08 09 0A 0B 0C {local-name}" }, tx-power: 0 }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
    """)
}

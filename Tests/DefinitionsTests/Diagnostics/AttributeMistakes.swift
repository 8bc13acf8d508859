import Testing

@testable import Definitions

/// Mistakes in services, their values, and the wire side.
@Suite struct AttributeMistakes {
  @Test func `a UUID with a letter that is no digit`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFEG
            characteristics:
              - { uuid: FFE1, properties: [read] }
        """) == """
          device.yaml:2:11: error: 'FFEG' is not a UUID
              2 |   - uuid: FFEG
                |           ^~~~ 4 or 8 hex digits (FFE0), or 36 characters with hyphens
          """)
  }

  @Test func `a wrong UUID is one mistake, whoever refers to it`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE, properties: [write, notify] }
        wire: { bridge: serial }
        """) == """
          device.yaml:4:29: error: 'FFE' is not a UUID
              4 |       - { id: serial, uuid: FFE, properties: [write, notify] }
                |                             ^~~ 4 or 8 hex digits (FFE0), or 36 characters with hyphens
          """)
  }

  @Test func `two characteristics of one name`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read] }
              - { uuid: FFE1, properties: [notify] }
        """) == """
          device.yaml:5:17: error: a second characteristic 'FFE1'
              5 |       - { uuid: FFE1, properties: [notify] }
                |                 ^~~~ give it an 'id' of its own
          """)
  }

  @Test func `an id that is no name`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial port, uuid: FFE1, properties: [read] }
        """) == """
          device.yaml:4:15: error: 'serial port' is not a name
              4 |       - { id: serial port, uuid: FFE1, properties: [read] }
                |               ^~~~~~~~~~~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `an id that is taken by the wire side`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: wire, uuid: FFE1, properties: [read] }
        """) == """
          device.yaml:4:15: error: 'wire' is the name of the serial side
              4 |       - { id: wire, uuid: FFE1, properties: [read] }
                |               ^~~~ choose another
          """)
  }

  @Test func `a characteristic that nobody can use`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [] }
        """) == """
          device.yaml:4:35: error: a characteristic without properties is of no use
              4 |       - { uuid: FFE1, properties: [] }
                |                                   ^~
          """)
  }

  @Test func `a CCCD, which BlueZ makes itself`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [notify]
                descriptors:
                  - { uuid: 2902, value: "00 00" }
        """) == """
          device.yaml:7:21: error: BlueZ makes the Client Characteristic Configuration (2902) itself
              7 |           - { uuid: 2902, value: "00 00" }
                |                     ^~~~ remove it; 'notify' or 'indicate' brings it
          """)
  }

  @Test func `a permission that descriptors do not have`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [notify]
                descriptors:
                  - { uuid: 2901, permissions: [encrypt-notify] }
        """) == """
          device.yaml:7:41: error: unknown word 'encrypt-notify'
              7 |           - { uuid: 2901, permissions: [encrypt-notify] }
                |                                         ^~~~~~~~~~~~~~ known: encrypt-read, encrypt-write, encrypt-authenticated-read, encrypt-authenticated-write, secure-read, secure-write, authorize
          """)
  }

  @Test func `both a value and a text`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: 180A
            characteristics:
              - { uuid: 2A29, properties: [read], value: "41 43", text: AC }
        """) == """
          device.yaml:4:65: error: both 'value' and 'text'
              4 |       - { uuid: 2A29, properties: [read], value: "41 43", text: AC }
                |                                                                 ^ keep one
          """)
  }

  @Test func `a digit that is none, under the digit`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read], value: "A5 06 O3" }
        """) == """
          device.yaml:4:57: error: 'O' is not a hexadecimal digit
              4 |       - { uuid: FFE1, properties: [read], value: "A5 06 O3" }
                |                                                         ^ bytes are written in hex: A5 06 83
          """)
  }

  @Test func `half a byte`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read], value: "A5 6 83" }
        """) == """
          device.yaml:4:54: error: a byte needs two hexadecimal digits
              4 |       - { uuid: FFE1, properties: [read], value: "A5 6 83" }
                |                                                      ^ bytes are written in hex: A5 06 83
          """)
  }

  @Test func `a value longer than an attribute`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [read]
                value: "{key: bytes(510)} {address}"
        settings:
          key: { type: bytes, default: A5 }
        """) == """
          device.yaml:6:16: error: 516 bytes; an attribute holds at most 512
              6 |         value: "{key: bytes(510)} {address}"
                |                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a number without an encoding among bytes`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, default: 80 }
        services:
          - uuid: 180F
            characteristics:
              - { uuid: 2A19, properties: [read], value: "{level}" }
        """) == """
          device.yaml:6:52: error: an integer has no bytes by itself
              6 |       - { uuid: 2A19, properties: [read], value: "{level}" }
                |                                                    ^~~~~ say how it is written: {level: u8}
          """)
  }

  @Test func `a setting in an encoding of another type`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, default: 80 }
        services:
          - uuid: 180F
            characteristics:
              - { uuid: 2A19, properties: [read], value: "{level: bytes(1)}" }
        """) == """
          device.yaml:6:51: error: 'bytes(1)' takes bytes, 'level' is an integer
              6 |       - { uuid: 2A19, properties: [read], value: "{level: bytes(1)}" }
                |                                                   ^~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a number too large for its encoding`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, default: 256 }
        services:
          - uuid: 180F
            characteristics:
              - { uuid: 2A19, properties: [read], value: "{level: u8}" }
        """) == """
          device.yaml:6:50: error: the value has no bytes: 256 is not in 0…255
              6 |       - { uuid: 2A19, properties: [read], value: "{level: u8}" }
                |                                                  ^~~~~~~~~~~~~
          """)
  }

  @Test func `a wire side on a characteristic that has no two ways`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read] }
        wire: { bridge: FFE1 }
        """) == """
          device.yaml:5:17: error: 'FFE1' has neither notify nor indicate
              5 | wire: { bridge: FFE1 }
                |                 ^~~~ add one to its properties

          device.yaml:5:17: error: 'FFE1' cannot be written
              5 | wire: { bridge: FFE1 }
                |                 ^~~~ add write or write-without-response
          """)
  }

  @Test func `a wire side on a characteristic that is not there`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [write, notify] }
        wire: { bridge: FFE2 }
        """) == """
          device.yaml:5:17: error: no characteristic has the id 'FFE2'
              5 | wire: { bridge: FFE2 }
                |                 ^~~~ did you mean 'FFE1'?
          """)
  }
}

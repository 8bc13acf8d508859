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
          - uuid: 180F
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

  @Test(arguments: ["{}", "{ baud: 9600 }"])
  func `a wire side that nothing passes`(wire: String) {
    let tildes = String(repeating: "~", count: wire.count - 1)
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read] }
        wire: \(wire)
        """) == """
          device.yaml:5:7: error: nothing passes the serial side
              5 | wire: \(wire)
                |       ^\(tildes) add a bridge, or rules that receive from 'wire' or send to it
          """)
  }

  @Test(arguments: [
    ("0", "0 baud is not in 50…4000000"), ("4000001", "4000001 baud is not in 50…4000000"),
    ("-9600", "-9600 baud is not in 50…4000000"),
    ("speed * 10", "with speed=4: 40 baud is not in 50…4000000"),
    ("'speeds[speed].baud'", "with speed=4: 0 baud is not in 50…4000000"),
    ("1200 // (speed - 4)", "with speed=4: division by zero"),
    ("9600.5", "expected an integer, found a decimal number"),
  ])
  func `a wire side with a speed that is none`(baud: String, problem: String) {
    let tildes = String(repeating: "~", count: baud.count { $0 != "'" } - 1)
    let report = diagnose(
      """
      settings: { speed: { type: integer, one-of: [5, 4], default: 5 } }
      data: { speeds: { columns: { speed: integer, baud: integer }, key: [speed], rows: [[5, 300]] } }
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [write, notify] }
      wire: { bridge: FFE1, baud: \(baud) }
      """)
    #expect(report.contains("error: \(problem)\n"), "\(report)")
    #expect(report.contains(" ^\(tildes)"), "\(report)")
  }

  @Test func `a speed that is applied where there is none`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [write, notify] }
        wire: { bridge: FFE1 }
        rules:
          - { on: connect, do: apply-baud }
        """) == """
          device.yaml:7:24: error: the serial side has no speed
              7 |   - { on: connect, do: apply-baud }
                |                        ^~~~~~~~~~ wire: { baud: EXPRESSION }
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

  @Test func `services that BlueZ has of its own`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: 1800
            characteristics: [{ uuid: 2A00, properties: [read], text: Belt }]
          - uuid: 0x1801
            characteristics: [{ uuid: 2A05, properties: [indicate] }]
          - uuid: 180A
            characteristics: [{ uuid: 2A29, properties: [read], text: AC }]
        """) == """
          device.yaml:2:11: error: BlueZ has Generic Access (1800) of its own, and refuses another
              2 |   - uuid: 1800
                |           ^~~~ remove it

          device.yaml:4:11: error: BlueZ has Generic Attribute (1801) of its own, and refuses another
              4 |   - uuid: 0x1801
                |           ^~~~~~ remove it

          device.yaml:6:11: warning: BlueZ has Device Information (180A) of its own, which comes first
              6 |   - uuid: 180A
                |           ^~~~ 'DeviceID = false' under [General] in bluetoothd's main.conf takes it away
          """)
  }

  @Test func `services and characteristics that are there twice`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: 180F
            characteristics:
              - { id: one, uuid: 2A19, properties: [read], value: "64" }
              - { id: two, uuid: 00002A19, properties: [read], value: "64" }
          - uuid: 180f
            characteristics: [{ id: three, uuid: 2A19, properties: [read], value: "64" }]
        """) == """
          device.yaml:5:26: warning: a second 2A19 beside the first
              5 |       - { id: two, uuid: 00002A19, properties: [read], value: "64" }
                |                          ^~~~~~~~ many clients find only the first

          device.yaml:6:11: warning: a second 180F beside the first
              6 |   - uuid: 180f
                |           ^~~~ many clients find only the first
          """)
  }

  @Test func `descriptors that are there twice`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [read]
                descriptors: [{ uuid: 2901, text: a }, { uuid: 2904, value: "00" }, { uuid: "2901", text: b }]
              - uuid: FFE2
                properties: [read]
                descriptors: [{ uuid: 2901, text: a }]
        """) == """
          device.yaml:6:85: error: a second descriptor 2901
              6 |         descriptors: [{ uuid: 2901, text: a }, { uuid: 2904, value: "00" }, { uuid: "2901", text: b }]
                |                                                                                     ^~~~~~ a characteristic has one of each kind
          """)
  }

  @Test func `extended properties that BlueZ makes itself, and such as are none`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [write, reliable-write]
                descriptors: [{ uuid: 2900, value: "01 00" }]
              - uuid: FFE2
                properties: [read]
                descriptors: [{ uuid: 2900, value: "01 00" }]
              - uuid: FFE3
                properties: [read, extended-properties]
                descriptors: [{ uuid: 2900, value: "00 00" }]
        """) == """
          device.yaml:6:31: error: BlueZ makes the Characteristic Extended Properties (2900) itself
              6 |         descriptors: [{ uuid: 2900, value: "01 00" }]
                |                               ^~~~ remove it; 'reliable-write' or 'writable-auxiliaries' brings it

          device.yaml:9:31: warning: 2900 tells of extended properties, and this characteristic has none
              9 |         descriptors: [{ uuid: 2900, value: "01 00" }]
                |                               ^~~~ 'reliable-write' or 'writable-auxiliaries' brings it
          """)
  }
}

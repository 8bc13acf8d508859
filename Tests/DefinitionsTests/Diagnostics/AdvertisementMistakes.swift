import Testing

@testable import Definitions

/// Mistakes in what is advertised.
@Suite struct AdvertisementMistakes {
  @Test func `an advertisement that is too long names what takes most and by how much`() {
    #expect(
      diagnose(
        """
        settings:
          local-name: { type: text, default: Belt }
        advertisement:
          local-name: "{local-name}"
          services: [180D, 6E400001-B5A3-F393-E0A9-E50E24DCCA9E]
          manufacturer-data: { 004C: 02 15 00 01 02 03 04 05 }
        """) == """
          device.yaml:5:13: error: advertising data needs 37 of 31 bytes: services takes 18; shorten it by 6
              5 |   services: [180D, 6E400001-B5A3-F393-E0A9-E50E24DCCA9E]
                |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                  0   03 03 0D 18                                            services
                  4   11 07 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 01 00 40 6E  services
                  22  0B FF 4C 00 02 15 00 01 02 03 04 05                    manufacturer-data, 3 bytes over
                  34  02 01 06                                               flags, 3 bytes over
          """)
  }

  @Test func `a name that the scan response has no room for is cut`() {
    #expect(
      diagnose(
        """
        advertisement:
          local-name: The heart rate belt of the longest name
          services: [180D]
        settings:
          x: { type: text, default: y }
        """) == """
          device.yaml:2:15: warning: the scan response has room for 29 of the name's 39 bytes
              2 |   local-name: The heart rate belt of the longest name
                |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a company identifier that is none`() {
    #expect(
      diagnose(
        """
        advertisement:
          manufacturer-data: { 4C: 02 15 }
        """) == """
          device.yaml:2:24: error: '4C' is not a company identifier
              2 |   manufacturer-data: { 4C: 02 15 }
                |                        ^~ 4 hex digits, as in 004C
          """)
    #expect(
      diagnose("advertisement: { manufacturer-data: { +12F: 00 } }").contains("'+12F' is not a company"))
  }

  @Test func `an interval upside down`() {
    #expect(
      diagnose(
        """
        advertisement:
          interval: { min: 200ms, max: 100ms }
        """) == """
          device.yaml:2:13: error: an interval goes from 20ms to 10240ms, 'min' not above 'max'
              2 |   interval: { min: 200ms, max: 100ms }
                |             ^~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `an interval without a unit`() {
    #expect(
      diagnose(
        """
        advertisement:
          interval: { min: 100, max: 200ms }
        """) == """
          device.yaml:2:20: error: '100' is not a duration
              2 |   interval: { min: 100, max: 200ms }
                |                    ^~~ a number with ms, s or min, as in 200ms
          """)
  }

  @Test func `a broadcaster that is discoverable`() {
    #expect(
      diagnose(
        """
        advertisement: { connectable: false }
        """) == """
          device.yaml:1:31: error: an advertisement that is not connectable cannot be discoverable
              1 | advertisement: { connectable: false }
                |                               ^~~~~
          """)
  }

  @Test func `a hole without its end`() {
    #expect(
      diagnose(
        """
        advertisement:
          local-name: "{address"
        """) == """
          device.yaml:2:16: error: '{' has no closing '}'
              2 |   local-name: "{address"
                |                ^
          """)
  }

  @Test func `a brace too many`() {
    #expect(
      diagnose(
        """
        advertisement:
          local-name: "Belt}"
        """) == """
          device.yaml:2:20: error: '}' without '{'
              2 |   local-name: "Belt}"
                |                    ^ write '}}' for a brace
          """)
  }

  @Test func `an unknown name in a template`() {
    #expect(
      diagnose(
        """
        settings:
          local-name: { type: text, default: Belt }
        advertisement:
          local-name: "My {local-nam}"
        """) == """
          device.yaml:4:20: error: unknown name 'local-nam'
              4 |   local-name: "My {local-nam}"
                |                    ^~~~~~~~~ did you mean 'local-name'?
          """)
  }

  @Test func `service data under no UUID, in hex that is none`() {
    #expect(
      diagnose(
        """
        advertisement:
          service-data: { B00: "00", B001: "0x00" }
        """) == """
          device.yaml:2:19: error: 'B00' is not a UUID
              2 |   service-data: { B00: "00", B001: "0x00" }
                |                   ^~~ 4 or 8 hex digits (FFE0), or 36 characters with hyphens

          device.yaml:2:38: error: 'x' is not a hexadecimal digit
              2 |   service-data: { B00: "00", B001: "0x00" }
                |                                      ^ bytes are written in hex: A5 06 83
          """)
  }

  @Test func `a field longer than a packet, and all that there is no room for behind it`() {
    #expect(
      diagnose(
        """
        advertisement:
          discoverable: false
          tx-power: 0
          raw:
            24: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        """) == """
          device.yaml:5:5: error: advertising data needs 35 of 31 bytes: raw takes 32; shorten it by 4
              5 |     24: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                |     ^~
                  0   1F 24 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 …  raw, 1 byte over
                  32  02 0A 00                                                                                        tx-power, 3 bytes over
          """)
  }

  @Test func `tx-power that there is no room for`() {
    #expect(
      diagnose(
        """
        advertisement:
          discoverable: false
          services: [6E400001-B5A3-F393-E0A9-E50E24DCCA9E]
          manufacturer-data: { 004C: "02 15 00 01 02 03" }
          tx-power: 4
        """) == """
          device.yaml:5:13: warning: tx-power is not sent: there is no room for its 3 bytes
              5 |   tx-power: 4
                |             ^
          """)
  }

  @Test func `raw data that BlueZ takes by another way, or not at all`() {
    #expect(
      diagnose(
        """
        advertisement:
          raw: { 01: "06", 0x19: "40 03", 12: "06 00 10 00" }
        """) == """
          device.yaml:2:10: error: BlueZ refuses raw data of type 01 (Flags)
              2 |   raw: { 01: "06", 0x19: "40 03", 12: "06 00 10 00" }
                |          ^~ use 'discoverable'

          device.yaml:2:20: error: BlueZ refuses raw data of type 19 (Appearance)
              2 |   raw: { 01: "06", 0x19: "40 03", 12: "06 00 10 00" }
                |                    ^~~~ use 'appearance'

          device.yaml:2:35: error: BlueZ refuses raw data of type 12 (Peripheral Connection Interval Range)
              2 |   raw: { 01: "06", 0x19: "40 03", 12: "06 00 10 00" }
                |                                   ^~
          """)
  }

  @Test func `raw data under no type, under one twice, and without bytes`() {
    #expect(
      diagnose(
        """
        advertisement:
          raw: { 124: "06", "0x+4": "06", 24: "06", 0x24: "07", 25: "" }
        """) == """
          device.yaml:2:10: error: '124' is not an AD type
              2 |   raw: { 124: "06", "0x+4": "06", 24: "06", 0x24: "07", 25: "" }
                |          ^~~ 2 hex digits, as in 24

          device.yaml:2:21: error: '0x+4' is not an AD type
              2 |   raw: { 124: "06", "0x+4": "06", 24: "06", 0x24: "07", 25: "" }
                |                     ^~~~~~ 2 hex digits, as in 24

          device.yaml:2:45: error: a second structure of type 0x24
              2 |   raw: { 124: "06", "0x+4": "06", 24: "06", 0x24: "07", 25: "" }
                |                                             ^~~~ BlueZ sends one of each type

          device.yaml:2:61: error: BlueZ refuses raw data without bytes
              2 |   raw: { 124: "06", "0x+4": "06", 24: "06", 0x24: "07", 25: "" }
                |                                                             ^~
          """)
  }
}

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
          device.yaml:2:13: error: 200 ms to 100 ms is no interval: it goes from 20 ms to 10240 ms, 'min' not above 'max'
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
          device.yaml:2:20: error: a duration has a unit
              2 |   interval: { min: 100, max: 200ms }
                |                    ^~~ write 100ms
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

  private static let switched = """
    settings:
      mode: { type: text, one-of: [plain, beacon], default: plain }
      is-open: { type: boolean, default: true }
      power: { type: integer, min: 0, max: 5, default: 1 }
    advertisement:
      services: [{ uuid: FFE0, if: is-open }]
      tx-power: { dbm: power * 4, if: mode == 'plain' }

    """

  @Test func `what fits with all settings that decide`() {
    #expect(
      diagnose(
        Self.switched
          + """
            connectable: is-open
            discoverable: is-open
            manufacturer-data:
              004C: { bytes: "{bytes('0215 000102030405060708090A0B0C0D0E0F 1011 1213 14')}", if: mode == 'beacon' and not is-open }
          """) == "")
  }

  @Test func `what does not fit with some settings that decide`() {
    #expect(
      diagnose(
        Self.switched
          + """
            manufacturer-data:
              004C: { bytes: "0215 000102030405060708090A0B0C0D0E0F 1011 1213 14", if: mode == 'beacon' }
          """) == """
          device.yaml:9:5: error: with mode=beacon: advertising data needs 34 of 31 bytes: manufacturer-data takes 27; \
          shorten it by 3
              9 |     004C: { bytes: "0215 000102030405060708090A0B0C0D0E0F 1011 1213 14", if: mode == 'beacon' }
                |     ^~~~
                  0   03 03 E0 FF                                                                       services
                  4   1A FF 4C 00 02 15 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14  manufacturer-data
                  31  02 01 06                                                                          flags, 3 bytes over
          """)
  }

  @Test func `a number that is out of range with some settings`() {
    #expect(
      diagnose(
        Self.switched
          + "  interval: { min: power * 20ms, max: 200ms }") == """
          device.yaml:8:13: error: with power=0: 0 ms to 200 ms is no interval: it goes from 20 ms to 10240 ms, 'min' not \
          above 'max'
              8 |   interval: { min: power * 20ms, max: 200ms }
                |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a power that there is not with some settings`() {
    #expect(
      diagnose(Self.switched.replacing("power * 4", with: "power * 5")) == """
        device.yaml:7:13: error: with power=5: tx-power 25 is not in -127…20
            7 |   tx-power: { dbm: power * 5, if: mode == 'plain' }
              |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        """)
  }

  @Test func `a broadcaster that is discoverable with some settings`() {
    #expect(
      diagnose(Self.switched + "  connectable: is-open") == """
        device.yaml:8:16: error: with is-open=false: an advertisement that is not connectable cannot be discoverable
            8 |   connectable: is-open
              |                ^~~~~~~
        """)
  }

  @Test func `a condition that is none, and a mapping without one`() {
    #expect(
      diagnose(
        """
        advertisement:
          local-name: { text: Belt, if: 1 }
          services: [{ uuid: FFE0 }]
          tx-power: "'much'"
          connectable: often
        """) == """
          device.yaml:2:33: error: expected true or false, found an integer
              2 |   local-name: { text: Belt, if: 1 }
                |                                 ^

          device.yaml:3:14: error: an advertised service needs 'if'
              3 |   services: [{ uuid: FFE0 }]
                |              ^~~~~~~~~~~~~~ it is advertised only while this is true

          device.yaml:4:14: error: expected an integer, found text
              4 |   tx-power: "'much'"
                |              ^~~~~~

          device.yaml:5:16: error: unknown name 'often'
              5 |   connectable: often
                |                ^~~~~ known: address, central, centrals, state, unix-time, uptime
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

import Testing

@testable import Definitions

/// Mistakes in framings, contradictions first.
@Suite struct FramingMistakes {
  @Test func `two ways to end a frame`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { delimiter: 0D, size: 5 }
        """) == """
          device.yaml:2:11: error: delimiter and size exclude each other
              2 |   serial: { delimiter: 0D, size: 5 }
                |           ^~~~~~~~~~~~~~~~~~~~~~~~~~ one of delimiter, idle, size, length, or start with tail
          """)
  }

  @Test func `no way to end a frame`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5, check: xor8 }
        """) == """
          device.yaml:2:11: error: where does a frame end?
              2 |   serial: { start: A5, check: xor8 }
                |           ^~~~~~~~~~~~~~~~~~~~~~~~~~ one of delimiter, idle, size, length, or start with tail
          """)
  }

  @Test func `a key that does not go with a delimiter`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { delimiter: 0D 0A, check: xor8 }
        """) == """
          device.yaml:2:31: error: 'check' does not go with 'delimiter'
              2 |   serial: { delimiter: 0D 0A, check: xor8 }
                |                               ^~~~~
          """)
  }

  @Test func `a frame with no room for what it has`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5 5A, size: 4, check: crc16-modbus, tail: 77 }
        """) == """
          device.yaml:2:33: error: 4 bytes have no room for start, check and tail
              2 |   serial: { start: A5 5A, size: 4, check: crc16-modbus, tail: 77 }
                |                                 ^ they take 5
          """)
  }

  @Test func `a checksum that starts behind its frame`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5, size: 4, check: xor8, check-from: 4 }
        """) == """
          device.yaml:2:30: error: 4 bytes have no room for start, check and tail
              2 |   serial: { start: A5, size: 4, check: xor8, check-from: 4 }
                |                              ^ they take 5
          """)
  }

  @Test func `numbers out of range`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { size: 0, check-from: -1, max: 99999 }
        """) == """
          device.yaml:2:19: error: 0 is not in 1…512
              2 |   serial: { size: 0, check-from: -1, max: 99999 }
                |                   ^

          device.yaml:2:34: error: -1 is not in 0…511
              2 |   serial: { size: 0, check-from: -1, max: 99999 }
                |                                  ^~

          device.yaml:2:43: error: 99999 is not in 1…4096
              2 |   serial: { size: 0, check-from: -1, max: 99999 }
                |                                           ^~~~~
          """)
  }

  @Test func `a length field out of range`() {
    #expect(
      diagnose(
        """
        framing:
          serial:
            start: A5
            length: { at: 9223372036854775807, width: 3, counts: all }
        """) == """
          device.yaml:4:19: error: 9223372036854775807 is not in 0…255
              4 |     length: { at: 9223372036854775807, width: 3, counts: all }
                |                   ^~~~~~~~~~~~~~~~~~~

          device.yaml:4:47: error: 3 is not in 1…2
              4 |     length: { at: 9223372036854775807, width: 3, counts: all }
                |                                               ^

          device.yaml:4:58: error: unknown word 'all'
              4 |     length: { at: 9223372036854775807, width: 3, counts: all }
                |                                                          ^~~ known: frame, payload, rest
          """)
  }

  @Test func `an unknown checksum`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5, size: 6, check: crc16-modbuss }
        """) == """
          device.yaml:2:40: error: unknown word 'crc16-modbuss'
              2 |   serial: { start: A5, size: 6, check: crc16-modbuss }
                |                                        ^~~~~~~~~~~~~ did you mean 'crc16-modbus'?
          """)
  }

  @Test func `a checksum's start without a checksum`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5, size: 6, check-from: 1 }
        """) == """
          device.yaml:2:45: error: 'check-from' without 'check'
              2 |   serial: { start: A5, size: 6, check-from: 1 }
                |                                             ^
          """)
  }

  @Test func `a tail that is no hex`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { start: A5, tail: 7G }
        """) == """
          device.yaml:2:31: error: 'G' is not a hexadecimal digit
              2 |   serial: { start: A5, tail: 7G }
                |                               ^ bytes are written in hex: A5 06 83
          """)
  }

  @Test func `frames where nothing arrives`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1, properties: [read] }
        framing:
          serial: { delimiter: 0A }
        """) == """
          device.yaml:6:3: error: no bytes go in or out at 'serial', so there are no frames
              6 |   serial: { delimiter: 0A }
                |   ^~~~~~ it is neither written nor notified
          """)
  }

  @Test func `frames of a characteristic that is not there`() {
    #expect(
      diagnose(
        """
        framing:
          seriel: { delimiter: 0A }
        """) == """
          device.yaml:2:3: error: no characteristic has the id 'seriel'
              2 |   seriel: { delimiter: 0A }
                |   ^~~~~~ did you mean 'serial'?
          """)
  }

  @Test func `a gap that is no duration`() {
    #expect(
      diagnose(
        """
        framing:
          serial: { delimiter: 0A, gap: 200 ms }
        """) == """
          device.yaml:2:33: error: '200 ms' is not a duration
              2 |   serial: { delimiter: 0A, gap: 200 ms }
                |                                 ^~~~~~ a number with ms, s or min, as in 200ms
          """)
  }
}

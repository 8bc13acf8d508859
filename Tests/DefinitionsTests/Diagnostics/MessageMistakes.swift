import Testing

@testable import Definitions

/// Mistakes in the templates of messages.
@Suite struct MessageMistakes {
  @Test func `an unknown field type`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "A5 06 83 {packets: u16l} {xor8}"
        """) == """
          device.yaml:2:34: error: unknown field type 'u16l'
              2 |   day-total: "A5 06 83 {packets: u16l} {xor8}"
                |                                  ^~~~ did you mean 'u16le'?
          """)
  }

  @Test func `a field type with the wrong number of bytes`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 14 84 {data: bytes(1000)} {xor8}"
        """) == """
          device.yaml:2:28: error: expected a number of bytes from 1 to 512, and perhaps a byte in hex that fills up
              2 |   packet: "A5 14 84 {data: bytes(1000)} {xor8}"
                |                            ^~~~~~~~~~~ for example bytes(15) or bytes(15, FF)
          """)
  }

  @Test func `an unknown checksum`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "A5 06 83 {packets: u16le} {xor}"
        """) == """
          device.yaml:2:42: error: unknown checksum 'xor'
              2 |   day-total: "A5 06 83 {packets: u16le} {xor}"
                |                                          ^~~ did you mean 'xor8'?
          """)
  }

  @Test func `a field without its type looks like a checksum`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "A5 06 83 {packets} {xor8}"
        """) == """
          device.yaml:2:25: error: unknown checksum 'packets'
              2 |   day-total: "A5 06 83 {packets} {xor8}"
                |                         ^~~~~~~ a field is written {packets: u8}
          """)
  }

  @Test func `a checksum over what stands behind it`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "A5 06 83 {xor8(0, 3)} {packets: u16le}"
        """) == """
          device.yaml:2:25: error: a checksum covers bytes that stand before it
              2 |   day-total: "A5 06 83 {xor8(0, 3)} {packets: u16le}"
                |                         ^~~~~~~~~~ there are 3 before it, counted from 0
          """)
  }

  @Test func `a checksum over nothing`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "{xor8} A5 06 83"
        """) == """
          device.yaml:2:16: error: a checksum covers bytes that stand before it
              2 |   day-total: "{xor8} A5 06 83"
                |                ^~~~ there are 0 before it, counted from 0
          """)
  }

  @Test func `a checksum over no numbers`() {
    #expect(
      diagnose(
        """
        messages:
          day-total: "A5 06 83 {xor8(0, last)}"
        """) == """
          device.yaml:2:25: error: a checksum covers from one index to another
              2 |   day-total: "A5 06 83 {xor8(0, last)}"
                |                         ^~~~~~~~~~~~~ for example {sum8(1)} or {sum8(1, 6)}
          """)
  }

  @Test func `a second field that takes all bytes`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {head: bytes} 84 {data: bytes} {xor8}"
        """) == """
          device.yaml:2:32: error: a second field that takes all bytes that remain
              2 |   packet: "A5 {head: bytes} 84 {data: bytes} {xor8}"
                |                                ^~~~~~~~~~~~~ give it a number of bytes: bytes(8)
          """)
  }

  @Test func `a second field of one name`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {index: u8} 84 {index: u8}"
        """) == """
          device.yaml:2:31: error: a second field 'index'
              2 |   packet: "A5 {index: u8} 84 {index: u8}"
                |                               ^~~~~
          """)
  }

  @Test func `a field whose name is none`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {1st: u8}"
        """) == """
          device.yaml:2:16: error: '1st' is not a name
              2 |   packet: "A5 {1st: u8}"
                |                ^~~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `a wrong digit in the middle of a template`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} 0Z {xor8}"
        """) == """
          device.yaml:2:49: error: 'Z' is not a hexadecimal digit
              2 |   day-request: "A5 06 03 {month: u8} {day: u8} 0Z {xor8}"
                |                                                 ^ bytes are written in hex: A5 06 83
          """)
  }

  @Test func `nothing between braces, and nothing at all`() {
    #expect(
      diagnose(
        """
        messages:
          first: "A5 {}"
          second: ""
        """) == """
          device.yaml:2:14: error: nothing between the braces
              2 |   first: "A5 {}"
                |              ^~

          device.yaml:3:11: error: the message is empty
              3 |   second: ""
                |           ^~
          """)
  }

  @Test func `a mistake behind an escape is shown at the whole text`() {
    #expect(
      diagnose(
        #"""
        messages:
          day-request: "A5\x20\x30G {month: u8}"
        """#) == #"""
          device.yaml:2:16: error: 'G' is not a hexadecimal digit
              2 |   day-request: "A5\x20\x30G {month: u8}"
                |                ^~~~~~~~~~~~~~~~~~~~~~~~~ bytes are written in hex: A5 06 83
          """#)
  }

  @Test func `a mistake in a folded text is shown at its first line`() {
    #expect(
      diagnose(
        """
        messages:
          day-request: >
            A5 06 03
            {month: u9}
        """) == """
          device.yaml:2:16: error: unknown field type 'u9'
              2 |   day-request: >
                |                ^ did you mean 'u8'?
          """)
  }
}

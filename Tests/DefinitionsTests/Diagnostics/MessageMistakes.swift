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
          packet: "A5 14 84 {data: bytes(5000)} {xor8}"
        """) == """
          device.yaml:2:28: error: expected a number of bytes from 1 to 4096, and perhaps a byte in hex that fills up
              2 |   packet: "A5 14 84 {data: bytes(5000)} {xor8}"
                |                            ^~~~~~~~~~~ for example bytes(15), bytes(15, FF) or bytes(0..15)
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

  @Test func `two fields without a border`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {head: bytes} {data: bytes} {xor8}"
        """) == """
          device.yaml:2:29: error: nobody can tell where 'head' ends and 'data' begins
              2 |   packet: "A5 {head: bytes} {data: bytes} {xor8}"
                |                             ^~~~~~~~~~~~~ give one of them a size, or put bytes between them
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

  @Test func `bounds in the wrong order`() {
    #expect(
      diagnose(
        """
        messages:
          name: { text: "AT+NAME{name: text(12..1)}" }
        """) == """
          device.yaml:2:32: error: 12 is more than 1
              2 |   name: { text: "AT+NAME{name: text(12..1)}" }
                |                                ^~~~~~~~~~~ the smaller one comes first: 1..12
          """)
  }

  @Test func `bits that are no bytes`() {
    #expect(
      diagnose(
        """
        messages:
          weight: "10 {bits(stable: 1, unit: 2, 0: 4)} {weight: u16be}"
        """) == """
          device.yaml:2:16: error: 7 bits are no whole bytes
              2 |   weight: "10 {bits(stable: 1, unit: 2, 0: 4)} {weight: u16be}"
                |                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ together they must be 8, 16, 24 or 32
          """)
  }

  @Test func `a fixed value that its bits do not hold`() {
    #expect(
      diagnose(
        """
        messages:
          weight: "10 {bits(stable: 1, unit: 2, 0x20: 5)}"
        """) == """
          device.yaml:2:41: error: 32 does not fit into 5 bits
              2 |   weight: "10 {bits(stable: 1, unit: 2, 0x20: 5)}"
                |                                         ^~~~ 0 to 31 does
          """)
  }

  @Test func `more bytes than are filled up to`() {
    #expect(
      diagnose(
        """
        messages:
          battery: "03 {level: u8} {charging: u8} {pad(2)} {sum8}"
        """) == """
          device.yaml:2:44: error: the message has more than 2 bytes already
              2 |   battery: "03 {level: u8} {charging: u8} {pad(2)} {sum8}"
                |                                            ^~~~~~ there are 3 before it
          """)
  }

  @Test func `a message that is too long`() {
    #expect(
      diagnose(
        """
        messages:
          dump: "A5 {first: bytes(4000)} {second: bytes(100)}"
        """) == """
          device.yaml:2:34: error: the message has 4101 bytes or more
              2 |   dump: "A5 {first: bytes(4000)} {second: bytes(100)}"
                |                                  ^~~~~~~~~~~~~~~~~~~~ 4096 is the most
          """)
  }

  @Test func `a text with a hole that has no end`() {
    #expect(
      diagnose(
        """
        messages:
          name: { text: "AT+NAME{name: text" }
        """) == """
          device.yaml:2:25: error: '{' has no closing '}'
              2 |   name: { text: "AT+NAME{name: text" }
                |                         ^
          """)
  }

  @Test func `a mapping in place of a template`() {
    #expect(
      diagnose(
        """
        messages:
          first: {index: u8}
          second: [A5, 06]
          third: { hex: "A5 06" }
        """) == """
          device.yaml:2:10: error: expected text, found a mapping
              2 |   first: {index: u8}
                |          ^~~~~~~~~~~ quote it: "{…}" is text, {…} is a mapping

          device.yaml:3:11: error: expected text, found a list
              3 |   second: [A5, 06]
                |           ^~~~~~~~ or a mapping with bytes, text, ignore-case

          device.yaml:4:12: error: a message has no key 'hex'
              4 |   third: { hex: "A5 06" }
                |            ^~~ known: bytes, text, ignore-case
          """)
  }

  @Test func `bytes and text at once, none of them, and case where there are no letters`() {
    #expect(
      diagnose(
        """
        messages:
          both: { bytes: "A5", text: "AT" }
          none: { ignore-case: true }
          case: { bytes: "A5", ignore-case: true }
        """) == """
          device.yaml:2:30: error: both 'bytes' and 'text'
              2 |   both: { bytes: "A5", text: "AT" }
                |                              ^ keep one

          device.yaml:3:9: error: a message needs 'bytes' or 'text'
              3 |   none: { ignore-case: true }
                |         ^~~~~~~~~~~~~~~~~~~~~

          device.yaml:4:37: error: 'ignore-case' goes with 'text'
              4 |   case: { bytes: "A5", ignore-case: true }
                |                                     ^~~~
          """)
  }
}

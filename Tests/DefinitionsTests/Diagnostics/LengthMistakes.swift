import Testing

@testable import Definitions

/// Mistakes in lengths that messages compute.
@Suite struct LengthMistakes {
  @Test func `a length of nothing`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {size(dat): u8} {data: bytes}"
        """) == """
          device.yaml:2:15: error: no field 'dat' to measure
              2 |   packet: "A5 {size(dat): u8} {data: bytes}"
                |               ^~~~~~~~~~~~~~~ did you mean 'data'?
          """)
  }

  @Test func `a count of what is not repeated`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {count(data): u8} {data: bytes}"
        """) == """
          device.yaml:2:15: error: 'data' is not repeated
              2 |   packet: "A5 {count(data): u8} {data: bytes}"
                |               ^~~~~~~~~~~~~~~~~ its bytes are {size(data): u8}
          """)
  }

  @Test func `a length in another block than what it measures`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {size(data): u8} {maybe} 3D {data: bytes} {end}"
        """) == """
          device.yaml:2:15: error: 'data' stands in another block than its length
              2 |   packet: "A5 {size(data): u8} {maybe} 3D {data: bytes} {end}"
                |               ^~~~~~~~~~~~~~~~ put both into one
          """)
  }

  @Test func `a length in a type of no fixed size`() {
    #expect(
      diagnose(
        """
        messages:
          packet: { text: "+{size(data): dec},{data: text}" }
        """) == """
          device.yaml:2:34: error: 'dec' holds no length
              2 |   packet: { text: "+{size(data): dec},{data: text}" }
                |                                  ^~~ a number of fixed size: u8, u16le, …, bcd, dec(3), hex(4)
          """)
  }

  @Test func `a type too small for a length`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {size(data): u8} {data: bytes(300)}"
        """) == """
          device.yaml:2:15: error: 'u8' cannot hold this length
              2 |   packet: "A5 {size(data): u8} {data: bytes(300)}"
                |               ^~~~~~~~~~~~~~~~ it is 300; the type holds 0 to 255
          """)
  }

  @Test func `a length of something else`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {size(data) * 2: u8} {data: bytes}"
        """) == """
          device.yaml:2:16: error: expected the size of something
              2 |   packet: "A5 {size(data) * 2: u8} {data: bytes}"
                |                ^~~~~~~~~~~~~~ for example {size: u8}, {size(data): u16le} or {size - 2: u8}
          """)
  }

  @Test func `the size of the message in each row`() {
    #expect(
      diagnose(
        """
        messages:
          packet: "A5 {repeat cells} {size: u8} {volts: u16be} {end}"
        """) == """
          device.yaml:2:30: error: the size of the message does not stand in a repeated part
              2 |   packet: "A5 {repeat cells} {size: u8} {volts: u16be} {end}"
                |                              ^~~~~~~~~~
          """)
  }
}

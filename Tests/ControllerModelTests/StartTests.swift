import Testing

@testable import ControllerModel

@Suite struct StartTests {
  @Test func `a controller says what it is and what it can`() {
    expect(
      """
      a> 01 03 0C 00                  # Reset
      a< 04 0E 04 01 03 0C 00
      a> 01 01 10 00                  # Read Local Version Information: 5.2
      a< 04 0E 0C 01 01 10 00  0B 00 00 0B FF FF 00 00
      a> 01 02 10 00                  # Read Local Supported Commands
      a< 04 0E 44 01 02 10 00  20 00 80 00 00 C0 00*8 B8 22 00*6 04 00 40 F7 FF FF 0F 00*4 F0 79 7E FE E3 80 04 00*24
      a> 01 03 10 00                  # Read Local Supported Features: LE
      a< 04 0E 0C 01 03 10 00  00 00 00 00 60 00 00 00
      a> 01 09 10 00                  # Read BD_ADDR
      a< 04 0E 0A 01 09 10 00  0A 00 00 00 00 00
      a> 01 05 10 00                  # Read Buffer Size: LE has its own
      a< 04 0E 0B 01 05 10 00  00 00 00 00 00 00 00
      a> 01 02 20 00                  # LE Read Buffer Size: 8 of 251 bytes
      a< 04 0E 07 01 02 20 00  FB 00 08
      a> 01 03 20 00                  # LE Read Local Supported Features
      a< 04 0E 0C 01 03 20 00  EF 59 00 00 00 00 00 00
      a> 01 0F 20 00                  # LE Read Filter Accept List Size
      a< 04 0E 05 01 0F 20 00  08
      a> 01 2A 20 00                  # LE Read Resolving List Size
      a< 04 0E 05 01 2A 20 00  08
      a> 01 2F 20 00                  # LE Read Maximum Data Length: 251 bytes, 2120 microseconds
      a< 04 0E 0C 01 2F 20 00  FB 00 48 08 FB 00 48 08
      a> 01 3A 20 00                  # LE Read Maximum Advertising Data Length: 1650
      a< 04 0E 06 01 3A 20 00  72 06
      a> 01 3B 20 00                  # LE Read Number of Supported Advertising Sets
      a< 04 0E 05 01 3B 20 00  04
      """)
  }

  @Test func `buffers may be shared with BR EDR`() {
    var conversation = AirConversation { $1.sharesDataPackets = true }
    expect(
      &conversation,
      """
      a> 01 02 20 00
      a< 04 0E 07 01 02 20 00  00 00 00
      a> 01 05 10 00
      a< 04 0E 0B 01 05 10 00  FB 00 00 08 00 00 00
      """)
  }

  @Test func `a controller of version 4 does not know later commands`() {
    var conversation = AirConversation { $1 = .version4($1.address) }
    expect(
      &conversation,
      """
      a> 01 3B 20 00
      a< 04 0F 04 01 01 3B 20
      a> 01 03 20 00
      a< 04 0E 0C 01 03 20 00  01 00 00 00 00 00 00 00
      """)
  }

  @Test func `LE Encrypt is AES with the least significant byte first`() {
    // FIPS 197, appendix C.1
    expect(
      """
      a> 01 17 20 20  0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01 00  FF EE DD CC BB AA 99 88 77 66 55 44 33 22 11 00
      a< 04 0E 14 01 17 20 00  5A C5 B4 70 80 B7 CD D8 30 04 7B 6A D8 E0 C4 69
      """)
  }

  @Test func `a host gets only the events that its masks let through`() {
    expect(
      """
      a> 01 03 0C 00                              # Reset: no LE Meta
      a< 04 0E 04 01 03 0C 00
      a> 01 0B 20 07  00 10 00 10 00 00 00        # LE Set Scan Parameters
      a< 04 0E 04 01 0B 20 00
      a> 01 0C 20 02  01 00                       # LE Set Scan Enable
      a< 04 0E 04 01 0C 20 00
      b> 01 0A 20 01  01                          # LE Set Advertising Enable
      b< 04 0E 04 01 0A 20 00
      50 ms
      a> 01 01 0C 08  00 00 00 00 00 00 00 20     # Set Event Mask: LE Meta
      a< 04 0E 04 01 01 0C 00
      1500 ms
      a< 04 3E 0C  02 01  00 00 0B 00 00 00 00 00  00  C4
      """)
  }
}

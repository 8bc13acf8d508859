import Captures
import Learning
import Testing

@Suite struct TableCompletionTests {
  static let listed = """
    attr handle = 0x0010, end grp handle = 0x0014 uuid: 0000ffe0-0000-1000-8000-00805f9b34fb
    handle = 0x0011, char properties = 0x1c, char value handle = 0x0012, uuid = 0000ffe1-0000-1000-8000-00805f9b34fb
    handle = 0x0013, uuid = 00002902-0000-1000-8000-00805f9b34fb
    """

  private static func read(_ text: String) throws -> [DeviceListing] { try listing(text) }

  static func completion(_ lines: String, _ listing: String = listed) throws -> TableCompletion {
    TableCompletion(
      of: [connection(lines)], with: try #require(try Self.read(listing).first))
  }

  @Test func `a listing declares the handles that a central knew before`() throws {
    // The central subscribes, writes to the value, and writes to an attribute that nobody has declared.
    let completion = try Self.completion("> 12 13 00 01 00\n< 13\n> 52 12 00 41\n> 52 20 00 41")
    #expect(completion.contradictions.isEmpty)
    #expect(completion.declared == [0x12, 0x13])
    #expect(completion.table.undeclared == [0x20])
    #expect(
      lines(completion.table) == [
        "0010..0014 FFE0", "  0012 (0011) FFE1 [\"write-without-response\", \"write\", \"notify\"]",
        "    0013 2902", "001E..? 0000001E-0000-0000-0000-756E6B6E6F77",
        "  0020 (001F) 00000020-0000-0000-0000-756E6B6E6F77 [\"write-without-response\"]",
      ])
  }

  @Test func `what both have is the recording's`() throws {
    // The service in its 128-bit form, and the value 42.
    let completion = try Self.completion(
      """
      > 10 01 00 FF FF 00 28
      < 11 14 10 00 14 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E0 FF 00 00
      > 0A 12 00
      < 0B 42
      """, Self.listed + "\n[LE]> char-read-hnd 0x0012\nCharacteristic value/descriptor: 41")
    #expect(
      lines(completion.table) == [
        "0010..0014 FFE0 in 128 bits",
        "  0012 (0011) FFE1 [\"write-without-response\", \"write\", \"notify\"] 42", "    0013 2902",
      ])
  }

  @Test func `contradictions leave the recording's table as it is`() throws {
    let recorded = """
      > 10 01 00 FF FF 00 28
      < 11 06 10 00 15 00 E0 FF
      > 08 10 00 15 00 03 28
      < 09 07 11 00 10 12 00 E2 FF
      """
    let completion = try Self.completion(recorded)
    #expect(
      completion.contradictions == [
        "0010, the service FFE0, has the last handle 0015 in the recording, and 0014 in the listing",
        "0011 is the declaration of FFE2 in the recording, and the declaration of FFE1 in the listing",
        "0012 is the value of FFE2 in the recording, and the value of FFE1 in the listing",
      ])
    #expect(completion.table == ObservedTable(connections: [connection(recorded)]))
  }

  @Test func `a listing without handles declares none`() throws {
    let completion = try Self.completion(
      "> 52 12 00 41", "<service uuid=\"ffe0\"><characteristic uuid=\"ffe1\"/></service>")
    #expect(
      completion.contradictions == [
        "a server configuration of nRF Connect has no handles, so it does not tell which attribute a handle is"
      ])
    #expect(completion.table.undeclared == [0x12])
  }
}

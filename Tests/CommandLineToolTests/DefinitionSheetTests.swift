import Testing

@testable import CommandLineTool

@Suite struct DefinitionSheetTests {
  private static func sheet(_ name: String, _ assignments: String...) throws -> String {
    let library = DefinitionLibrary.ofThisProgram()
    let choice = try DefinitionChoice(name, assignments: assignments, library: library)
    return try DefinitionSheet(choice).text.replacingFolder(of: library)
  }

  @Test func `the HM-10 on a page`() throws {
    #expect(
      try Self.sheet("hm-10", "local-name=Demo") == """
        HM-10 (…/hm-10/hm-10.yaml)
        BLE serial module of JNHuaMao (CC2541); what is written to FFE1 comes out of its UART, and back

        advertising data, 28 of 31 bytes
          0   03 03 E0 FF                       services
          4   09 FF 48 4D 00 00 00 00 00 00     manufacturer-data
          14  07 16 00 B0 00 00 00 00           service-data
          22  02 01 06                          flags
          25  02 0A 00                          tx-power
        scan response, 6 of 31 bytes
          0   05 09 44 65 6D 6F                 local-name
          the adapter's address is shown as 00 00 00 00 00 00

        attributes
          service FFE0
            FFE1                    read, write-without-response, notify
              2902 (Client Characteristic Configuration), made by BlueZ
              2901 (Characteristic User Description)  read
          sends at most 20 bytes at once (MTU 23)

        settings
          local-name            Demo

        serial side
          carries the bytes of FFE1

        """)
  }

  @Test func `the bracelet's messages and rules on a page`() throws {
    let text = try Self.sheet("bracelet")
    #expect(
      text.contains(
        """
        messages
          day-request           A5 06 03 {month: u8} {day: u8} {xor8}
          day-total             A5 06 83 {packets: u16le} {xor8}
        """))
    #expect(
      text.contains(
        "on receive day-request\n          send day-total with packets = ceil(history[month, day].samples.size / 15)\n"
      ))
    #expect(!text.contains("the adapter's address"))
  }
}

extension String {
  fileprivate func replacingFolder(of library: DefinitionLibrary) -> String {
    let folder = library.folder ?? ""
    return split(separator: folder, omittingEmptySubsequences: false).joined(separator: "…")
  }
}

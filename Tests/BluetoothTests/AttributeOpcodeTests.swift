import Testing

@testable import Bluetooth

@Suite struct AttributeOpcodeTests {
  @Test(
    arguments: [
      (0x01, .response), (0x02, .request), (0x12, .request), (0x13, .response), (0x1B, .notification),
      (0x1D, .indication), (0x1E, .confirmation), (0x20, .request), (0x21, .response),
      (0x23, .notification), (0x52, .command), (0xD2, .command), (0x7F, .command), (0x30, .request),
      (0x31, .response),
    ] as [(UInt8, AttributeOpcode.Kind)])
  func `has a kind for every opcode, known or not`(opcode: UInt8, kind: AttributeOpcode.Kind) {
    #expect(AttributeOpcode(rawValue: opcode).kind == kind)
  }

  @Test func `knows the response to each request`() {
    #expect(AttributeOpcode.readBlobRequest.response == .readBlobResponse)
    #expect(AttributeOpcode.executeWriteRequest.response == .executeWriteResponse)
  }

  @Test func `has a name with its number`() {
    #expect(AttributeOpcode.readByGroupTypeRequest.description == "Read By Group Type Request (0x10)")
    #expect(AttributeOpcode(rawValue: 0x0F).description == "Read Multiple Response (0x0F)")
    #expect(AttributeOpcode(rawValue: 0x30).description == "ATT opcode 0x30")
  }
}

@Suite struct CharacteristicDeclarationTests {
  // properties read, write without response, notify; handle of the value; UUID
  static let table: [(String, CharacteristicDeclaration)] = [
    (
      "16 22 00 E1 FF",
      .init(properties: [.read, .writeWithoutResponse, .notify], valueHandle: 0x22, uuid: 0xFFE1)
    ),
    (
      "10 22 01 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 03 00 40 6E",
      .init(
        properties: .notify, valueHandle: 0x0122,
        uuid: BluetoothUUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")!)
    ),
  ]

  @Test(arguments: table)
  func `is read and written`(text: String, declaration: CharacteristicDeclaration) {
    #expect(CharacteristicDeclaration(bytes(text)) == declaration)
    #expect(declaration.bytes == bytes(text))
  }

  @Test(arguments: ["", "16 22", "16 22 00", "16 22 00 E1", "16 22 00 E1 FF 00", "16 22 00 E1 FF 00 00"])
  func `has a UUID of 2 or 16 bytes, and nothing else`(text: String) {
    #expect(CharacteristicDeclaration(bytes(text)) == nil)
  }
}

import Testing

@testable import Bluetooth

@Suite struct AttributeTests {
  @Test func `has the bits of the specification`() {
    #expect(CharacteristicProperties([.read, .writeWithoutResponse, .notify]).declarationByte == 0x16)
    #expect(CharacteristicProperties([.write, .reliableWrite]).declarationByte == 0x88)
  }

  @Test func `names properties both ways and in order`() {
    let properties: CharacteristicProperties = [.notify, .read, .reliableWrite]
    #expect(properties.names == ["read", "notify", "reliable-write"])
    #expect(CharacteristicProperties.named("write-without-response") == .writeWithoutResponse)
    #expect(CharacteristicProperties.named("Read") == nil)
  }

  @Test func `names every property and permission once`() {
    for name in CharacteristicProperties.allNames {
      #expect(CharacteristicProperties.named(name)?.names == [name])
    }
    for name in AttributePermissions.allNames { #expect(AttributePermissions.named(name)?.names == [name]) }
    #expect(CharacteristicProperties.allNames.count == 10)
    #expect(AttributePermissions.allNames.count == 17)
  }
}

@Suite struct ATTErrorTests {
  @Test(arguments: [
    (ATTError.writeNotPermitted, "write-not-permitted", "Write Not Permitted (0x03)"),
    (.invalidPDU, "invalid-pdu", "Invalid PDU (0x04)"),
    (.cccdImproperlyConfigured, "cccd-improperly-configured", "CCCD Improperly Configured (0xFD)"),
    (ATTError(rawValue: 0x9F), "application-error-9F", "Application Error (0x9F)"),
    (ATTError(rawValue: 0x20), "0x20", "ATT error 0x20"),
  ])
  func `has a name and a text`(error: ATTError, name: String, text: String) {
    #expect(error.name == name)
    #expect(error.description == text)
  }

  @Test func `reads every name and every code but zero`() {
    for code in UInt8(1)...255 {
      let error = ATTError(rawValue: code)
      #expect(ATTError(named: error.name) == error)
      #expect(ATTError(named: "0x" + String(code, radix: 16)) == error)
    }
    #expect(ATTError(named: "0x00") == nil)
    #expect(ATTError(named: "0x100") == nil)
    #expect(ATTError(named: "write-permitted") == nil)
  }

  @Test func `offers the named codes for suggestions`() {
    #expect(ATTError.allNames.count == 23)
    #expect(ATTError.allNames.first == "invalid-handle")
  }
}

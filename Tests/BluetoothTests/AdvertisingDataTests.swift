import Testing

@testable import Bluetooth

@Suite struct AdvertisingDataTests {
  /// The advertising data of a real HM-10: flags 06, company `HM` with the address, service data B000,
  /// an incomplete list with FFE0.
  static let hm10: [UInt8] = [
    0x02, 0x01, 0x06, 0x09, 0xFF, 0x48, 0x4D, 0x50, 0x8C, 0xB1, 0x6A, 0x7C, 0xAB,
    0x07, 0x16, 0x00, 0xB0, 0x00, 0x00, 0x00, 0x00, 0x03, 0x02, 0xE0, 0xFF,
  ]

  @Test func `reads and writes the advertising data of a real module`() {
    let data = AdvertisingData(parsing: Self.hm10)
    #expect(
      data.structures.map(\.type) == [.flags, .manufacturerData, .serviceData16, .incompleteServiceUUIDs16])
    #expect(data.structures[3].value == [0xE0, 0xFF])
    #expect(data.bytes == Self.hm10)
    #expect(data.size == 25)
    #expect(data.serviceUUIDs == [0xFFE0])
  }

  @Test func `finds services in lists of every width, and ignores half a UUID`() {
    let long = BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")!
    let data = AdvertisingData([
      ADStructure(.completeServiceUUIDs16, [0x0F, 0x18, 0x0A, 0x18, 0xFF]),
      ADStructure(.serviceData16, [0x0D, 0x18]),
      ADStructure(.completeServiceUUIDs128, long.littleEndianBytes),
      ADStructure(.incompleteServiceUUIDs32, [0x01]),
    ])
    #expect(data.serviceUUIDs == [0x180F, 0x180A, long])
  }

  @Test(arguments: [[], [0], [5], [2, 1], [1, 1, 0, 0], [0xFF, 1, 2], [2, 1, 6, 3, 2]] as [[UInt8]])
  func `keeps every byte of malformed data`(bytes: [UInt8]) {
    #expect(AdvertisingData(parsing: bytes).bytes == bytes)
  }

  @Test func `names AD types`() {
    #expect(AdvertisingDataType.txPowerLevel.description == "Tx Power Level")
    #expect(AdvertisingDataType(rawValue: 0x99).description == "AD type 0x99")
  }

  @Test func `survives a value no length byte can describe`() {
    let structure = ADStructure(.manufacturerData, Array(repeating: 0, count: 300))
    #expect(structure.size == 302)
    #expect(structure.bytes.count == 302)
  }

  @Test func `counts intervals in units of 0.625 ms`() {
    #expect(AdvertisingInterval(milliseconds: 152.5)?.units == 244)
    #expect(AdvertisingInterval(milliseconds: 1280)?.milliseconds == 1280)
    #expect(AdvertisingInterval(milliseconds: 19) == nil)
    #expect(AdvertisingInterval(milliseconds: 10240)?.units == 0x4000)
    #expect(AdvertisingInterval(milliseconds: 10241) == nil)
    #expect(AdvertisingInterval(milliseconds: .nan) == nil)
    #expect(AdvertisingInterval(milliseconds: .infinity) == nil)
  }

  @Test(arguments: [
    ("24", 0x24), ("0x2d", 0x2D), ("FF", 0xFF), ("4", nil), ("+4", nil), ("0x", nil), ("124", nil),
    ("²4", nil),
  ])
  func `an AD type is two hex digits`(text: String, type: UInt8?) {
    #expect(AdvertisingDataType(text)?.rawValue == type)
  }
}

import Testing

@testable import Bluetooth

@Suite struct BluetoothUUIDTests {
  @Test(arguments: [
    ("FFE0", "FFE0", "0000ffe0-0000-1000-8000-00805f9b34fb"),
    ("0xffe0", "FFE0", "0000ffe0-0000-1000-8000-00805f9b34fb"),
    ("0000FFE0", "FFE0", "0000ffe0-0000-1000-8000-00805f9b34fb"),
    ("0000ffe0-0000-1000-8000-00805F9B34FB", "FFE0", "0000ffe0-0000-1000-8000-00805f9b34fb"),
    ("1234FFE0", "1234FFE0", "1234ffe0-0000-1000-8000-00805f9b34fb"),
    (
      "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
      "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    ),
  ])
  func `reads every form`(text: String, short: String, full: String) throws {
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.description == short)
    #expect(uuid.fullText == full)
    #expect(BluetoothUUID(uuid.description) == uuid)
    #expect(BluetoothUUID(uuid.fullText) == uuid)
  }

  @Test(arguments: [
    "", "FFE", "FFE00", "0x", "0xFFE", "GFE0", "+FE0", "FFE0 ", "ＦＦＥ０", "FFE0-0000",
    "6e400001b5a3f393e0a9e50e24dcca9e", "6e400001-b5a3-f393-e0a9-e50e24dcca9",
    "0000ffe0-0000-1000-80000-0805f9b34fb",
    "0x6e400001-b5a3-f393-e0a9-e50e24dcca9e",
  ])
  func `refuses a text that is not a UUID`(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }

  /// A Nordic UART advertisement carries `9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 01 00 40 6E`.
  @Test(
    arguments: [
      ("FFE0", [0xE0, 0xFF]), ("1234FFE0", [0xE0, 0xFF, 0x34, 0x12]),
      (
        "6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
        [
          0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40, 0x6E,
        ]
      ),
    ] as [(String, [UInt8])])
  func `goes on the air least significant byte first`(text: String, bytes: [UInt8]) throws {
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.littleEndianBytes == bytes)
    #expect(BluetoothUUID(littleEndianBytes: bytes) == uuid)
    #expect(uuid.width.rawValue == bytes.count)
  }

  @Test func `takes only 2, 4 or 16 bytes`() {
    #expect(BluetoothUUID(littleEndianBytes: [1, 2, 3]) == nil)
    #expect(BluetoothUUID(littleEndianBytes: []) == nil)
  }

  @Test func `knows the names of assigned numbers`() {
    #expect((0x180D as BluetoothUUID).name == "Heart Rate")
    #expect((0x2902 as BluetoothUUID).name == "Client Characteristic Configuration")
    #expect(BluetoothUUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")?.name == "Nordic UART TX")
    #expect((0xFFE0 as BluetoothUUID).name == nil)
  }
}

@Suite struct DeviceAddressTests {
  @Test func `reads and prints the most significant byte first`() throws {
    let address = try #require(DeviceAddress("00:aa:01:1F:00:09"))
    #expect(address.bytes == [0x00, 0xAA, 0x01, 0x1F, 0x00, 0x09])
    #expect(address.description == "00:AA:01:1F:00:09")
  }

  @Test(arguments: [
    "", "00:AA:01", "00:AA:01:1F:00:9", "00:AA:01:1F:00:0G", "00:AA:01:1F:00:09:", "00-AA-01-1F-00-09",
  ])
  func `refuses a text that is not an address`(text: String) {
    #expect(DeviceAddress(text) == nil)
  }
}

import Bluetooth
import Learning
import Testing

@Suite struct TextListingTests {
  static let primary = """
    attr handle = 0x0001, end grp handle = 0x0005 uuid: 00001800-0000-1000-8000-00805f9b34fb
    attr handle = 0x0010, end grp handle = 0xffff uuid: 0000ffe0-0000-1000-8000-00805f9b34fb
    """
  static let characteristics = """
    handle = 0x0002, char properties = 0x0a, char value handle = 0x0003, uuid = 00002a00-0000-1000-8000-00805f9b34fb
    handle = 0x0011, char properties = 0x1c, char value handle = 0x0012, uuid = 0000ffe1-0000-1000-8000-00805f9b34fb
    """
  static let descriptors = """
    handle = 0x0001, uuid = 00002800-0000-1000-8000-00805f9b34fb
    handle = 0x0002, uuid = 00002803-0000-1000-8000-00805f9b34fb
    handle = 0x0013, uuid = 00002902-0000-1000-8000-00805f9b34fb
    handle = 0x0014, uuid = 2901
    """
  static let table = [
    "0001..0005 1800",
    "  0003 (0002) 2A00 [\"read\", \"write\"]",
    "0010..FFFF FFE0",
    "  0012 (0011) FFE1 [\"write-without-response\", \"write\", \"notify\"]",
    "    0013 2902",
    "    0014 2901",
  ]

  @Test func `the output of gatttool, in one file and in three`() throws {
    let one = try listing([Self.primary, Self.characteristics, Self.descriptors].joined(separator: "\n"))
    #expect(one.map(\.format) == [.gatttool])
    #expect(lines(one[0].table) == Self.table)
    let three = try listing(Self.descriptors, Self.primary, Self.characteristics)
    #expect(three.count == 1)
    #expect(lines(three[0].table) == Self.table)
  }

  @Test func `a session of gatttool, with prompts, colours and a value`() throws {
    let session = """
      [C4:00:00:00:00:01][LE]> connect
      Attempting to connect to C4:00:00:00:00:01
      Connection successful
      \u{1B}[0;94m[C4:00:00:00:00:01]\u{1B}[0m[LE]> primary
      attr handle: 0x0001, end grp handle: 0x0005 uuid: 00001800-0000-1000-8000-00805f9b34fb
      [C4:00:00:00:00:01][LE]> characteristics
      handle: 0x0002, char properties: 0x02, char value handle: 0x0003, uuid: 00002a00-0000-1000-8000-00805f9b34fb
      [C4:00:00:00:00:01][LE]> char-read-hnd 0x0003
      Characteristic value/descriptor: 4c 61 6d 70\u{20}
      """
    #expect(
      lines(try listing(session)[0].table) == [
        "0001..0005 1800", "  0003 (0002) 2A00 [\"read\"] 4C 61 6D 70",
      ])
  }

  @Test func `a damaged line of gatttool is refused with its place`() {
    #expect(
      mistake("attr handle = 0x0001, end grp handle = 0x00g5 uuid: 1800")
        == "file1:1:1 '0x00g5' is not a handle")
    #expect(
      mistake("\nattr handle = 0x0001, end grp handle = 0x0005") == "file1:2:1 'uuid' is missing in this line"
    )
    #expect(
      mistake("handle = 0x0002, char properties = 0x, char value handle = 0x0003, uuid = 2a00")
        == "file1:1:1 '0x' is not a byte of properties")
    #expect(
      mistake(Self.characteristics) == "file1 there are characteristics, but no service that contains them")
  }

  static let attributes = """
    [Lamp]# menu gatt
    [Lamp]# list-attributes
    Primary Service (Handle 0xb0e4)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a
    \t0000ffe0-0000-1000-8000-00805f9b34fb
    \tUnknown
    Characteristic (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b
    \t0000ffe1-0000-1000-8000-00805f9b34fb
    \tUnknown
    Descriptor (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b/desc000d
    \t00002902-0000-1000-8000-00805f9b34fb
    \tClient Characteristic Configuration
    Secondary Service (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service0010
    \t0000180f-0000-1000-8000-00805f9b34fb
    \tBattery Service
    """

  @Test func `the attributes that bluetoothctl lists have their handles in the paths`() throws {
    #expect(
      lines(try listing(Self.attributes)[0].table) == [
        "000A..? FFE0", "  000C (000B) FFE1 ?", "    000D 2902", "0010..? 180F secondary",
      ])
  }

  @Test func `what bluetoothctl says while it connects, and of the device and an attribute`() throws {
    let session = """
      [bluetooth]# info C4:00:00:00:00:01
      Device C4:00:00:00:00:01 (random)
      \tName: Lamp
      \tAlias: Lamp
      \tUUID: Unknown                   (0000ffe0-0000-1000-8000-00805f9b34fb)
      \tManufacturerData Key: 0x0157 (343)
      \tManufacturerData Value:
        02 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff  ................
        ff 02 d1 c5                                      ....           \u{20}
      \tRSSI: -68
      \u{1B}[0;94m[Lamp]\u{1B}[0m# [\u{1B}[0;92mNEW\u{1B}[0m] Primary Service (Handle 0x0000)
      \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a
      \t0000ffe0-0000-1000-8000-00805f9b34fb
      \tUnknown
      [NEW] Characteristic (Handle 0x0000)
      \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b
      \t0000ffe1-0000-1000-8000-00805f9b34fb
      \tUnknown
      [Lamp]# attribute-info /org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b
      Characteristic - Unknown
      \tUUID: 0000ffe1-0000-1000-8000-00805f9b34fb
      \tService: /org/bluez/hci0/dev_C4_00_00_00_00_01/service000a
      \tValue:
        41 54                                            AT             \u{20}
      \tNotifying: no
      \tFlags: write-without-response
      \tFlags: notify
      """
    let listing = try listing(session)[0]
    #expect(listing.name == "Lamp")
    #expect(listing.manufacturerData.map(\.company) == [0x0157])
    #expect(listing.manufacturerData.first?.bytes.count == 20)
    #expect(
      lines(listing.table) == [
        "000A..? FFE0", "  000C (000B) FFE1 [\"write-without-response\", \"notify\"] 41 54",
      ])
  }

  @Test func `'info' alone names the services`() throws {
    let info = """
      Device C4:00:00:00:00:01 (public)
      \tName: Lamp
      \tUUID: Generic Access Profile    (00001800-0000-1000-8000-00805f9b34fb)
      \tUUID: Vendor specific           (6e400001-b5a3-f393-e0a9-e50e24dcca9e)
      """
    #expect(lines(try listing(info)[0].table) == ["?..? 1800", "?..? 6E400001-B5A3-F393-E0A9-E50E24DCCA9E"])
  }

  @Test func `an attribute without its UUID is refused with its place`() {
    #expect(
      mistake("Primary Service\n\t/org/bluez/hci0/dev_C4/service000a\n\tUnknown")
        == "file1:2:1 the UUID of this attribute is missing in the next line")
  }
}

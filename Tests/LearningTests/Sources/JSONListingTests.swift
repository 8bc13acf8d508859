import Bluetooth
import Captures
import Framing
import Learning
import TestSupport
import Testing

@Suite struct JSONListingTests {
  static let profile = """
    {
      "services": [
        { "uuid": "1800", "type_uuid": "2800", "start_handle": 1, "end_handle": 3, "characteristics": [
          { "handle": 2, "uuid": "2803", "properties": 10, "security": 0,
            "value": { "handle": 3, "uuid": "2A00", "data": "4C616D70" }, "descriptors": [] } ] },
        { "uuid": "0000ffe0-0000-1000-8000-00805f9b34fb", "type_uuid": "2801", "start_handle": 16, "end_handle": 65535,
          "characteristics": [
          { "handle": 17, "uuid": "2803", "properties": 16, "security": 0,
            "value": { "handle": 18, "uuid": "6e400003-b5a3-f393-e0a9-e50e24dcca9e", "data": "", "error_code": 5 },
            "descriptors": [ { "handle": 19, "uuid": "2902", "value": "0000" }, { "handle": 20, "uuid": "2901", "data": "4F6E" } ] }
        ] }
      ],
      "devinfo": { "adv_data": "020106", "bd_addr": "c4:00:00:00:00:01", "addr_type": 1, "scan_rsp": "05094C616D70" }
    }
    """

  @Test func `a profile`() throws {
    let listing = try #require(try listing(Self.profile).first)
    #expect(listing.format == .profile)
    #expect(
      lines(listing.table) == [
        "0001..0003 1800",
        "  0003 (0002) 2A00 [\"read\", \"write\"] 4C 61 6D 70",
        "0010..FFFF FFE0 in 128 bits secondary",
        "  0012 (0011) 6E400003-B5A3-F393-E0A9-E50E24DCCA9E [\"notify\"] refused insufficient-authentication",
        "    0013 2902 00 00",
        "    0014 2901 4F 6E",
      ])
    #expect(listing.address == LinkAddress(DeviceAddress("C4:00:00:00:00:01")!, .random))
    #expect(
      listing.advertisements == [
        .init(.connectable, data: [2, 1, 6], scanResponse: bytes("05 09 4C 61 6D 70"))
      ])
  }

  @Test func `the services of GATTacker and its advertisement`() throws {
    let services = """
      [ { "uuid": "180f", "name": "Battery Service", "type": null, "startHandle": 12, "endHandle": 15, "characteristics": [
          { "uuid": "2a19", "name": "Battery Level", "properties": [ "read", "writeWithoutResponse", "notify" ], "value": "64",
            "descriptors": [ { "handle": 15, "uuid": "2902", "value": "" } ],
            "startHandle": 13, "valueHandle": 14, "asciiValue": "d" } ] },
        { "uuid": "0000ffe000001000800000805f9b34fb", "startHandle": 20, "endHandle": 20, "characteristics": [] } ]
      """
    let advertisement = """
      { "id": "c40000000001", "eir": "020106", "scanResponse": null,
        "decodedNonEditable": { "localName": "Lamp", "manufacturerDataHex": null, "serviceUuids": [ "ffe0" ] } }
      """
    let listings = try listing(services, advertisement)
    #expect(listings.map(\.format) == [.gattackerServices, .gattackerAdvertisement])
    #expect(
      lines(listings[0].table) == [
        "000C..000F 180F",
        "  000E (000D) 2A19 [\"read\", \"write-without-response\", \"notify\"] 64",
        "    000F 2902",
        "0014..0014 FFE0 in 128 bits",
      ])
    #expect(listings[1].name == "Lamp")
    #expect(listings[1].address?.address == DeviceAddress("C4:00:00:00:00:01"))
    #expect(listings[1].advertisements == [.init(.connectable, data: [2, 1, 6])])
  }

  @Test func `the advertising of BLESPloit, with the sets that are on`() throws {
    let text = """
      { "profiles": [
        { "id": "a", "enabled": true, "legacy_pdu": true, "connectable": false, "scannable": true, "adv_interval_ms": 250,
          "addr_type": "random_specific", "bd_addr": "C4:00:00:00:00:01", "adv_data_hex": "020106", "scan_rsp_hex": "0209" },
        { "id": "b", "enabled": false, "adv_data_hex": "zz" },
        { "id": "c", "enabled": true, "legacy_pdu": false, "connectable": true, "adv_data_hex": "020102" } ] }
      """
    let listing = try #require(try listing(text).first)
    var first = ListedAdvertisement(.scannable, data: [2, 1, 6], scanResponse: [2, 9])
    first.interval = .milliseconds(250)
    #expect(
      listing.advertisements == [
        first,
        .init(.extended(isConnectable: true, isScannable: false, isDirected: false), data: [2, 1, 2]),
      ])
    #expect(listing.address?.kind == .random)
  }

  @Test func `a damaged file is refused with the place`() {
    #expect(mistake("{ \"services\": [\n  { \"uuid\" \"1800\" } ] }") == "file1:2:12 ':' is missing")
    #expect(
      mistake("{ \"services\": [ { \"uuid\": \"1800\" } ] }")
        == "file1 'start_handle' is missing in 'services[0]'")
    #expect(
      mistake("{ \"services\": [ { \"uuid\": \"18\u{FC}0\", \"start_handle\": 1 } ] }")
        == "file1 'services[0].uuid' is not a UUID")
    #expect(
      mistake("{ \"services\": [ { \"uuid\": \"1800\", \"start_handle\": 65536 } ] }")
        == "file1 'services[0].start_handle' is not a number from 1 to 65535")
    #expect(
      mistake(
        "[ { \"uuid\": \"1800\", \"startHandle\": 1, \"characteristics\": [ { \"valueHandle\": 3, \"properties\": [\"fly\"] } ] } ]"
      )
        == "file1 'fly' in '[0].characteristics[0].properties[0]' is not a property")
    #expect(mistake("{ \"eir\": \"021\" }") == "file1 'eir' is not bytes in hex")
  }

  @Test func `another file is refused, and a recording is named`() {
    #expect(mistake("") == "file1 the file is empty")
    #expect(mistake("{ \"a\": 1 }") == "file1 blemu does not know this format")
    #expect(mistake("hello") == "file1 blemu does not know this format")
    #expect(mistake("btsnoop\0\0\0\0\u{1}") == "file1 this is a recording (btsnoop)")
    #expect(
      mistake(Self.profile, Self.profile)
        == "file2 the attributes are already known from a profile of WHAD or BLESPloit")
  }
}

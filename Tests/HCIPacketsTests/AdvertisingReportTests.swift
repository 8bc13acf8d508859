import Bluetooth
import HCIPackets
import TestSupport
import Testing

@Suite struct AdvertisingReportTests {
  static let address = LinkAddress(DeviceAddress("11:22:33:44:55:66")!)

  /// After 04 for an event: code, length, subevent, how many reports.
  static let events: [(String, [AdvertisingReport])] = [
    // LE Advertising Report: type, type of the address, address, length, data, RSSI
    (
      "3E 0F 02 01  00 00 66 55 44 33 22 11 03 02 01 06 C4",
      [
        AdvertisingReport(
          properties: [.legacy, .connectable, .scannable], address: address, data: [2, 1, 6], rssi: -60)
      ]
    ),
    // two: ADV_NONCONN_IND without RSSI, and SCAN_RSP of a random address
    (
      "3E 19 02 02  03 00 66 55 44 33 22 11 01 AA 7F  04 01 66 55 44 33 22 11 00 C4",
      [
        AdvertisingReport(properties: .legacy, address: address, data: [0xAA]),
        AdvertisingReport(
          properties: [.legacy, .scanResponse], address: LinkAddress(address.address, .random), data: [],
          rssi: -60),
      ]
    ),
    // LE Directed Advertising Report: type, type of the address, address, type of this side's address, that address, RSSI
    (
      "3E 12 0B 01  01 00 66 55 44 33 22 11 01 01 02 03 04 05 06 C4",
      [
        AdvertisingReport(
          properties: [.legacy, .connectable, .directed], address: address, data: [], rssi: -60)
      ]
    ),
    // LE Extended Advertising Report: type, type of the address, address, PHYs, set, power, RSSI, interval, type of the
    // target, target, length, data
    (
      "3E 1C 0D 01  21 00 00 66 55 44 33 22 11 01 02 05 7F C4 00 00 00 00 00 00 00 00 00 02 AB CD",
      [
        AdvertisingReport(
          properties: [.connectable, .incomplete], address: address, data: [0xAB, 0xCD], set: 5, rssi: -60)
      ]
    ),
    // anonymous, and of no set
    (
      "3E 1A 0D 01  00 00 FF 00 00 00 00 00 00 01 00 FF 7F 7F 00 00 00 00 00 00 00 00 00 00",
      [AdvertisingReport(properties: [], address: nil, data: [])]
    ),
    // the second one is cut off; other events
    (
      "3E 19 02 02  03 00 66 55 44 33 22 11 00 7F  04 01 66",
      [AdvertisingReport(properties: .legacy, address: address, data: [])]
    ),
    ("3E 0F 02 01  05 00 66 55 44 33 22 11 03 02 01 06 C4", []),
    ("3E 0A 03  00 40 00 27 00 00 00 2A 00", []), ("05 04 00 40 00 13", []), ("", []),
  ]

  @Test(arguments: events)
  func `an event is read as reports`(text: String, reports: [AdvertisingReport]) {
    #expect(AdvertisingReport.reports(in: hex(text)) == reports)
  }
}

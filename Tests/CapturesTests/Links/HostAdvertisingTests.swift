import Captures
import Testing

@Suite struct HostAdvertisingTests {
  @Test func `reports become advertisements`() {
    #expect(
      capture([
        // ADV_IND and SCAN_RSP, each in a report; a directed one
        "< 04 3E 0F 02 01  00 00 66 55 44 33 22 11 03 02 01 06 C4",
        "< 04 3E 0D 02 01  04 00 66 55 44 33 22 11 01 AA 7F",
        "< 04 3E 12 0B 01  01 00 66 55 44 33 22 11 01 01 02 03 04 05 06 C4",
      ]).lines == [
        "11:22:33:44:55:66", "0 connectable -60 dBm: 02 01 06", "1 scanResponse: AA", "2 directed -60 dBm",
      ])
  }

  /// LE Extended Advertising Report: one; type, address, PHYs, set, power, RSSI, interval, target, data.
  static func report(_ type: String, _ data: String, from address: String = "00 66 55 44 33 22 11") -> String
  {
    "< 04 3E 1C 0D 01  \(type) \(address) 01 02 05 7F C4 00 00 00 00 00 00 00 00 00 \(data)"
  }

  @Test func `fragments of extended advertising are joined`() {
    #expect(
      capture([
        Self.report("21 00", "02 AB CD"), Self.report("21 00", "01 55", from: "01 06 05 04 03 02 C1"),
        Self.report("01 00", "01 EF"), Self.report("13 00", "00"), Self.report("42 00", "01 77"),
        Self.report("00 00", "00", from: "FF 00 00 00 00 00 00"),
      ]).lines == [
        "11:22:33:44:55:66", "2 extended connectable set 5 -60 dBm: AB CD EF",
        "3 connectable set 5 -60 dBm: ", "4 extended scannable set 5 -60 dBm: 77", "loss at 4", "other at 5",
      ])
  }

  @Test func `what a host tells its controller to advertise is an advertisement of the host`() {
    #expect(
      capture([
        "> 01 05 20 06 06 05 04 03 02 C1",  // LE Set Random Address
        // LE Set Advertising Parameters: 160 to 176, ADV_IND, random address
        "> 01 06 20 0F A0 00 B0 00 00 01 00 00 00 00 00 00 00 07 00", "< 04 0E 04 01 06 20 00",
        // LE Set Advertising Data, LE Set Scan Response Data, each with 31 bytes
        "> 01 08 20 20 03 02 01 06 \(String(repeating: "00 ", count: 28))", "< 04 0E 04 01 08 20 00",
        "> 01 09 20 20 02 01 09 \(String(repeating: "00 ", count: 29))", "< 04 0E 04 01 09 20 00",
        "> 01 0A 20 01 01", "< 04 0E 04 01 0A 20 00",  // LE Set Advertising Enable
        // other data; then data that the controller refuses, and the same data again
        "> 01 08 20 20 01 00 \(String(repeating: "00 ", count: 30))", "< 04 0E 04 01 08 20 00",
        "> 01 08 20 20 02 AA BB \(String(repeating: "00 ", count: 29))", "< 04 0E 04 01 08 20 12",
        "> 01 08 20 20 01 00 \(String(repeating: "00 ", count: 30))", "< 04 0E 04 01 08 20 00",
      ]).lines == [
        "C1:02:03:04:05:06 (random)", "7 connectable 160-176: 02 01 06", "7 scanResponse 160-176: 01 09",
        "9 connectable 160-176: 00", "9 scanResponse 160-176: 01 09",
      ])
  }

  @Test func `each advertising set is an advertisement of its own`() {
    let parameters = "A0 00 00 B0 00 00 07 01 00 00 00 00 00 00 00 00 7F 01 00 01"
    #expect(
      capture([
        // LE Set Extended Advertising Parameters: set 1 connectable with the identifier 3, set 2 legacy and scannable
        "> 01 36 20 19 01 01 00 \(parameters) 03 00", "> 01 36 20 19 02 12 00 \(parameters) 00 00",
        // LE Set Advertising Set Random Address
        "> 01 35 20 07 01 06 05 04 03 02 C1", "> 01 35 20 07 02 06 05 04 03 02 C2",
        // LE Set Extended Advertising Data: the set, first and last fragment; LE Set Extended Scan Response Data
        "> 01 37 20 05 01 01 01 01 AA", "> 01 37 20 05 01 02 01 01 BB", "> 01 37 20 05 02 03 01 01 CC",
        "> 01 38 20 05 02 03 01 01 DD",
        // LE Set Extended Advertising Enable: both; and off
        "> 01 39 20 0A 01 02 01 00 00 00 02 00 00 00", "< 04 0E 04 01 39 20 00", "> 01 39 20 02 00 00",
        "> 01 37 20 05 02 03 01 01 EE",
      ]).lines == [
        "C1:02:03:04:05:06 (random)", "8 extended connectable set 3 160-176: AA BB",
        "C2:02:03:04:05:06 (random)", "8 scannable 160-176: CC", "8 scanResponse 160-176: DD",
      ])
  }
}

import TestSupport
import Testing

@testable import DeviceModel

/// Time zones, from files that these tests make (RFC 8536) and from rules of POSIX.
@Suite struct TimeZoneTests {
  /// The moments around the changes of 2026, and one in each half of a later year.
  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 3, 29, 0, 59, 59], 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 3, 29, 1, 0, 0], 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 10, 25, 0, 59, 59], 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 10, 25, 1, 0, 0], 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2100, 7, 1, 0, 0, 0], 7200),
      ("EST5EDT,M3.2.0,M11.1.0", [2026, 3, 8, 6, 59, 59], -18_000),
      ("EST5EDT,M3.2.0,M11.1.0", [2026, 3, 8, 7, 0, 0], -14_400),
      ("EST5EDT,M3.2.0,M11.1.0", [2026, 11, 1, 6, 0, 0], -18_000),
      // In the south, daylight saving goes on over the new year.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", [2026, 1, 1, 0, 0, 0], 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", [2026, 7, 1, 0, 0, 0], 36_000),
      ("IST-5:30", [2026, 7, 1, 0, 0, 0], 19_800), ("<+0545>-5:45", [2026, 7, 1, 0, 0, 0], 20_700),
      // Julian days have no 29 February, days from 0 have.
      ("A0B,J60/0,J61/0", [2024, 3, 1, 0, 0, 0], 3600), ("A0B,J60/0,J61/0", [2024, 2, 29, 23, 59, 59], 0),
      ("A0B,59/0,60/0", [2024, 2, 29, 0, 0, 0], 3600), ("A0B,59/0,60/0", [2024, 3, 1, 0, 0, 0], 0),
    ] as [(String, [Int64], Int64)])
  func `a rule gives the time of the zone`(rule: String, time: [Int64], offset: Int64) throws {
    #expect(try #require(DaylightRule(rule)).offset(at: #require(CalendarPart.time(time))) == offset)
  }

  @Test(arguments: [
    "", "CET", "-1", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "<CET-1",
    "CET-1CEST,M3.5.0,M10.5.0x", "CET-1CEST,M3.5,M10.5.0", "CET-99999999999999999999",
  ])
  func `what is no rule is none`(text: String) { #expect(DaylightRule(text) == nil) }

  /// Two changes, at 100 and 200, and the rule after them.
  private static func file(_ footer: String) -> [UInt8] {
    func number(_ number: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    }
    func header(times: Int64, types: Int64, names: Int64) -> [UInt8] {
      Array("TZif2".utf8) + Array(repeating: 0, count: 15)
        + [0, 0, 0, times, types, names].flatMap { number($0, 4) }
    }
    let types = number(600, 4) + [0, 0] + number(-1200, 4) + [1, 0]
    let body = number(100, 8) + number(200, 8) + [1, 0] + types + Array("A\0".utf8)
    return header(times: 0, types: 1, names: 1) + number(0, 4) + [0, 0, 0]
      + header(times: 2, types: 2, names: 2)
      + body + Array("\n\(footer)\n".utf8)
  }

  @Test func `a file gives the time between its changes, and its rule after them`() throws {
    let zone = try #require(TimeZone(Self.file("A-1")))
    #expect([-1, 99, 100, 199, 200, 1 << 40].map(zone.offset) == [600, 600, -1200, -1200, 3600, 3600])
    let plain = try #require(TimeZone(Self.file("")))
    #expect([100, 200, 1 << 40].map(plain.offset) == [-1200, 600, 600])
  }

  @Test func `no file brings it down`() {
    let file = Self.file("CET-1CEST,M3.5.0,M10.5.0/3")
    for count in file.indices { _ = TimeZone(Array(file.prefix(count)))?.offset(at: 150) }
    var source = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      var broken = file
      for _ in 0..<3 { broken[Int.random(in: broken.indices, using: &source)] = source.bytes(1)[0] }
      _ = TimeZone(broken)?.offset(at: 150)
    }
  }

  @Test(arguments: ["../../etc/passwd", "/etc/passwd", "", "Europe/Berlin\0", "Nowhere/City"])
  func `a name that is no zone has no time`(name: String) {
    let error = #expect(throws: EvaluationError.self) { try TimeZones.localTime(at: 0, in: name) }
    #expect(error == .noTimeZone(TimeZones.areKnown ? name : nil))
  }
}

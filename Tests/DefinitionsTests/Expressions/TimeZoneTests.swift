import TestSupport
import Testing

@testable import DeviceModel

/// Time zones, by rules of POSIX, which need no files.
@Suite struct TimeZoneTests {
  /// The moments around the changes of 2026, and one in each half of a later year.
  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 3, 29, 0, 59, 59], 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 3, 29, 1, 0, 0], 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 10, 25, 0, 59, 59], 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2026, 10, 25, 1, 0, 0], 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [2100, 7, 1, 0, 0, 0], 7200),
      // In the south, daylight saving goes on over the new year.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", [2026, 1, 1, 0, 0, 0], 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", [2026, 7, 1, 0, 0, 0], 36_000),
      ("IST-5:30", [2026, 7, 1, 0, 0, 0], 19_800), ("<+0545>-5:45", [2026, 7, 1, 0, 0, 0], 20_700),
    ] as [(String, [Int64], Int64)])
  func `a rule gives the time of the zone`(rule: String, time: [Int64], offset: Int64) throws {
    let time = try #require(CalendarPart.time(time))
    #expect(try TimeZones.localTime(at: time, in: rule) == time + offset)
  }

  @Test(.enabled(if: TimeZones.areKnown)) func `a name gives the time of the zone`() throws {
    let time = try #require(CalendarPart.time([2026, 7, 1, 0, 0, 0]))
    #expect(try TimeZones.localTime(at: time, in: "Europe/Berlin") == time + 7200)
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", ":/etc/passwd", "", "Europe/Berlin\0", "Nowhere/City", "leapseconds",
    "CET-1CEST,M13.5.0,M10.5.0", "Europe",
  ])
  func `a name that is no zone has no time`(name: String) {
    let error = #expect(throws: EvaluationError.self) { try TimeZones.localTime(at: 0, in: name) }
    #expect(error == .noTimeZone(TimeZones.areKnown ? name : nil))
  }
}

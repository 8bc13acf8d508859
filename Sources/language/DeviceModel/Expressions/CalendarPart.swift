import Glibc

/// A part of a time in UTC that expressions can extract.
package enum CalendarPart: String, CaseIterable {
  case year, month, day, hour, minute, second
  /// 1, Monday, to 7.
  case weekday
  /// 1 to 366.
  case yearday

  /// The part of a time in seconds since 1970; some millions of years before or after at most.
  package func value(at time: Int64) -> Int64 {
    var time = time_t(time)
    var parts = tm()
    gmtime_r(&time, &parts)
    return switch self {
    case .year: Int64(parts.tm_year) + 1900
    case .month: Int64(parts.tm_mon) + 1
    case .day: Int64(parts.tm_mday)
    case .hour: Int64(parts.tm_hour)
    case .minute: Int64(parts.tm_min)
    case .second: Int64(parts.tm_sec)
    case .weekday: Int64(parts.tm_wday + 6) % 7 + 1
    case .yearday: Int64(parts.tm_yday) + 1
    }
  }

  /// Seconds since 1970 of a year, month, day, hour, minute and second. A part beyond its range counts on: month 13 is
  /// January of the next year.
  ///
  /// - Returns: nil if a part is outside the calendar's range.
  package static func time(_ values: [Int64]) -> Int64? {
    let parts = values.compactMap(Int32.init(exactly:))
    guard parts.count == 6, parts[0].magnitude < 1 << 20, parts[1] > .min else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (parts[3], parts[4], parts[5])
    return Int64(timegm(&time))
  }
}

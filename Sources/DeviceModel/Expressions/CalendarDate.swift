/// A date and time of day in UTC, by the proleptic Gregorian calendar.
///
/// Years are reckoned from March, so that the leap day is a year's last: then the days before a month follow from
/// its number alone, and 400 years are a whole number of days.
struct CalendarDate: Hashable {
  private static let daysIn400Years: Int64 = 146_097
  /// From 1 March of the year 0 to 1 January 1970.
  private static let daysToEpoch: Int64 = 719_468
  static let secondsOfDay: Int64 = 86_400

  var year: Int64
  /// 1 to 12.
  var month: Int64
  /// 1 to 31.
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that a number of days after 1 January 1970 is.
  init(daysSinceEpoch days: Int64) {
    let shifted = days + Self.daysToEpoch
    let cycle = shifted.floorQuotient(Self.daysIn400Years)
    let dayOfCycle = shifted - cycle * Self.daysIn400Years
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfCycle + 400 * cycle + (month <= 2 ? 1 : 0)
  }

  /// Days since 1 January 1970; a month beyond 12 or below 1 is one of another year.
  var daysSinceEpoch: Int64 {
    let months = month - 3
    let yearFromMarch = year + months.floorQuotient(12)
    let monthFromMarch = months - months.floorQuotient(12) * 12
    let cycle = yearFromMarch.floorQuotient(400)
    let yearOfCycle = yearFromMarch - cycle * 400
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * Self.daysIn400Years + dayOfCycle - Self.daysToEpoch
  }
}

/// A part of a time that expressions can ask for.
enum CalendarPart: String, CaseIterable {
  case year, month, day, hour, minute, second
  /// 1, Monday, to 7.
  case weekday
  /// 1 to 366.
  case yearday

  /// The part of a time in seconds since 1970.
  func value(at time: Int64) -> Int64 {
    let days = time.floorQuotient(CalendarDate.secondsOfDay)
    let second = time - days * CalendarDate.secondsOfDay
    let date = CalendarDate(daysSinceEpoch: days)
    return switch self {
    case .year: date.year
    case .month: date.month
    case .day: date.day
    case .hour: second / 3600
    case .minute: second / 60 % 60
    case .second: second % 60
    case .weekday: (days + 3) - (days + 3).floorQuotient(7) * 7 + 1
    case .yearday: days - CalendarDate(year: date.year, month: 1, day: 1).daysSinceEpoch + 1
    }
  }
}

extension Int64 {
  fileprivate func floorQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
  }
}

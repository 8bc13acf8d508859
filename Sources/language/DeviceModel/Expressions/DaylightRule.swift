/// How a time zone changes its clocks each year, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct DaylightRule {
  /// The seconds to add to UTC, without and with daylight saving.
  private var standard: Int64 = 0
  private var daylight: Int64?
  private var start = Change()
  private var end = Change()

  /// A day of each year, and the time on it.
  fileprivate struct Change {
    enum Day {
      /// A weekday (0 is Sunday) of a week of a month, of which 5 is the last.
      case weekday(Int64, week: Int64, month: Int64)
      /// From 1 to 365, without 29 February.
      case julian(Int64)
      /// From 0.
      case ordinal(Int64)
    }

    var day = Day.ordinal(0)
    /// In seconds.
    var time: Int64 = 7200
  }

  init?(_ text: String) {
    var reader = Reader(rest: text.utf8[...])
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    guard !reader.rest.isEmpty else { return }
    guard reader.skipName() else { return nil }
    daylight = reader.rest.first == UInt8(ascii: ",") ? standard + 3600 : reader.time().map { -$0 }
    guard daylight != nil, let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else {
      return nil
    }
    (self.start, self.end) = (start, end)
  }

  func offset(at time: Int64) -> Int64 {
    guard let daylight else { return standard }
    let year = CalendarPart.year.value(at: time + standard)
    let (from, to) = (start.moment(in: year) - standard, end.moment(in: year) - daylight)
    let isDaylight = from < to ? from <= time && time < to : time < to || from <= time
    return isDaylight ? daylight : standard
  }

  private struct Reader {
    var rest: Substring.UTF8View

    /// `CET`, `<+03>`
    mutating func skipName() -> Bool {
      let count = rest.count
      if take("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return take(">")
      }
      rest = rest.drop { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
      return rest.count < count
    }

    /// `-1`, `5:30`, in seconds.
    mutating func time() -> Int64? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard var seconds = number().map({ $0 * 3600 }) else { return nil }
      for unit: Int64 in [60, 1] where take(":") {
        guard let part = number() else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// `,M3.5.0`, `,J60/2`
    mutating func change() -> Change? {
      guard take(",") else { return nil }
      var change = Change()
      if take("M") {
        guard let month = number(), take("."), let week = number(), take("."), let day = number(),
          1...12 ~= month, 1...5 ~= week, 0...6 ~= day
        else { return nil }
        change.day = .weekday(day, week: week, month: month)
      } else {
        let isJulian = take("J")
        guard let day = number() else { return nil }
        change.day = isJulian ? .julian(day) : .ordinal(day)
      }
      if take("/") {
        guard let time = time() else { return nil }
        change.time = time
      }
      return change
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func number() -> Int64? {
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard (1...5).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
    }
  }
}

extension DaylightRule.Change {
  /// In seconds since 1970, by the clock of the zone.
  fileprivate func moment(in year: Int64) -> Int64 {
    func midnight(_ month: Int64, _ day: Int64) -> Int64 {
      CalendarPart.time([year, month, day, 0, 0, 0]) ?? 0
    }
    let days: Int64 = 86_400
    switch day {
    case .ordinal(let day): return midnight(1, 1) + day * days + time
    case .julian(let day):
      let isLeap = midnight(3, 1) - midnight(2, 1) == 29 * days
      return midnight(1, 1) + (day - (isLeap && day >= 60 ? 0 : 1)) * days + time
    case .weekday(let weekday, let week, let month):
      let first = midnight(month, 1)
      let next = midnight(month + 1, 1)
      var date = first + (weekday - CalendarPart.weekday.value(at: first) % 7 + 7) % 7 * days
      date += (week - 1) * 7 * days
      while date >= next { date -= 7 * days }
      return date + time
    }
  }
}

import DeviceModel

/// A date and a time: `2026-11-29T12:00:00`, in UTC, or with `Z` or an offset such as `+01:00`.
enum ClockText {
  /// Seconds since 1970; nil if there is no such time.
  static func parse(_ text: String) -> Int64? {
    guard let end = text.firstIndex(of: "T") else { return nil }
    let date = numbers(text[..<end], separator: "-", digits: [4, 2, 2])
    var clock = text[end...].dropFirst()
    guard let date, let offset = takeOffset(from: &clock) else { return nil }
    let hasSeconds = clock.utf8.count > 5
    guard let time = numbers(clock, separator: ":", digits: hasSeconds ? [2, 2, 2] : [2, 2]) else {
      return nil
    }
    let parts = date + time + (hasSeconds ? [] : [0])
    guard let seconds = CalendarPart.time(parts),
      zip([CalendarPart.year, .month, .day, .hour, .minute, .second], parts).allSatisfy({ part, number in
        part.value(at: seconds) == number
      })
    else { return nil }
    return seconds - offset
  }

  /// `Z`, `+01:00` or nothing, in seconds.
  private static func takeOffset(from text: inout Substring) -> Int64? {
    if text.last == "Z" { text.removeLast() }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return 0 }
    let parts = numbers(text[sign...].dropFirst(), separator: ":", digits: [2, 2])
    guard let parts, parts[0] < 24, parts[1] < 60 else { return nil }
    let isWest = text[sign] == "-"
    text = text[..<sign]
    return (isWest ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
  }

  private static func numbers(_ text: Substring, separator: Character, digits: [Int]) -> [Int64]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits, text.utf8.allSatisfy({ $0 < 0x3B && $0 != 0x2B }) else {
      return nil
    }
    let numbers = parts.compactMap { Int64($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  static func write(_ time: Int64) -> String {
    func part(_ part: CalendarPart, _ digits: Int = 2) -> String {
      let text = String(part.value(at: time))
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return "\(part(.year, 4))-\(part(.month))-\(part(.day))T\(part(.hour)):\(part(.minute)):\(part(.second))"
  }
}

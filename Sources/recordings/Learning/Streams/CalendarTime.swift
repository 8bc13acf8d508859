import Framing

/// A date and time of day in single bytes: year, month, day, hour, minute, second.
enum CalendarTime: CaseIterable {
  /// Two decimal digits a byte, with the century or without it.
  case longDigits, digits
  /// Numbers; the year in two bytes, or since 2000.
  case littleEndianYear, bigEndianYear, shortYear

  var width: Int {
    switch self {
    case .longDigits, .littleEndianYear, .bigEndianYear: 7
    case .digits, .shortYear: 6
    }
  }

  /// Seconds since 1970 in the time zone of the digits; nil: the bytes are no date and time.
  func seconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let bytes = Array(bytes)
    let parts: [Int?] =
      switch self {
      case .longDigits:
        [Self.decimal(bytes[0]).flatMap { $0 == 20 ? Self.decimal(bytes[1]) : nil }]
          + bytes[2...].map(Self.decimal)
      case .digits: bytes.map(Self.decimal)
      case .littleEndianYear:
        [Int(ByteOrder.littleEndian.number(bytes[..<2])) - 2000] + bytes[2...].map { Int($0) }
      case .bigEndianYear: [Int(ByteOrder.bigEndian.number(bytes[..<2])) - 2000] + bytes[2...].map { Int($0) }
      case .shortYear: bytes.map { Int($0) }
      }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == 6, zip(numbers, Self.ranges).allSatisfy({ $1.contains($0) }) else { return nil }
    return Int64(((Self.days(numbers) * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5])
  }

  private static let ranges = [0...99, 1...12, 1...31, 0...23, 0...59, 0...59]

  private static func decimal(_ byte: UInt8) -> Int? {
    NumberForm.digits(.bcd, 1).number(in: [byte][...]).map { Int($0) }
  }

  /// Since 1970, of a year since 2000, a month and a day. A year begins in March here, so that the leap day is its last.
  private static func days(_ date: [Int]) -> Int {
    let (year, month) = (2000 + date[0] - (date[1] < 3 ? 1 : 0), (date[1] + 9) % 12)
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + date[2] - 1 - 719_468
  }
}

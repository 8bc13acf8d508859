import DeviceModel

/// Mistakes in the limits of a setting or a variable, or in a generator.
extension Mistake {
  static func secondChoice(_ value: Value) -> Self { Self("a second '\(value)'") }
  static let negativeSize = Self("'max' cannot be negative")
  static func tooLargeSize(_ size: Int, most: Int) -> Self {
    Self("\(size) bytes", "at most \(most) are possible")
  }
  static let emptyRange = Self("'min' is greater than 'max'")
  static func tooLargeNumber(_ text: String) -> Self { Self("\(text) is too large", "less than 1e15") }
  static func tooShortPeriod(_ text: String) -> Self { Self("'\(text)' is too short", "at least 1ms") }
}

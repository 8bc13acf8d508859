import DeviceModel

/// A mistake in the limits of a setting or a variable, or in a generator.
enum SettingMistake: Mistake {
  case secondChoice(Value)
  case negativeSize
  /// The setting would have more bytes than a value can have.
  case tooLargeSize(Int, most: Int)
  /// The least value is greater than the greatest.
  case emptyRange
  /// A number of a generator is too large.
  case tooLargeNumber(String)
  /// A period of a generator is too short.
  case tooShortPeriod(String)
}

extension SettingMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .secondChoice(let value): ("a second '\(value)'", nil)
    case .negativeSize: ("'max' cannot be negative", nil)
    case .tooLargeSize(let size, let most): ("\(size) bytes", "at most \(most) are possible")
    case .emptyRange: ("'min' is greater than 'max'", nil)
    case .tooLargeNumber(let text): ("\(text) is too large", "less than 1e15")
    case .tooShortPeriod(let text): ("'\(text)' is too short", "at least 1ms")
    }
  }
}

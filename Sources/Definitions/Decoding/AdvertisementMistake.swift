import Bluetooth
import DeviceModel

/// A mistake in the advertisement.
enum AdvertisementMistake: Mistake {
  case notCompany(String)
  /// The text is not the type of a raw structure.
  case notType(String)
  case badPower(Int64, range: ClosedRange<Int>)
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case badValue(AdvertisementValueError, circumstance: String)
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case noBytes(any Error, circumstance: String)
  /// The period is shorter than any advertising interval.
  case tooOften
  case everyAndTimeout
  /// The text is not a static random address.
  case notOwnAddress(String)
  /// The packets have a field twice.
  case secondPlace(AdvertisingField.Content)
  case secondChannel(Int)
  /// One before it has no condition.
  case neverAdvertised
}

extension AdvertisementMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notCompany(let text): ("'\(text)' is not a company identifier", "4 hex digits, as in 004C")
    case .notType(let text): ("'\(text)' is not an AD type", "2 hex digits, as in 24")
    case .badPower(let power, let range):
      ("\(power) is not in \(range.lowerBound)…\(range.upperBound)", nil)
    case .badValue(let error, let circumstance): ("\(circumstance)\(error)", nil)
    case .noBytes(let error, let circumstance):
      ("\(circumstance)the advertisement cannot be made: \(error)", nil)
    case .tooOften: ("'every' is at least 20ms, the shortest advertising interval", nil)
    case .everyAndTimeout:
      ("'every' and 'timeout' exclude each other", "end it by a rule, with 'advertise: false'")
    case .notOwnAddress(let text):
      (
        "'\(text)' is not an address that a device can give itself",
        "write 'random', or one that begins with C0 to FF, as in C0:12:34:56:78:9A"
      )
    case .neverAdvertised:
      ("this is never advertised: the one before it has no condition", "give that one an 'if'")
    case .secondChannel(let index): ("a second channel \(index)", nil)
    case .secondPlace(let field): ("a second '\(field.rawValue)'", "a field is in one packet, once")
    }
  }
}

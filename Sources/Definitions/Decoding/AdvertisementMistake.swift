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
  /// The packets have a field twice.
  case secondPlace(AdvertisingField.Content)
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
    case .secondPlace(let field): ("a second '\(field.rawValue)'", "a field is in one packet, once")
    }
  }
}

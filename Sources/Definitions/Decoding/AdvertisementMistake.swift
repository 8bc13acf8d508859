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
  /// The text is not an address of a set.
  case notOwnAddress(String)
  /// The text is not an identity address.
  case notIdentity(String)
  /// A private address changes more than once a second.
  case addressTooOften
  /// A non-resolvable address with an identity or a key.
  case hasNoIdentity
  /// A field occurs twice in the packets.
  case secondPlace(AdvertisingField.Content)
  case secondChannel(Int)
  /// An alternative before it has no condition.
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
      ("\(circumstance)the advertisement cannot be built: \(error)", nil)
    case .tooOften: ("'every' must be at least 20ms, the shortest advertising interval", nil)
    case .everyAndTimeout:
      ("'every' and 'timeout' cannot be combined", "let a rule end it with 'advertise: false'")
    case .notOwnAddress(let text):
      (
        "'\(text)' is not a static random address",
        "write 'public', 'random', 'resolvable' or 'non-resolvable', or an address that begins with C0 to FF, as in C0:12:34:56:78:9A"
      )
    case .notIdentity(let text):
      (
        "'\(text)' is not a static random address",
        "write 'public', 'random', or an address that begins with C0 to FF, as in C0:12:34:56:78:9A"
      )
    case .addressTooOften: ("a private address must last at least 1s", nil)
    case .hasNoIdentity:
      ("no one recognizes a device by a non-resolvable address", "leave this out, or choose 'resolvable'")
    case .neverAdvertised:
      ("this entry is never advertised: the one before it has no condition", "give that one an 'if'")
    case .secondChannel(let index): ("a second channel \(index)", nil)
    case .secondPlace(let field):
      ("a second '\(field.rawValue)'", "a field can appear only once, in one packet")
    }
  }
}

import Bluetooth
import DeviceModel

/// Mistakes in the advertisement.
extension Mistake {
  static func notCompany(_ text: String) -> Self {
    Self("'\(text)' is not a company identifier", "4 hex digits, as in 004C")
  }
  static func notType(_ text: String) -> Self {
    Self("'\(text)' is not an AD type", "2 hex digits, as in 24")
  }
  static func badValue(_ error: any Error, circumstance: String) -> Self { Self("\(circumstance)\(error)") }
  static func noBytes(_ error: any Error, circumstance: String) -> Self {
    Self("\(circumstance)the advertisement cannot be built: \(error)")
  }
  static let tooOften = Self("'every' must be at least 20ms, the shortest advertising interval")
  static let everyAndTimeout = Self(
    "'every' and 'timeout' cannot be combined", "let a rule end it with 'advertise: false'")
  static let changeAtBegin = Self("'every: change' is at once", "leave out 'changes', or 'every'")
  /// - Parameter isName: whether it names something whose value could be an address.
  static func notOwnAddress(_ text: String, isName: Bool) -> Self {
    Self(
      "'\(text)' is not a static random address",
      isName
        ? "write \"{\(text)}\" for its value"
        : "write 'public', 'random', 'resolvable' or 'non-resolvable', or an address that begins with C0 to FF, as in C0:12:34:56:78:9A"
    )
  }
  static func notIdentity(_ text: String) -> Self {
    Self(
      "'\(text)' is not a static random address",
      "write 'public', 'random', or an address that begins with C0 to FF, as in C0:12:34:56:78:9A")
  }
  static let connectableCrowd = Self(
    "the advertisers of a crowd cannot be connectable", "write 'type: broadcast' or 'type: scannable'")
  static let crowdOfOneAddress = Self(
    "each advertiser of a crowd has an address of its own",
    "leave out 'address', or choose 'resolvable', 'non-resolvable' or a template with {advertiser}")
  static let addressTooOften = Self("a private address must last at least 1s")
  static let hasNoIdentity = Self(
    "no one recognizes a device by a non-resolvable address", "leave this out, or choose 'resolvable'")
  static func secondPlace(_ field: AdvertisingField.Content) -> Self {
    Self("a second '\(field.rawValue)'", "a field can appear only once, in one packet")
  }
  static func secondChannel(_ index: Int) -> Self { Self("a second channel \(index)") }
  static let neverAdvertised = Self(
    "this entry is never advertised: the one before it has no condition",
    "give that one an 'if'; 'bytes' under 'packets' repeats a structure, with --on exact")
}

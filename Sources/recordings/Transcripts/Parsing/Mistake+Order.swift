import Definitions

/// Correct lines of a transcript in the wrong place, and mistakes of the file as a whole.
extension Mistake {
  static func tooLarge(bytes: Int, limit: Int) -> Self {
    Self("the transcript has \(bytes) bytes", "the limit is \(limit); split it into several transcripts")
  }
  static let empty = Self("the transcript is empty", "begin it with '== TITLE'")
  static let deviceInSection = Self("'device' must come before the first section")
  static let beforeFirstSection = Self("this line is before the first section", "begin with '== TITLE'")
  static func late(word: String) -> Self {
    Self("'\(word)' must come before the device goes on the air", "move it to the beginning of the section")
  }
  package static func earlyVariable(_ name: String) -> Self {
    Self(
      "the variable '\(name)' gets its initial value when the device starts",
      "put this line after the first action, such as 'connect'")
  }
  static let alreadyConnected = Self("the central is already connected", "add 'disconnect' before this line")
  static let notConnected = Self("no central is connected", "add 'connect' before this line")
  static let onRawConnection = Self(
    "this is a raw connection", "use '>>' and '<<', or 'connect' without 'raw'")
  static let notRaw = Self("there is no raw connection", "add 'connect raw' before this line")
  static func notSubscribed(characteristic id: String) -> Self {
    Self("the central has not subscribed to '\(id)'", "add 'subscribe \(id)' before this line")
  }
  static func notServed(_ id: String) -> Self {
    Self("the central has no '\(id)'", "add 'serve \(id)' before this line")
  }
  package static let noRead = Self("no read comes before this line", "'=' follows 'read'")
  package static let noRequest = Self(
    "no request comes before this line", "'!' follows a write, a read or 'subscribe'")
  /// The same mistake in this many lines of a section.
  func inLines(_ count: Int) -> Self {
    guard count > 1 else { return self }
    let others = "\(count - 1) more \(count == 2 ? "line has" : "lines have") the same mistake"
    return Self(message, (hint.map { $0 + "; " } ?? "") + others)
  }
  static let refusedCommand = Self("the device cannot refuse a write command", "use '>?' for a write request")
  package static let noPairing = Self(
    "no pairing comes before this line", "this error follows 'pair' or 'bond'")
  package static let noConnectionAttempt = Self(
    "no 'connect' comes before this line", "this reason follows 'connect'")
}

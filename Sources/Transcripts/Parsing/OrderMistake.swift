import Definitions

/// A correct line of a transcript in the wrong place, or a mistake of the file as a whole.
package enum OrderMistake: Mistake {
  case tooLarge(bytes: Int, limit: Int)
  case empty
  case deviceInSection
  case beforeFirstSection
  /// The line configures a device that is already on the air.
  case late(word: String)
  /// A variable is set before the device is on the air, where it gets its initial value.
  case earlyVariable(String)
  case alreadyConnected
  case notConnected
  /// The line needs the other kind of connection.
  case onRawConnection
  case notRaw
  case notSubscribed(characteristic: String)
  /// The central gets something that the device seeks after the device may have looked for it.
  case servedLate(String)
  case notServed(String)
  case noRead
  case noRequest
  case refusedCommand
  case noPairing
  case noConnectionAttempt

  package var sentences: (message: String, hint: String?) {
    switch self {
    case .tooLarge(let bytes, let limit):
      ("the transcript has \(bytes) bytes", "the limit is \(limit); split it into several transcripts")
    case .empty: ("the transcript is empty", "begin it with '== TITLE'")
    case .deviceInSection: ("'device' must come before the first section", nil)
    case .beforeFirstSection: ("this line is before the first section", "begin with '== TITLE'")
    case .late(let word):
      (
        "'\(word)' must come before the device goes on the air",
        "move it to the beginning of the section"
      )
    case .earlyVariable(let name):
      (
        "the variable '\(name)' gets its initial value when the device starts",
        "put this line after the first action, such as 'connect'"
      )
    case .alreadyConnected: ("the central is already connected", "add 'disconnect' before this line")
    case .notConnected: ("no central is connected", "add 'connect' before this line")
    case .onRawConnection:
      ("this is a raw connection", "use '>>' and '<<', or 'connect' without 'raw'")
    case .notRaw: ("there is no raw connection", "add 'connect raw' before this line")
    case .notSubscribed(let id):
      ("the central has not subscribed to '\(id)'", "add 'subscribe \(id)' before this line")
    case .servedLate(let id):
      ("the central gets '\(id)' when it is connected", "move this line before 'connect'")
    case .notServed(let id):
      ("the central has no '\(id)'", "add 'serve \(id)' before 'connect'")
    case .noRead: ("no read comes before this line", "'=' follows 'read'")
    case .noRequest: ("no request comes before this line", "'!' follows a write, a read or 'subscribe'")
    case .noPairing: ("no pairing comes before this line", "this error follows 'pair' or 'bond'")
    case .noConnectionAttempt: ("no 'connect' comes before this line", "this reason follows 'connect'")
    case .refusedCommand: ("the device cannot refuse a write command", "use '>?' for a write request")
    }
  }
}

import Bluetooth
import Centrals
import Glibc

extension SurveyPlan {
  /// What a command line says of a device nearby: its DEVICE, `--within` and `--pair`.
  init(_ arguments: Arguments) throws(CommandError) {
    let word = try arguments.one("DEVICE")
    self.init(DeviceAddress(word).map { .address($0) } ?? .name(word))
    patience = try arguments.duration("--within") ?? patience
    pairing = try Self.pairing(arguments["--pair"])
  }

  private static func pairing(_ text: String?) throws(CommandError) -> Pairing {
    switch text {
    case nil, "just-works": return .justWorks
    case "never": return .never
    case "passkey":
      guard isatty(STDIN_FILENO) == 1 else {
        throw .needsTerminal(
          option: "--pair passkey", otherwise: "give the six digits, as in '--pair 123456'")
      }
      return .passkey(nil)
    case let text?:
      guard text.utf8.count == 6, let passkey = UInt32(text) else {
        throw .badValue(
          option: "--pair", value: text, expected: "just-works, never, passkey or six digits, as in 123456")
      }
      return .passkey(passkey)
    }
  }
}

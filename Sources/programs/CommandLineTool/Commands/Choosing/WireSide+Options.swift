import DeviceModel
import Devices
import EventLoop
import Wire

/// The options of `blemu run` that select an attachment.
extension WireSide {
  /// The options that name an attachment, in the order of the help.
  static let options = ["--pty", "--exec", "--tcp", "--serial", "--stdio"]

  init(_ arguments: Arguments) throws(CommandError) {
    let chosen = Self.options.filter { arguments[$0] != nil }
    if chosen.count > 1 { throw .conflictingOptions(chosen[0], chosen[1]) }
    let restart = try Self.restart(arguments)
    guard let option = chosen.first, let value = arguments[option] else {
      self = .none
      return
    }
    switch option {
    case "--pty": self = .pseudoTerminal(try Self.path(value))
    case "--exec": self = .program(arguments.words(of: option), restart ?? .onFailure)
    case "--tcp": self = .tcp(try Self.place(value))
    case "--serial": self = try Self.device(value)
    default: self = .standardStreams
    }
  }

  /// The option that selects the attachment.
  var option: String? {
    switch self {
    case .none: nil
    case .pseudoTerminal: "--pty"
    case .program: "--exec"
    case .tcp: "--tcp"
    case .serialDevice: "--serial"
    case .standardStreams: "--stdio"
    }
  }
}

// MARK: Reading the options

extension WireSide {
  static func path(_ text: String, of option: String = "--pty") throws(CommandError) -> String {
    if text.isEmpty {
      throw .badValue(option: option, value: text, expected: "a path for the link, as in ./hm10")
    }
    return text
  }

  static func place(_ text: String, of option: String = "--tcp") throws(CommandError) -> SocketPlace {
    if let place = SocketPlace(text) { return place }
    throw .badValue(
      option: option, value: text, expected: "a port or HOST:PORT, as in 4000 or 0.0.0.0:4000")
  }

  /// `/dev/ttyUSB0`, or `/dev/ttyUSB0:9600`.
  static func device(_ text: String, of option: String = "--serial") throws(CommandError) -> WireSide {
    let expected = "a serial port, optionally with its speed, as in /dev/ttyUSB0 or /dev/ttyUSB0:9600"
    guard let colon = text.lastIndex(of: ":") else {
      if text.isEmpty { throw .badValue(option: option, value: text, expected: expected) }
      return .serialDevice(text, baud: nil)
    }
    let (path, digits) = (String(text[..<colon]), text[text.index(after: colon)...])
    guard !path.isEmpty, let baud = Int(digits), WireDefinition.baudRates.contains(baud) else {
      throw .badValue(option: option, value: text, expected: expected)
    }
    return .serialDevice(path, baud: baud)
  }

  static func policy(_ text: String, of option: String = "--restart") throws(CommandError) -> RestartPolicy {
    if let policy = RestartPolicy(rawValue: text) { return policy }
    throw .badValue(option: option, value: text, expected: "never, on-failure or always")
  }

  private static func restart(_ arguments: Arguments) throws(CommandError) -> RestartPolicy? {
    guard let text = arguments["--restart"] else { return nil }
    let policy = try policy(text)
    if arguments["--exec"] == nil {
      throw .missingOption("--exec", placeholder: "PROGRAM [ARGUMENT…]", with: "--restart")
    }
    return policy
  }
}

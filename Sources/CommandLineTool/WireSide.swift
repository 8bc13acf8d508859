import EventLoop
import Peripheral
import Wire

/// What `blemu run` shall attach to the serial side.
enum WireSide: Hashable {
  case none
  case pseudoTerminal(String)
  case program([String], RestartPolicy)
  case tcp(SocketPlace)
  case standardStreams

  /// The options that name an attachment, in the order of the help.
  static let options = ["--pty", "--exec", "--tcp", "--stdio"]

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
    default: self = .standardStreams
    }
  }

  /// The option that named it.
  var option: String? {
    switch self {
    case .none: nil
    case .pseudoTerminal: "--pty"
    case .program: "--exec"
    case .tcp: "--tcp"
    case .standardStreams: "--stdio"
    }
  }
}

// MARK: Reading the options

extension WireSide {
  private static func path(_ text: String) throws(CommandError) -> String {
    if text.isEmpty {
      throw .badValue(option: "--pty", value: text, expected: "a path for the link, as in ./hm10")
    }
    return text
  }

  private static func place(_ text: String) throws(CommandError) -> SocketPlace {
    if let place = SocketPlace(text) { return place }
    throw .badValue(
      option: "--tcp", value: text, expected: "a port, as in 4000, or HOST:PORT, as in 0.0.0.0:4000")
  }

  private static func restart(_ arguments: Arguments) throws(CommandError) -> RestartPolicy? {
    guard let text = arguments["--restart"] else { return nil }
    guard let policy = RestartPolicy(rawValue: text) else {
      throw .badValue(option: "--restart", value: text, expected: "never, on-failure or always")
    }
    if arguments["--exec"] == nil {
      throw .missingOption("--exec", placeholder: "PROGRAM [ARGUMENT…]", with: "--restart")
    }
    return policy
  }
}

// MARK: Making it

extension WireSide {
  @EventLoop
  func attachment() throws(WireError) -> (any WireAttachment)? {
    switch self {
    case .none: nil
    case .pseudoTerminal(let path): try PseudoTerminal(linkedAt: path)
    case .program(let words, let restart): try ProgramAttachment(words, restart: restart)
    case .tcp(let place): try TCPAttachment(at: place)
    case .standardStreams: try StandardStreams()
    }
  }
}

import Bluetooth
import Devices
import Kernel

extension TransportSpecification {
  /// Reads `loopback`; `bluez` or `exact` alone or with an adapter: `bluez:hci0`, `exact:00:1A:7D:DA:71:13`; or `exact` with a
  /// controller outside the kernel: `exact:tcp:localhost:6402`, `exact:/dev/ttyACM0:1000000`.
  ///
  /// - Parameters:
  ///   - text: the value of `--on`; nil if the option is absent.
  ///   - standard: the transport without `--on`.
  init(
    _ text: String?, of option: String = "--on", default standard: Self = .bluez(.first)
  ) throws(CommandError) {
    switch text {
    case nil: self = standard
    case "loopback": self = .loopback
    case let text?: self = try Self.onAdapter(text, of: option, others: ["loopback"])
    }
  }

  /// Reads where a central is: as for `--on`, and not in memory.
  static func central(_ text: String) throws(CommandError) -> Self {
    try onAdapter(text, of: "--central", others: [])
  }

  /// Reads where a command is a central with blemu's own host, which is the first adapter by default.
  static func ownCentral(
    _ arguments: Arguments, option: String = "--on"
  ) throws(CommandError) -> Self {
    let text = arguments[option] ?? "exact"
    switch try onAdapter(text, of: option, others: []) {
    case .exact(let adapter): return .exact(adapter)
    case .controller(let place): return .controller(place)
    case .bluez, .loopback:
      throw .badValue(
        option: option, value: text,
        expected:
          "exact, exact:hci0 or exact:tcp:localhost:6402, because blemu does this with its own Bluetooth host"
      )
    }
  }

  private static func onAdapter(
    _ text: String, of option: String, others: [String]
  ) throws(CommandError) -> Self {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == "exact", ControllerPlace.isMeant(by: parts[1]) {
      do throws(ControllerPlaceMistake) { return .controller(try ControllerPlace(parts[1])) } catch {
        throw .badValue(option: option, value: text, expected: "\(error)")
      }
    }
    let choice = parts.count == 1 ? AdapterChoice.first : AdapterChoice(parts[1])
    switch (parts[0], choice) {
    case ("bluez", let choice?): return .bluez(choice)
    case ("exact", let choice?): return .exact(choice)
    default:
      let forms = (others + ["bluez", "exact", "bluez:hci0 or exact:00:1A:7D:DA:71:13"]).joined(
        separator: ", ")
      let meant =
        AdapterChoice(text) != nil
        ? "bluez:\(text)" : ControllerPlace.isMeant(by: text) ? "exact:\(text)" : nil
      throw .badValue(option: option, value: text, expected: meant.map { "did you mean '\($0)'?" } ?? forms)
    }
  }
}

import BlemuControl

/// `blemu stop NAME…`: takes devices off the air.
struct StopCommand {
  private let names: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    names = arguments.positional
    if names.isEmpty { throw .missingArgument("NAME", command: Command.stop.rawValue) }
  }

  /// Returns when all of them have ended.
  func run() throws(CommandError) -> ExitStatus {
    for name in names {
      let device = try RunningDevice(name)
      _ = try device.call(.watch, ["after": .integer(Int.max)])
      _ = try device.call(.stop)
      while try device.nextEvent() != nil {}
    }
    return .success
  }
}

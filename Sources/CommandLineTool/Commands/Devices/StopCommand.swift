import BlemuControl

/// `blemu stop NAME…`: takes devices off the air.
struct StopCommand {
  private let names: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    names = arguments.positional
    if names.isEmpty { throw .missingArgument("NAME", command: Command.stop.rawValue) }
  }

  /// Returns when all of them have ended. One that cannot be stopped leaves the others to be stopped.
  func run() -> ExitStatus {
    var status = ExitStatus.success
    for name in names {
      do { try stop(name) } catch {
        BlemuTool.report(error)
        if status == .success { status = error.status }
      }
    }
    return status
  }

  private func stop(_ name: String) throws(CommandError) {
    let device = try RunningDevice(name)
    _ = try device.call(.watch, ["after": .integer(Int.max)])
    _ = try device.call(.stop)
    while try device.nextEvent() != nil {}
  }
}

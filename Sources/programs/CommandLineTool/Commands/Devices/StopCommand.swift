import BlemuControl

extension Command {
  static let stop = Command(
    "stop", .running, arguments: "NAME…", words: .devices,
    summary: "Takes devices off the air and ends them.",
    examples: [Example("blemu stop hm-10", "ends the device as Ctrl-C does")]
  ) { arguments throws(CommandError) in
    try StopCommand(arguments).run()
  }
}

/// `blemu stop NAME…`: takes devices off the air.
struct StopCommand {
  private let names: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    names = arguments.positional
    if names.isEmpty { throw arguments.lacks("NAME") }
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

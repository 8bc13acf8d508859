import EventLoop
import Glibc

/// `blemu run DEFINITION[@PLACE]…`
struct RunCommand {
  private let devices: [DeviceSpecification]
  private let log: LogStyle

  init(_ arguments: Arguments) throws(CommandError) {
    log = try LogStyle(arguments["--log"])
    devices =
      arguments.positional.count > 1
      ? try SeveralDevices(arguments).devices : [try DeviceSpecification(arguments)]
  }

  /// Runs until a signal ends it, or until no device can go on the air.
  func run() -> ExitStatus {
    guard devices.count == 1 else { return DeviceGroup.run(devices, log: log) }
    signal(SIGPIPE, SIG_IGN)
    Heap.keepLargeBlocksApart()
    return BlemuTool.runLoop { () async throws(CommandError) in
      try await Self.run(devices[0], log)
      return .success
    }
  }

  @EventLoop
  private static func run(_ device: DeviceSpecification, _ style: LogStyle) async throws(CommandError) {
    let usesOutput = if case .standardStreams = device.wireSide { true } else { false }
    let log = style.log(to: usesOutput ? STDERR_FILENO : STDOUT_FILENO)
    defer { log?.finish() }
    let run = DeviceRun(device, log: log)
    let stop = StopRequest()
    stop.onRequest = { run.stop() }
    try await run.run()
  }
}

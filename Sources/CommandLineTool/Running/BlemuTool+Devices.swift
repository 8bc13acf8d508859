import Devices
import EventLoop
import Glibc

/// Running devices as the work of a command.
extension BlemuTool {
  /// Runs several devices as the work of a command.
  ///
  /// - Parameter status: that of devices that have failed before.
  static func run(
    _ devices: [DeviceSpecification], log style: LogStyle, failed status: ExitStatus = .success
  ) -> ExitStatus {
    runDevices { () async throws(CommandError) in
      let log = style.log(of: devices.map(\.name))
      defer { log?.finish() }
      let group = DeviceGroup(devices) { log?.sink(of: $0) }
      let stop = StopRequest()
      stop.onRequest = { group.stop() }
      let failure = await group.run { print($0, of: $1) }
      return status == .success ? failure?.status ?? status : status
    }
  }

  /// Runs a device as the work of a command.
  static func run(_ device: DeviceSpecification, log style: LogStyle) -> ExitStatus {
    runDevices { () async throws(CommandError) in
      let usesOutput = if case .standardStreams = device.wireSide { true } else { false }
      let log = style.log(to: usesOutput ? STDERR_FILENO : STDOUT_FILENO)
      defer { log?.finish() }
      let run = DeviceRun(device, log: log)
      let stop = StopRequest()
      stop.onRequest = { run.stop() }
      do throws(FailedRun) { try await run.run { print($0) } } catch {
        throw error.isReported ? .reported(error.failure.status) : .run(error.failure)
      }
      return .success
    }
  }

  private static func runDevices(
    _ work: @escaping @EventLoop @Sendable () async throws(CommandError) -> ExitStatus
  ) -> ExitStatus {
    signal(SIGPIPE, SIG_IGN)
    Heap.keepLargeBlocksApart()
    return runLoop(work)
  }
}

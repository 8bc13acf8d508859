import EventLoop
import Glibc
import TrafficView

/// Several devices that run in this process. One that fails stops no other.
@EventLoop
final class DeviceGroup {
  private let runs: [DeviceRun]
  private let log: TrafficLog?
  private let ending = Promise<Void>()
  private var running: Int
  /// That of the first device that has failed.
  private var status: ExitStatus

  /// - Parameter status: that of devices that have failed before.
  init(_ devices: [DeviceSpecification], log style: LogStyle, failed status: ExitStatus) {
    self.status = status
    let log = style.log(of: devices.map(\.name))
    runs = devices.enumerated().map { number, device in DeviceRun(device, log: log?.sink(of: number)) }
    (self.log, running) = (log, devices.count)
  }

  /// Runs all of them until each has ended.
  func run() async -> ExitStatus {
    let stop = StopRequest()
    stop.onRequest = { [runs] in for run in runs { run.stop() } }
    for run in runs { EventLoop.start { await self.follow(run) } }
    await ending.value()
    log?.finish()
    return status
  }

  private func follow(_ run: DeviceRun) async {
    do throws(CommandError) {
      try await run.run { BlemuTool.report($0, of: run.name) }
    } catch {
      BlemuTool.report(error, of: run.name)
      if status == .success { status = error.status }
    }
    running -= 1
    if running == 0 { ending.fulfil() }
  }
}

extension DeviceGroup {
  /// Runs several devices as the work of a command.
  ///
  /// - Parameter status: that of devices that have failed before.
  nonisolated static func run(
    _ devices: [DeviceSpecification], log: LogStyle, failed status: ExitStatus = .success
  ) -> ExitStatus {
    signal(SIGPIPE, SIG_IGN)
    Heap.keepLargeBlocksApart()
    return BlemuTool.runLoop { () async throws(CommandError) in
      await DeviceGroup(devices, log: log, failed: status).run()
    }
  }
}

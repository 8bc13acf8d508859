import Devices
import EventLoop
import Glibc
import Peripheral
import System
import TrafficView

/// Running devices as the work of a command.
extension BlemuTool {
  /// Runs devices as the work of a command.
  ///
  /// - Parameters:
  ///   - isNamed: whether each line begins with the name of its device.
  ///   - status: that of devices that have failed before.
  ///   - reread: reads the devices again, when the service manager asks for that.
  static func run(
    _ devices: [DeviceSpecification], log style: LogStyle, named isNamed: Bool,
    failed status: ExitStatus = .success,
    reread: @escaping @EventLoop @Sendable () throws(CommandError) -> [DeviceSpecification]
  ) -> ExitStatus {
    run({ devices }, log: style, named: isNamed, failed: status, reread: reread)
  }

  /// Runs devices that the event loop has to find first.
  static func run(
    _ devices: @escaping @EventLoop @Sendable () async throws(CommandError) -> [DeviceSpecification],
    log style: LogStyle, named isNamed: Bool, failed status: ExitStatus = .success,
    reread: @escaping @EventLoop @Sendable () throws(CommandError) -> [DeviceSpecification]
  ) -> ExitStatus {
    signal(SIGPIPE, SIG_IGN)
    Heap.keepLargeBlocksApart()
    DescriptorLimit.raise()
    let environment = ServiceEnvironment.take()
    return runLoop { () async throws(CommandError) in
      let service = environment.flatMap(ServiceManager.init).map(ServiceReporter.init)
      let work = RunningDevices(log: style, named: isNamed, service: service, reread: reread)
      let failure = await work.run(try await devices())
      return status == .success ? failure?.status ?? status : status
    }
  }
}

/// Devices that run until a signal ends them, and that the service manager may have read again.
@EventLoop
private final class RunningDevices {
  private let style: LogStyle
  private let isNamed: Bool
  private let service: ServiceReporter?
  private let reread: () throws(CommandError) -> [DeviceSpecification]
  private var group: DeviceGroup?
  /// Those that run next.
  private var next: [DeviceSpecification]?

  init(
    log style: LogStyle, named isNamed: Bool, service: ServiceReporter?,
    reread: @escaping () throws(CommandError) -> [DeviceSpecification]
  ) {
    (self.style, self.isNamed) = (style, isNamed)
    (self.service, self.reread) = (service, reread)
  }

  /// - Returns: the failure of the first device that has failed for good; nil: none has.
  func run(_ devices: [DeviceSpecification]) async -> DeviceFailure? {
    let stop = service == nil ? StopRequest() : StopRequest { [weak self] in self?.reload() }
    stop.onRequest = { [weak self] in self?.stop() }
    if style != .none { stop.watchReader(of: devices.output) }
    next = devices
    var failure: DeviceFailure?
    while let devices = next, !stop.isMade {
      next = nil
      failure = await runOnce(devices)
    }
    return failure
  }

  private func runOnce(_ devices: [DeviceSpecification]) async -> DeviceFailure? {
    let log = style.log(of: devices, named: isNamed, to: devices.output)
    defer { log?.finish() }
    service?.begin(devices.map(\.name))
    let group = DeviceGroup(devices) { number in
      ([log?.sink(of: number), service?.sink(of: number)] as [(any TrafficSink)?]).compactMap(\.self)
    }
    self.group = group
    return await group.run { [service, isNamed] report, number in
      BlemuTool.print(report, of: isNamed ? devices[number].name : nil)
      service?.take(report, of: number)
    }
  }

  private func stop() {
    service?.stops()
    group?.stop()
  }

  private func reload() {
    service?.reloads()
    do throws(CommandError) {
      next = try reread()
      group?.stop()
    } catch {
      BlemuTool.report(error)
      service?.goesOn()
    }
  }
}

extension [DeviceSpecification] {
  /// Where their log goes: standard error if a device's wire side is at standard output.
  fileprivate var output: Int32 {
    contains { if case .standardStreams = $0.wireSide { true } else { false } }
      ? STDERR_FILENO : STDOUT_FILENO
  }
}

import Synchronization

/// A device that this program runs, on the air until ``stop()``. ``withRunningDevice(_:on:settings:seed:state:faults:wire:log:arguments:program:isolation:_:)``
/// does both.
///
/// blemu ends with the last reference, and with this program, even if that is killed.
public final class DeviceProcess: Sendable {
  /// The device.
  public let device: Device
  private let run: BlemuRun
  private let air = Air.current
  private let hasEnded = Mutex(false)

  private init(_ run: BlemuRun) async throws {
    self.run = run
    device = try await Device(run.socket)
    Air.add(run.socket, to: air)
  }

  /// Runs blemu, and returns when the device is on the air.
  ///
  /// - Throws: ``ProcessFailure`` with what blemu said if it does not start, or if the device does not get on the air.
  public static func start(_ command: Command) async throws -> DeviceProcess {
    try Task.checkCancellation()
    let run = try await onThread { try BlemuRun(command) }
    do {
      try await withTaskCancellationHandler {
        try await onThread { try run.waitForAir() }
      } onCancel: {
        run.interrupt()
      }
      return try await DeviceProcess(run)
    } catch {
      try await onThread { run.abandon() }
      throw Task.isCancelled ? CancellationError() : error
    }
  }

  /// The number of its process.
  public var number: Int { run.number }

  /// Takes the device off the air and ends it, even if the task has been cancelled. Later calls do nothing.
  ///
  /// - Throws: ``ProcessFailure`` with what blemu said if it has not ended well, because it has crashed for instance. It has ended
  ///   then, too.
  public func stop() async throws {
    guard markEnd() else { return }
    if let failure = try await onThread({ [run] in run.stop() }) { throw failure }
  }

  /// Returns whether it had not ended yet.
  private func markEnd() -> Bool {
    Air.remove(run.socket, from: air)
    return hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
  }

  deinit {
    guard markEnd() else { return }
    startThread { [run] in run.abandon() }
  }
}

/// Runs a device while `body` runs, and gives it the device, on the air.
///
/// ```swift
/// try await withRunningDevice("hm-10", on: .bluez("hci0"), settings: ["local-name": "Robot"]) { device in
///   try await device.expect("connect", within: .seconds(30))
/// }
/// ```
///
/// blemu ends however `body` ends, also if the task is cancelled, and if this program is killed.
///
/// - Parameters:
///   - definition: the name of a bundled definition, or the path of a file.
///   - transport: where the device is; by default in memory.
///   - settings: values of the definition's settings.
///   - seed: of random values; nil: another one each time.
///   - state: the file that keeps settings and bonds for the next run.
///   - faults: what goes wrong from the start, in the words of the language's `faults:`.
///   - wire: what is attached to the wire side.
///   - log: whether standard output shows the log.
///   - arguments: further arguments of `blemu run`.
///   - program: the path of blemu; without it, that of the environment variable `BLEMU`, or the one on the `PATH`, or the release
///     build in the repository of this library.
/// - Throws: what `body` throws; ``ProcessFailure`` with what blemu said if it does not start, if the device does not get on the
///   air, or if it has not ended well.
@discardableResult
public func withRunningDevice<Result>(
  _ definition: String, on transport: DeviceProcess.Transport = .loopback,
  settings: [String: Device.Value] = [:], seed: Int? = nil, state: String? = nil, faults: [String] = [],
  wire: DeviceProcess.Wire? = nil, log: DeviceProcess.Log = .none, arguments: [String] = [],
  program: String? = nil, isolation: isolated (any Actor)? = #isolation,
  _ body: (Device) async throws -> Result
) async throws -> Result {
  let command = DeviceProcess.Command(
    definition, on: transport, settings: settings, seed: seed, state: state, faults: faults, wire: wire,
    log: log, arguments: arguments, program: program)
  return try await Air.$current.withValue(Air.current ?? Air()) { try await withDevice(command, body) }
}

private func withDevice<Result>(
  _ command: DeviceProcess.Command, isolation: isolated (any Actor)? = #isolation,
  _ body: (Device) async throws -> Result
) async throws -> Result {
  let process = try await DeviceProcess.start(command)
  let result: Result
  do { result = try await body(process.device) } catch ControlFailure.ended {
    // blemu itself may say why.
    try await process.stop()
    throw ControlFailure.ended
  } catch {
    try? await process.stop()
    throw error
  }
  try await process.stop()
  return result
}

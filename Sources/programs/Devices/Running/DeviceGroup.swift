import EventLoop
import Peripheral

/// Several devices that run in this process. If one fails, the others keep running.
@EventLoop
package final class DeviceGroup {
  private let runs: [DeviceRun]
  private let ending = Promise<Void>()
  private var running: Int
  /// That of the first device that has failed.
  private var failure: DeviceFailure?

  /// - Parameters:
  ///   - sinks: those who watch each device, by its number.
  package init(_ devices: [DeviceSpecification], sinks: (Int) -> [any TrafficSink]) {
    runs = devices.enumerated().map { number, device in DeviceRun(device, sinks: sinks(number)) }
    running = devices.count
  }

  /// Takes all of them off the air in an orderly way.
  package func stop() { for run in runs { run.stop() } }

  /// Runs all of them until each has ended.
  ///
  /// - Parameter report: gets the reports of a device, by its number.
  /// - Returns: the failure of the first device that has failed for good; nil: none has.
  package func run(report: @escaping (DeviceReport, _ device: Int) -> Void) async -> DeviceFailure? {
    for (number, run) in runs.enumerated() {
      EventLoop.start { await self.follow(run) { report($0, number) } }
    }
    await ending.value()
    return failure
  }

  private func follow(_ run: DeviceRun, _ report: @escaping (DeviceReport) -> Void) async {
    do throws(FailedRun) {
      try await run.run(report: report)
    } catch {
      if !error.isReported { report(.failed(error.failure)) }
      failure = failure ?? error.failure
    }
    running -= 1
    if running == 0 { ending.fulfil() }
  }
}

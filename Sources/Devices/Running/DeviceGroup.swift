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
  ///   - log: the log of each device, by its number.
  package init(_ devices: [DeviceSpecification], log: (Int) -> (any TrafficSink)?) {
    runs = devices.enumerated().map { number, device in DeviceRun(device, log: log(number)) }
    running = devices.count
  }

  /// Takes all of them off the air in an orderly way.
  package func stop() { for run in runs { run.stop() } }

  /// Runs all of them until each has ended.
  ///
  /// - Parameter report: gets the reports of a device, by its name.
  /// - Returns: the failure of the first device that has failed for good; nil: none has.
  package func run(report: @escaping (DeviceReport, _ name: String) -> Void) async -> DeviceFailure? {
    for run in runs { EventLoop.start { await self.follow(run, report) } }
    await ending.value()
    return failure
  }

  private func follow(_ run: DeviceRun, _ report: (DeviceReport, String) -> Void) async {
    do throws(FailedRun) {
      try await run.run { report($0, run.name) }
    } catch {
      if !error.isReported { report(.failed(error.failure), run.name) }
      failure = failure ?? error.failure
    }
    running -= 1
    if running == 0 { ending.fulfil() }
  }
}

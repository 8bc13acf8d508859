import Behavior
import Devices
import EventLoop
import Peripheral
import System

/// Tells the service manager what the devices do: that they are ready once all are on the air.
@EventLoop
final class ServiceReporter {
  private let manager: ServiceManager
  private var status = ServiceStatus([])
  private var toldText = ""
  /// Whether the manager waits until the devices are on the air.
  private var isAwaited = false

  init(_ manager: ServiceManager) { self.manager = manager }

  /// New devices start.
  func begin(_ names: [String]) {
    status = ServiceStatus(names)
    isAwaited = true
    report()
  }

  /// Takes the traffic of a device, by its number.
  func sink(of device: Int) -> any TrafficSink { DeviceSink(self, device) }

  func take(_ report: DeviceReport, of device: Int) {
    status.take(report, of: device)
    self.report()
  }

  /// The devices are to be read again.
  func reloads() { manager.tell(.reloading) }

  /// They could not be read, and those that run go on.
  func goesOn() {
    isAwaited = true
    report()
  }

  func stops() {
    isAwaited = false
    manager.tell(.stopping)
  }

  fileprivate func take(_ event: TrafficEvent, of device: Int) {
    status.take(event.kind, of: device)
    report()
  }

  private func report() {
    let text = status.text
    if text != toldText { manager.tell(.status(text)) }
    toldText = text
    guard isAwaited, status.isReady else { return }
    isAwaited = false
    manager.tell(.ready)
  }

  private final class DeviceSink: TrafficSink {
    private let reporter: ServiceReporter
    private let device: Int

    init(_ reporter: ServiceReporter, _ device: Int) { (self.reporter, self.device) = (reporter, device) }

    func take(_ event: TrafficEvent) {
      switch event.kind {
      case .onAir, .offAir, .connected, .disconnected: reporter.take(event, of: device)
      default: break
      }
    }
  }
}

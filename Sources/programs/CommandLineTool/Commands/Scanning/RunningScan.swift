import Centrals
import EventLoop
import Framing
import HCIPackets

/// What a scan has heard so far, and how it is shown.
@EventLoop
final class RunningScan {
  private var devices = HeardDevices()
  private var display: ScanDisplay
  private var timer: EventLoop.Timer?

  init(_ display: ScanDisplay) { self.display = display }

  func take(_ report: AdvertisingReport) {
    guard let (device, news) = devices.take(report, at: Instant(microseconds: EventLoop.now)) else { return }
    display.show(device, news)
  }

  func startDrawing(every interval: Duration) {
    guard display.style == .table else { return }
    display.draw(devices)
    timer = EventLoop.after(interval) { [weak self] in self?.startDrawing(every: interval) }
  }

  /// Shows all that was heard.
  func finish() {
    timer?.cancel()
    display.draw(devices)
  }
}

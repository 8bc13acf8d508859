import AttributeServer
import BlueZ
import Bluetooth
import Captures
import EventLoop
import Exact
import Framing
import HCIPackets
import Kernel
import Loopback
import Peripheral
import TrafficView

/// Records a device that runs.
@EventLoop
final class DeviceRecording {
  private enum Source {
    /// The device's own PDUs.
    case air(AirRecording)
    /// The packets of an adapter.
    case monitor(MonitorRecording)
  }

  private let file: RecordingFile
  private let source: Source

  private init(in file: RecordingFile, _ source: Source) { (self.file, self.source) = (file, source) }

  /// Takes the device's traffic, if the recording names messages.
  var sink: (any TrafficSink)? {
    if case .air(let recording) = source { recording } else { nil }
  }

  /// Called once with a warning if the recording cannot go on.
  var onFailure: (@EventLoop (String) -> Void)? {
    didSet {
      file.onFailure = { [onFailure] in
        onFailure?("cannot write '\($0.path)': \($0.reason); the recording ends here")
      }
    }
  }

  func close() {
    if case .monitor(let recording) = source { recording.catchUp() }
    file.close()
  }

  /// Removes the file of a device that could not start.
  func discard() { file.discard() }
}

// MARK: Starting

extension DeviceRecording {
  /// Records a transport that serves its attributes itself.
  convenience init(of transport: any ServerTransport, on place: DeviceTransport, in file: RecordingFile) {
    let (clock, scheduler) = (WallClock(), place.scheduler)
    let recording = AirRecording(in: file, layout: place.packetLimits ?? transport.limits) {
      Instant(microseconds: clock.time(of: scheduler.now).microseconds)
    }
    transport.recorder = recording
    self.init(in: file, .air(recording))
  }

  /// Records an adapter of BlueZ.
  convenience init(
    of controller: LocalController, _ monitor: HCIMonitor, in file: RecordingFile
  ) {
    self.init(in: file, .monitor(MonitorRecording(of: controller, monitor, in: file)))
  }
}

@EventLoop
extension DeviceSpecification {
  /// Begins to record the device; nil: it is not to be recorded.
  func recording(on place: DeviceTransport) async throws(DeviceFailure) -> DeviceRecording? {
    guard let (path, format) = capture else { return nil }
    guard case .bluez(let choice) = transport else {
      guard let transport = place.transport as? any ServerTransport else { return nil }
      return DeviceRecording(of: transport, on: place, in: try .named(path, format))
    }
    let controller: LocalController
    do throws(TransportError) { controller = try await BlueZAdapters.controller(of: choice) } catch {
      throw .transport(error)
    }
    let monitor = try Self.monitor(of: controller, for: path)
    return DeviceRecording(of: controller, monitor, in: try .named(path, format))
  }

  private static func monitor(
    of controller: LocalController, for path: String
  ) throws(DeviceFailure) -> HCIMonitor {
    do throws(HCISocketError) { return try HCIMonitor.open() } catch {
      throw .capture(
        error == .notPermitted
          ? .notPermitted(adapter: controller.name, path: path)
          : .failed(adapter: controller.name, reason: "\(error)"))
    }
  }
}

extension RecordingFile {
  /// Creates the file, which must not exist.
  package static func named(
    _ path: String, _ format: WrittenFormat
  ) throws(DeviceFailure) -> RecordingFile {
    do throws(Problem) { return try RecordingFile(path, format) } catch {
      switch error {
      case .exists: throw .capture(.exists(path: path))
      case .unwritable(let file): throw .capture(.unwritable(file))
      }
    }
  }
}

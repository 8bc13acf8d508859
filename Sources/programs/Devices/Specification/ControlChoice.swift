import BlemuControl
import ControlServer
import EventLoop
import Peripheral

/// Where a device listens for its control side.
package enum ControlChoice: Sendable {
  /// In the folder of sockets, under the first of `NAME`, `NAME-2`, `NAME-3`, … that is free; it runs without if none can be used.
  case automatic(String)
  case named(String)
  /// In the folder of sockets, where it listens already.
  case taken(TakenName)
  case path(String, name: String)
  case none

  package var isOn: Bool { if case .none = self { false } else { true } }

  /// Begins to listen; nil: the device runs without a control side.
  ///
  /// - Parameters:
  ///   - device: makes the device with its name.
  ///   - report: gets the reason why an automatic name cannot be used.
  @EventLoop
  func listen(
    _ device: (_ name: String) -> ControlledDevice, report: (DeviceReport) -> Void
  ) throws(ControlSocketError) -> ControlServer? {
    switch self {
    case .none: return nil
    case .named(let name): return try ControlServer(of: device(name), at: ControlFolder.socket(of: name))
    case .path(let path, let name): return try ControlServer(of: device(name), at: path)
    case .taken(let name): return try ControlServer(of: device(name.name), name)
    case .automatic(let name):
      do throws(ControlSocketError) {
        let name = try TakenName(name)
        return try ControlServer(of: device(name.name), name)
      } catch {
        report(.hasNoControl(error))
        return nil
      }
    }
  }
}

import Bluetooth
import DeviceModel

/// Checks a device before a transport serves it. While the device runs, the engine checks changes.
extension Transport {
  /// Checks the attributes and the advertisement of a device.
  ///
  /// - Throws: ``TransportError`` if the transport cannot serve the device.
  package func checkLimits(of device: DeviceOnAir) throws(TransportError) {
    if let problem = limits.problem(with: device.table, of: device.definition) {
      throw TransportError(
        .invalid, problem, hint: "change the setting with --set or in the file of --state")
    }
    guard let problem = device.advertisement.flatMap(limits.problem(with:)) else { return }
    throw TransportError(
      .invalid, problem, hint: "change the setting, or shorten the definition's advertisement")
  }
}

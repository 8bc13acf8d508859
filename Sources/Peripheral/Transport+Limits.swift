import Bluetooth
import DeviceModel

/// How a transport keeps to its limits. Of what changes while a device runs, the engine sees to it.
extension Transport {
  /// To be called before anything of a device is on the air.
  ///
  /// - Throws: ``TransportError`` where the transport cannot serve the device.
  package func checkLimits(of device: DeviceOnAir) throws(TransportError) {
    if let problem = limits.problem(with: device.table, of: device.definition) {
      throw TransportError(
        .invalid, problem, hint: "change the setting, with --set or in the file of --state")
    }
    guard let problem = device.advertisement.flatMap(limits.problem(with:)) else { return }
    throw TransportError(
      .invalid, problem, hint: "change the setting, or shorten the definition's advertisement")
  }
}

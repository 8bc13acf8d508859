import Bluetooth
import DeviceModel

/// How a transport keeps to its limits while a device runs.
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

  /// Whether the transport can advertise this from now on; the host hears why not.
  ///
  /// - Parameter current: what the device advertises until now; nil: nothing.
  package func canAdvertise(_ advertisement: Advertisement?, insteadOf current: Advertisement?) -> Bool {
    guard let problem = advertisement.flatMap(limits.problem(with:)) else { return true }
    host?.warn((current == nil ? "nothing is advertised: " : "the advertisement stays as it was: ") + problem)
    return false
  }

  /// Whether the transport can serve these attributes of a device from now on; the host hears why not.
  package func canServe(_ table: AttributeTable, of definition: PeripheralDefinition?) -> Bool {
    guard let problem = definition.flatMap({ limits.problem(with: table, of: $0) }) else { return true }
    host?.warn("the attributes stay as they were: \(problem)")
    return false
  }
}

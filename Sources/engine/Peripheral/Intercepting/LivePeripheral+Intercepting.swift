import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Interceptors, which handle reads and writes before the rules.
extension LivePeripheral {
  /// Adds an interceptor, which is asked after the earlier ones. The device has started.
  package func add(_ interceptor: Interceptor) {
    guard let pipeline else { return }
    let stage =
      interception
      ?? InterceptionStage(of: self, pipeline, scheduler, patience: transport.limits.longestAnswer)
    interception = stage
    stage.add(interceptor)
  }

  /// Ends an interceptor.
  ///
  /// - Parameter reason: for the log, if it has an open question: `ended`.
  package func removeInterceptor(_ number: Int, because reason: String) {
    interception?.remove(number, because: reason)
  }

  /// Removes a stage without interceptors, so that it costs nothing.
  func leaveUnusedStage() {
    guard interception?.isIdle == true else { return }
    interception = nil
  }

  /// Whether the transport can send to this central only.
  func reaches(_ central: Central, from characteristic: Int) -> Bool {
    transport.values.canAddress(central, from: characteristic)
  }
}

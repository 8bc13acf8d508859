import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Interceptors, which take over what centrals do.
extension LivePeripheral {
  /// Lets an interceptor have what it wants from now on, after those before it. The device has started.
  package func add(_ interceptor: Interceptor) {
    guard let pipeline else { return }
    let stage =
      interception
      ?? InterceptionStage(of: self, pipeline, scheduler, patience: transport.limits.longestAnswer)
    interception = stage
    transport.host = stage
    stage.add(interceptor)
  }

  /// Ends an interceptor.
  ///
  /// - Parameter reason: for the log, if a question to it is open: `ended`.
  package func removeInterceptor(_ number: Int, because reason: String) {
    interception?.remove(number, because: reason)
  }

  /// Nothing costs anything that nobody uses.
  func leaveUnusedStage() {
    guard interception?.isIdle == true else { return }
    interception = nil
    transport.host = self
  }

  /// Whether the transport can send to this central only.
  func reaches(_ central: Central, from characteristic: Int) -> Bool {
    transport.canAddress(central, from: characteristic)
  }
}

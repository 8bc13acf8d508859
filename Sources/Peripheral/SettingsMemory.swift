import DeviceModel
import EventLoop

/// What a device keeps its settings in while it is off: the flash of a real one.
@EventLoop
package protocol SettingsMemory: AnyObject {
  /// What the device begins with: one value for each of the definition's settings.
  var settings: [Value] { get }

  /// Keeps what rules have made of the settings.
  ///
  /// - Returns: a sentence for the log when it cannot; the device goes on all the same.
  func keep(_ settings: [Value]) -> String?
}

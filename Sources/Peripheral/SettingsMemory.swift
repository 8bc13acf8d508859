import DeviceModel
import EventLoop

/// Keeps a device's settings while it is off, like the flash memory of a real device.
@EventLoop
package protocol SettingsMemory: AnyObject {
  /// The initial settings: one value for each of the definition's settings.
  var settings: [Value] { get }

  /// Keeps settings that rules have changed.
  ///
  /// - Returns: a warning for the log if the settings cannot be kept. The device continues.
  func keep(_ settings: [Value]) -> String?
}

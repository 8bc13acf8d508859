import Bluetooth
import DeviceModel
import EventLoop

/// Keeps a device's settings and bonds while it is off, like the flash memory of a real device.
@EventLoop
package protocol SettingsMemory: AnyObject {
  /// The present settings: one value for each of the definition's settings.
  var settings: [Value] { get }

  /// The bonds that the device has made with this address of its own. Centrals identify a device by its address.
  func bonds(of device: DeviceAddress) -> [Bond]

  /// Keeps settings that rules have changed.
  ///
  /// - Returns: a warning for the log if the settings cannot be kept. The device continues.
  func keep(_ settings: [Value]) -> String?

  /// Keeps all bonds of a device with this address. Returns a warning as ``keep(_:)`` does.
  func keep(_ bonds: [Bond], of device: DeviceAddress) -> String?

  /// Forgets the bonds of all addresses. Returns a warning as ``keep(_:)`` does.
  func forgetBonds() -> String?
}

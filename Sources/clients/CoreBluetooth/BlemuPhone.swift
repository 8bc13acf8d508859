import Foundation
import Synchronization

/// What the owner of the phone does, for tests. It is not part of Apple's API.
public enum BlemuPhone {
  private static let settings = Mutex(Settings())

  private struct Settings {
    var bluetooth = CBManagerState.poweredOn
    var passkey: (@Sendable (String) -> Int?)?
  }

  static let bluetoothChanged = Notification.Name("BlemuPhone.bluetooth")

  /// The state of all managers: `poweredOff` turns Bluetooth off, and each connection ends; `unauthorized` denies the app its use.
  public static var bluetooth: CBManagerState {
    get { settings.withLock(\.bluetooth) }
    set {
      settings.withLock { $0.bluetooth = newValue }
      NotificationCenter.default.post(name: bluetoothChanged, object: nil)
    }
  }

  /// Answers the dialog that asks for the passkey of the device with this name. nil: the device needs none, or the owner of the
  /// phone cancels.
  public static var passkey: (@Sendable (_ name: String) -> Int?)? {
    get { settings.withLock(\.passkey) }
    set { settings.withLock { $0.passkey = newValue } }
  }
}

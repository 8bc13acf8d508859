import Bluetooth
import Testing

@testable import BlueZLimits

@Suite struct ATTErrorTests {
  /// The error that bluetoothd sends for each, observed with 5.66.
  @Test(arguments: [
    (ATTError(rawValue: 0x80), "org.bluez.Error.Failed", "0x80"),
    (ATTError(rawValue: 0x9F), "org.bluez.Error.Failed", "0x9f"),
    (.writeNotPermitted, "org.bluez.Error.NotPermitted", "Write Not Permitted (0x03)"),
    (.invalidOffset, "org.bluez.Error.InvalidOffset", "Invalid Offset (0x07)"),
    (
      .invalidAttributeValueLength, "org.bluez.Error.InvalidValueLength",
      "Invalid Attribute Value Length (0x0D)"
    ),
    (.insufficientAuthorization, "org.bluez.Error.NotAuthorized", "Insufficient Authorization (0x08)"),
    (.unlikelyError, "org.bluez.Error.Failed", "Unlikely Error (0x0E)"),
  ])
  func `an ATT error travels as the D-Bus error that BlueZ turns back into it`(
    error: ATTError, name: String, message: String
  ) {
    #expect(error.dbusError == (name, message))
  }
}

import Bluetooth
import Framing

/// A controller and its state (bluez: doc/mgmt-api.txt, Read Controller Information).
package struct ControllerInformation: Hashable, Sendable {
  /// The public address; all zeros if the controller has none.
  package var address: DeviceAddress
  /// The version of the Core Specification as HCI numbers it; 0x09 is 5.0 ("Assigned Numbers", section 2.1).
  package var bluetoothVersion: UInt8
  package var manufacturer: CompanyIdentifier
  package var supported: ControllerSettings
  package var current: ControllerSettings
  package var name: String

  package init(
    address: DeviceAddress, bluetoothVersion: UInt8, manufacturer: CompanyIdentifier,
    supported: ControllerSettings, current: ControllerSettings, name: String
  ) {
    self.address = address
    self.bluetoothVersion = bluetoothVersion
    self.manufacturer = manufacturer
    self.supported = supported
    self.current = current
    self.name = name
  }
}

extension ControllerInformation {
  private static let nameSize = 249
  private static let shortNameSize = 11

  init?(reading fields: inout ByteReader) {
    guard let address = fields.address(), let version = fields.byte(), let manufacturer = fields.number(),
      let supported = ControllerSettings(reading: &fields),
      let current = ControllerSettings(reading: &fields),
      fields.skip(3),  // class of device
      let name = fields.text(Self.nameSize), fields.skip(Self.shortNameSize)
    else { return nil }
    self.init(
      address: address, bluetoothVersion: version, manufacturer: manufacturer, supported: supported,
      current: current, name: name)
  }
}

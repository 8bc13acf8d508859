import BlemuControl
import DeviceModel
import EventLoop
import Peripheral

/// A running device as its control side knows it.
@EventLoop
package struct ControlledDevice {
  /// The name of its socket.
  package var name: String
  /// The definition's file.
  package var file: String
  /// As after `--on`.
  package var transport: String
  package var peripheral: LivePeripheral
  package var definition: PeripheralDefinition
  package var journal: Journal
  /// Ends the device in an orderly way.
  package var stop: () -> Void

  package init(
    name: String, file: String, transport: String, peripheral: LivePeripheral, definition: PeripheralDefinition,
    journal: Journal, stop: @escaping () -> Void
  ) {
    (self.name, self.file, self.transport) = (name, file, transport)
    (self.peripheral, self.definition, self.journal, self.stop) = (peripheral, definition, journal, stop)
  }
}

import BlemuControl
import DeviceModel
import EventLoop
import Faults
import Loopback
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
  package var faults: FaultStage
  /// Its transport in memory, whose centrals programs may play; nil: it has another.
  package var memory: LoopbackTransport?
  /// Ends the device in an orderly way.
  package var stop: () -> Void

  package init(
    name: String, file: String, transport: String, peripheral: LivePeripheral,
    definition: PeripheralDefinition,
    journal: Journal, faults: FaultStage, memory: LoopbackTransport?, stop: @escaping () -> Void
  ) {
    (self.name, self.file, self.transport) = (name, file, transport)
    (self.peripheral, self.definition, self.journal) = (peripheral, definition, journal)
    (self.faults, self.memory, self.stop) = (faults, memory, stop)
  }
}

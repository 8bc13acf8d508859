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
  package var source: Source
  /// As after `--on`.
  package var transport: String
  package var peripheral: LivePeripheral
  package var definition: PeripheralDefinition
  package var journal: Journal
  package var faults: FaultStage
  /// Its transport in memory, whose centrals programs may play; nil: it has another.
  package var memory: LoopbackTransport?
  /// Lays out the packets that a device in memory would send; nil: its own transport does.
  package var packetLimits: (any TransportLimits)?
  /// Ends the device in an orderly way.
  package var stop: () -> Void

  /// Its clock, if that can be advanced; nil: it cannot.
  var clock: AdvancingScheduler? { peripheral.scheduler as? AdvancingScheduler }

  /// What it has been started from.
  package struct Source: Sendable {
    /// The definition's file.
    package var file: String
    /// Looks up how transcripts call the definition: the name of a bundled one, otherwise the file's path.
    package var reference: @Sendable () -> String
    /// The file of its face; nil: it has none.
    package var face: String?
    /// One value for each setting.
    package var settings: [Value]
    package var seed: UInt64

    package init(
      file: String, reference: @escaping @Sendable () -> String, face: String? = nil, settings: [Value],
      seed: UInt64
    ) {
      (self.file, self.reference, self.face) = (file, reference, face)
      (self.settings, self.seed) = (settings, seed)
    }
  }

  package init(
    name: String, source: Source, transport: String, peripheral: LivePeripheral,
    definition: PeripheralDefinition,
    journal: Journal, faults: FaultStage, memory: LoopbackTransport?,
    packetLimits: (any TransportLimits)? = nil, stop: @escaping () -> Void
  ) {
    (self.name, self.source, self.transport) = (name, source, transport)
    (self.peripheral, self.definition, self.journal) = (peripheral, definition, journal)
    (self.faults, self.memory, self.stop) = (faults, memory, stop)
    self.packetLimits = packetLimits
  }
}

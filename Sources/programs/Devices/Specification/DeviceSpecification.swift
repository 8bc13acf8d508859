import Captures
import Definitions
import DeviceModel

/// All that a device runs with.
package struct DeviceSpecification: Sendable {
  /// Its name in a log of several devices.
  package var name: String
  package var choice: DefinitionChoice
  /// As after `--on`.
  package var place: String
  package var transport: TransportSpecification
  package var wireSide = WireSide.none
  package var seed = UInt64.random(in: 0 ... .max)
  /// The file that keeps settings and bonds; nil: they are not kept.
  package var statePath: String?
  /// The new file for what the device hears and says, and its format; nil: nothing is recorded.
  package var capture: (path: String, format: WrittenFormat)?
  package var forgetsBonds = false
  /// Whether it takes its adapter although other programs use it.
  package var endsOtherUse = false
  /// What is special about its time, in memory.
  package var memoryTime: MemoryTime = []
  package var control: ControlChoice
  /// Besides those of the definition.
  package var faults: [Fault] = []
  package var restart = Stand.Restart.never
  /// The device behind it; nil: it is no relay.
  package var relay: RelaySpecification?

  package init(
    name: String = "", choice: DefinitionChoice, place: String, transport: TransportSpecification,
    control: ControlChoice
  ) {
    (self.name, self.choice, self.place) = (name, choice, place)
    (self.transport, self.control) = (transport, control)
  }
}

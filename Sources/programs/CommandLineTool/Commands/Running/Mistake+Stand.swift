import Definitions
import Devices

/// Mistakes in a stand's file that are not of structure.
extension Mistake {
  static func badDefinition(_ name: String) -> Self {
    Self("'\(name)' has mistakes", "'blemu check' shows them in full")
  }
  static func noWireSide(_ definition: String) -> Self {
    Self("\(definition) has no wire side", "remove this, or add 'wire:' to the definition")
  }
  static func taken(_ claim: DeviceClaim, by other: String) -> Self {
    Self("'\(other)' already uses \(claim.words)", Self.hint(for: claim))
  }

  private static func hint(for claim: DeviceClaim) -> String {
    switch claim {
    case .adapter, .takenAdapter, .controller:
      "give each device an adapter of its own, as in 'on: exact:hci1'"
    case .file: "give each device a file of its own"
    case .port: "give each device a port of its own"
    }
  }
}

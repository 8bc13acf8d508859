import Definitions
import Devices

/// A mistake in a stand's file that is not one of structure. Cases carry facts; ``sentences`` holds the words.
enum StandMistake: Mistake {
  /// The definition has mistakes of its own.
  case badDefinition(String)
  /// - Parameter definition: its name.
  case noWireSide(String)
  /// Another device has the same.
  case taken(DeviceClaim, by: String)

  var sentences: (message: String, hint: String?) {
    switch self {
    case .badDefinition(let name): ("'\(name)' has mistakes", "'blemu check' shows them in full")
    case .noWireSide(let definition):
      ("\(definition) has no wire side", "remove this, or add 'wire:' to the definition")
    case .taken(let claim, let other): ("'\(other)' already uses \(claim.words)", Self.hint(for: claim))
    }
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

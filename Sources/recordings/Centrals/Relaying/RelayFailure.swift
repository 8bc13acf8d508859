import Bluetooth
import GATTClient
import Peripheral

/// Why a device cannot be relayed.
enum RelayFailure: Error, Hashable, Sendable {
  case notThere(LinkAddress)
  /// It cannot be asked for its attributes.
  case notAsked(LinkAddress, GATTClientError)
  /// It has no characteristic of the definition.
  case nothingShared(LinkAddress, definition: String)
  case controller(TransportError)

  var error: TransportError {
    switch self {
    case .notThere(let address):
      TransportError(
        .unavailable, "no link to \(address) began within \(RelayedDevice.patience.components.seconds) s",
        hint: "move it nearer, and end its connection to any other central")
    case .notAsked(let address, let error):
      TransportError(
        .unavailable, "\(address) could not be asked for its attributes: \(error)",
        hint: "try again; 'blemu clone' shows how far it can be asked")
    case .nothingShared(let address, let definition):
      TransportError(
        .invalid, "\(address) has no characteristic of '\(definition)'",
        hint: "choose another definition for --as, or leave it out, so that blemu asks the device")
    case .controller(let error): error
    }
  }
}

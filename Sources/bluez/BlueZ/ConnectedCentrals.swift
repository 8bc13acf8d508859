import Behavior

/// The centrals that are connected to the device.
///
/// Centrals that were connected before the device went on the air are strangers: they use another device of this
/// adapter until they reconnect.
struct ConnectedCentrals: Hashable {
  private var strangers: Set<Central>
  private var centrals: Set<Central> = []
  /// Whether new centrals are reported to the host.
  private(set) var isTelling = false

  /// - Parameter strangers: the centrals that are already connected.
  init(strangers: Set<Central> = []) { self.strangers = strangers }

  var isEmpty: Bool { centrals.isEmpty }

  func contains(_ central: Central) -> Bool { centrals.contains(central) }

  /// Whether a central was connected before the device went on the air.
  func isStranger(_ central: Central) -> Bool { strangers.contains(central) }

  /// By address.
  var all: [Central] { centrals.inAddressOrder }
}

extension ConnectedCentrals {
  /// Begins to report centrals.
  mutating func begin() { isTelling = true }

  /// Adds a central that has connected; returns whether it is new to the device.
  mutating func arrived(_ central: Central) -> Bool {
    !strangers.contains(central) && centrals.insert(central).inserted
  }

  /// Removes a central that has disconnected; returns whether it was one of the device's.
  mutating func left(_ central: Central) -> Bool {
    strangers.remove(central)
    return centrals.remove(central) != nil
  }

  /// A bluetoothd that stops ends all connections without reporting them.
  mutating func forgetStrangers() { strangers = [] }
}

extension Set<Central> {
  /// The same order each time.
  var inAddressOrder: [Central] { sorted { $0.description < $1.description } }
}

import Behavior

/// Who is connected to the device.
///
/// Centrals that were connected before the device went on the air are strangers: they are somebody else's until they
/// come again.
struct ConnectedCentrals: Hashable {
  private var strangers: Set<Central>
  private var centrals: Set<Central> = []
  /// Whether those who come are told of; the host has begun.
  private(set) var isTelling = false

  /// - Parameter strangers: those that are connected already.
  init(strangers: Set<Central> = []) { self.strangers = strangers }

  var isEmpty: Bool { centrals.isEmpty }

  /// By address.
  var all: [Central] { centrals.inAddressOrder }
}

extension ConnectedCentrals {
  /// Begins to tell of centrals.
  mutating func begin() { isTelling = true }

  /// A central is connected; whether it is a new one of the device's.
  mutating func arrived(_ central: Central) -> Bool {
    !strangers.contains(central) && centrals.insert(central).inserted
  }

  /// A central is connected no more; whether it was one of the device's.
  mutating func left(_ central: Central) -> Bool {
    strangers.remove(central)
    return centrals.remove(central) != nil
  }

  /// A bluetoothd that stops ends all connections, and says so of none.
  mutating func forgetStrangers() { strangers = [] }
}

extension Set<Central> {
  /// The same order each time.
  var inAddressOrder: [Central] { sorted { $0.description < $1.description } }
}

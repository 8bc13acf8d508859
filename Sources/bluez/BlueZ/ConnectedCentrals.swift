import Behavior

/// The centrals that are connected to the device.
///
/// Centrals that were connected before the device went on the air are strangers: they use another device of this
/// adapter until they reconnect.
struct ConnectedCentrals: Hashable {
  // Few, of which one is looked for at each request: arrays are quicker than sets.
  private var strangers: [Central]
  private var centrals: [Central] = []
  /// Whether new centrals are reported to the host.
  private(set) var isTelling = false

  /// - Parameter strangers: the centrals that are already connected.
  init(strangers: Set<Central> = []) { self.strangers = Array(strangers) }

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
    guard !strangers.contains(central), !centrals.contains(central) else { return false }
    centrals.append(central)
    return true
  }

  /// Removes a central that has disconnected; returns whether it was one of the device's.
  mutating func left(_ central: Central) -> Bool {
    strangers.removeAll { $0 == central }
    guard let index = centrals.firstIndex(of: central) else { return false }
    centrals.remove(at: index)
    return true
  }

  /// A bluetoothd that stops ends all connections without reporting them.
  mutating func forgetStrangers() { strangers = [] }
}

extension Collection<Central> {
  /// The same order each time.
  var inAddressOrder: [Central] { sorted { $0.description < $1.description } }
}

import Behavior
import DeviceModel

/// Knows how far a section has come, and says which lines cannot stand where they stand.
struct SectionChecker {
  private let definition: PeripheralDefinition
  private var isConnected = false
  private var subscribed: Set<Int> = []
  private var last: Step.Action?

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// Whether the device is on the air: nothing can be set any more.
  var hasBegun: Bool { last != nil }

  /// Takes the next step, and says what is wrong with it at its place.
  mutating func take(_ step: Step) -> (message: String, hint: String?)? {
    defer { last = step.action }
    switch step.action {
    case .connect:
      defer { isConnected = true }
      return isConnected ? ("the central is connected already", "write 'disconnect' before it") : nil
    case .disconnect:
      defer { isConnected = false }
      return needsConnection()
    case .subscribe(let characteristic):
      subscribed.insert(characteristic)
      return needsConnection()
    case .unsubscribe, .write, .read, .expectFound: return needsConnection()
    case .expect(let expectation): return take(expectation)
    case .expectRefusal: return takeRefusal()
    case .expectRead:
      if case .read = last { return nil }
      return ("nothing was read", "'=' follows 'read'")
    case .putIntoWire, .wait, .silence, .expectAdvertising, .expectNoAdvertising: return nil
    }
  }

  private func needsConnection() -> (String, String?)? {
    isConnected ? nil : ("no central is connected", "write 'connect' before it")
  }

  private mutating func take(_ expectation: Expectation) -> (String, String?)? {
    switch expectation.source {
    case .wire: return nil
    case .disconnection:
      defer { isConnected = false }
      return needsConnection()
    case .characteristic(let index):
      guard !subscribed.contains(index) else { return nil }
      let id = definition.characteristics[index].id
      return ("nobody has subscribed to '\(id)'", "write 'subscribe \(id)' before it")
    }
  }

  private func takeRefusal() -> (String, String?)? {
    switch last {
    case .read, .subscribe, .write(_, _, .request): nil
    case .write: ("a command is never refused", "write '>?' for a request")
    default: ("nothing was requested", "'!' follows a write, a read or 'subscribe'")
    }
  }
}

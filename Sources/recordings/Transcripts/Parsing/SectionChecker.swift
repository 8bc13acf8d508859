import Behavior
import Definitions
import DeviceModel

/// Checks that each line of a section fits the lines before it.
struct SectionChecker {
  /// What the lines so far have made of a central.
  private struct Central {
    var connection: Step.Connection?
    var subscribed: Set<Int> = []
    /// What it has of what the device seeks.
    var served: Set<Int> = []
  }

  private let definition: PeripheralDefinition
  /// By name.
  private var centrals: [String?: Central] = [:]
  /// The name of the central of the present line.
  private var name: String?
  private var last: Step.Action?

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// Whether the device is on the air, after which it cannot be configured.
  var hasBegun: Bool { last != nil }

  /// Takes the next step.
  ///
  /// - Returns: why it cannot follow the steps before; nil if it can.
  mutating func take(_ step: Step) -> Mistake? {
    // What a line has led to is that of its central.
    if !step.action.isOutcome { name = step.central }
    defer { last = step.action }
    switch step.action {
    case .connect(let new):
      defer { connection = new }
      return connection == nil ? nil : .alreadyConnected
    case .disconnect:
      defer { connection = nil }
      return connection == nil ? .notConnected : nil
    case .loseKeys: return nil
    case .subscribe(let characteristic):
      subscribed.insert(characteristic)
      return needsConnection(raw: false)
    case .unsubscribe, .openChannel, .closeChannel, .transmit, .write, .read, .expectFound:
      return needsConnection(raw: false)
    case .serve(_, let sought):
      served.insert(sought)
      return nil
    case .unserve(let sought):
      return served.remove(sought) == nil ? .notServed(definition.sought[sought].id) : nil
    case .tell(_, let sought):
      guard served.contains(sought) else { return .notServed(definition.sought[sought].id) }
      return needsConnection(raw: false)
    case .pair, .onLink: return connection == nil ? .notConnected : nil
    case .sendPDU: return needsConnection(raw: true)
    case .expect(let expectation): return take(expectation.source)
    case .expectRefusal: return takeRefusal()
    case .expectPairingFailure:
      connection = nil
      if case .pair = last { return nil }
      return .noPairing
    case .expectNoConnection:
      connection = nil
      if case .connect = last { return nil }
      return .noConnectionAttempt
    case .expectRead:
      if case .read = last { return nil }
      return .noRead
    case .unpair:
      connection = nil
      return nil
    case .addFault, .removeFault, .removeFaults: return nil
    case .putIntoWire, .control, .wait, .silence, .expectTrue, .expectAdvertising, .expectNoAdvertising:
      return nil
    }
  }

  private var connection: Step.Connection? {
    get { centrals[name]?.connection }
    set { centrals[name, default: Central()].connection = newValue }
  }

  private var subscribed: Set<Int> {
    get { centrals[name]?.subscribed ?? [] }
    set { centrals[name, default: Central()].subscribed = newValue }
  }

  private var served: Set<Int> {
    get { centrals[name]?.served ?? [] }
    set { centrals[name, default: Central()].served = newValue }
  }

  private func needsConnection(raw isRaw: Bool) -> Mistake? {
    switch connection {
    case .raw: return isRaw ? nil : .onRawConnection
    case .client: return isRaw ? .notRaw : nil
    case nil: return isRaw ? .notRaw : .notConnected
    }
  }

  private mutating func take(_ source: Arrival.Source) -> Mistake? {
    switch source {
    case .other(_, let source): return take(source)
    case .place(.wire), .place(.layer), .log, .sent, .received: return nil
    case .disconnection:
      defer { connection = nil }
      return connection == nil ? .notConnected : nil
    case .pdu: return needsConnection(raw: true)
    case .place(.channel), .channelEnd: return connection == .raw ? .onRawConnection : nil
    case .place(.sought(let sought)):
      guard served.contains(sought) else { return .notServed(definition.sought[sought].id) }
      return connection == .raw ? .onRawConnection : nil
    case .place(.characteristic(let index)):
      if connection == .raw { return .onRawConnection }
      guard !subscribed.contains(index), definition.characteristics[index].cccd.decides else {
        return nil
      }
      return .notSubscribed(characteristic: definition.characteristics[index].id)
    }
  }

  private func takeRefusal() -> Mistake? {
    switch last {
    case .read, .subscribe, .openChannel, .write(_, _, .request): nil
    case .write: .refusedCommand
    default: .noRequest
    }
  }
}

extension Step.Action {
  /// Whether it expects the outcome of the line before.
  fileprivate var isOutcome: Bool {
    switch self {
    case .expectPairingFailure, .expectNoConnection: true
    default: false
    }
  }
}

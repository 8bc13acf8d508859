import Framing

/// LE controllers that hear each other, on virtual time: packets of hosts in, packets for hosts out.
///
/// It is written from the Core Specification (Vol 4 Part E and Vol 6 Part B), not from a host: it checks what hosts send, and
/// answers as a controller has to. The same packets at the same instants with the same seed always lead to the same packets.
/// A controller that is ``ControllerTraits/isMovable`` also goes out of range by its host's command, and loses no packets by it.
///
/// Controllers answer commands at once. Everything on the air takes the time of advertising and connection events. Not
/// modelled: lost packets except by ``setPath(between:and:isOpen:)`` and ``setInRange(_:_:)``, scan windows (a scanner hears
/// everything), addresses of its own that the controller makes, BR/EDR, periodic advertising and isochronous channels.
package struct Air: Sendable {
  package private(set) var now = Instant()
  var controllers: [Controller] = []
  var links: [Link] = []
  var linkCount = 0
  var absent: Set<Int> = []
  var closedPaths: Set<Set<Int>> = []
  private let seed: UInt64

  package init(seed: UInt64 = 1) { self.seed = seed }

  /// A controller on the air.
  package struct ControllerID: Hashable, Sendable {
    let index: Int
  }

  package mutating func add(_ traits: ControllerTraits) -> ControllerID {
    var controller = Controller(traits, seed: seed &* 1_000_003 &+ UInt64(controllers.count))
    controller.now = now
    controllers.append(controller)
    return ControllerID(index: controllers.count - 1)
  }

  /// Gives a controller one packet of its host: H4's type (0x01 command, 0x02 ACL data) and the packet (Vol 4 Part A 2).
  package mutating func send(_ packet: [UInt8], to controller: ControllerID) {
    controllers[controller.index].receive(packet)
    noteSilence()
  }

  /// Takes what a controller has for its host, in order: events (0x04) and ACL data (0x02), with H4's type.
  package mutating func take(from controller: ControllerID) -> [[UInt8]] {
    controllers[controller.index].takeOutput()
  }

  /// What the host of a controller has done that no error code answers; tests expect none.
  package func mistakes(by controller: ControllerID) -> [HostMistake] {
    controllers[controller.index].mistakes
  }

  /// Gives a host a packet that its controller has not made.
  package mutating func inject(_ packet: [UInt8], from controller: ControllerID) {
    controllers[controller.index].output.append(packet)
  }
}

// MARK: Time

extension Air {
  /// Something that happens on its own.
  private enum Step {
    case advertising(controller: Int, handle: Int)
    case scanEnd(controller: Int)
    case deadline(controller: Int, handle: UInt16)
    case link(Int)
  }

  /// When the air changes next if no host does anything; nil: never.
  package var nextInstant: Instant? { nextStep?.due }

  /// Lets time pass. What is due at the end happens.
  package mutating func advance(to end: Instant) {
    while let (step, due) = nextStep, due <= end {
      setTime(max(now, due))
      perform(step)
      links = links.filter { self.end(of: $0, .central) != nil || self.end(of: $0, .peripheral) != nil }
      noteSilence()
    }
    setTime(max(now, end))
  }

  private var nextStep: (step: Step, due: Instant)? {
    var steps: [(step: Step, due: Instant)] = []
    for (index, link) in links.enumerated() {
      if let due = due(link) { steps.append((.link(index), due)) }
    }
    for (index, controller) in controllers.enumerated() {
      if let (handle, due) = controller.nextDeadline {
        steps.append((.deadline(controller: index, handle: handle), due))
      }
      if let due = controller.state.scanner.activity?.end { steps.append((.scanEnd(controller: index), due)) }
      if let (handle, due) = controller.nextAdvertising {
        steps.append((.advertising(controller: index, handle: handle), due))
      }
    }
    return steps.min { $0.due < $1.due }
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .advertising(let index, let handle): advertise(from: index, handle)
    case .scanEnd(let index): controllers[index].endScan()
    case .deadline(let index, let handle): controllers[index].close(handle, .responseTimeout)
    case .link(let index): pass(index)
    }
  }

  private mutating func setTime(_ instant: Instant) {
    now = instant
    for index in controllers.indices { controllers[index].now = instant }
  }
}

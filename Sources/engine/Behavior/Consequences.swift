import DeviceModel
import Framing

/// The consequences of rules, in order. The engine handles them after the rules.
struct Consequences: Sendable {
  /// An event that may trigger other rules.
  enum Consequence: Sendable {
    case started
    case entered(Int)
    case left(Int)
    /// With the central if each has its own.
    case changed(Rule.Slot, Central?)
    case released(Endpoint)
    /// A rule has put a frame together.
    case assembled(AssembledFrame)
    /// The rule that sends what goes out of a layer has ended.
    case emptied(Int)
    /// A rule has accepted a write or a configuration after a wait.
    case accepted(Event)
    /// A rule of this cause has ended in a wait, and the request has no response yet.
    case unanswered(Int, Activation.Owner)
  }

  private var events: [Consequence] = []
  private var nextEvent = 0
  /// Released frames, which are handled after everything else.
  private var released: [HeldFrames.Element] = []
  private var nextReleased = 0
  /// Whether the engine is handling them.
  fileprivate var areHandled = false
  /// How many it has handled since rules last got new steps.
  fileprivate var count = 0
  /// Where in the actions those of a loop begin.
  fileprivate var loopStart: Int?

  var isEmpty: Bool { events.isEmpty && released.isEmpty }

  mutating func add(_ consequence: Consequence) { events.append(consequence) }

  mutating func release(_ endpoints: [Endpoint]) { events += endpoints.map(Consequence.released) }

  mutating func add(_ frames: [HeldFrames.Element]) {
    released.removeFirst(nextReleased)
    nextReleased = 0
    released += frames
  }

  mutating func takeEvent() -> Consequence? {
    guard nextEvent < events.count else {
      events.removeAll(keepingCapacity: true)
      nextEvent = 0
      return nil
    }
    defer { nextEvent += 1 }
    return events[nextEvent]
  }

  mutating func takeFrame() -> HeldFrames.Element? {
    guard nextReleased < released.count else {
      released = []
      nextReleased = 0
      return nil
    }
    defer { nextReleased += 1 }
    return released[nextReleased]
  }

  mutating func removeAll() {
    (events, released) = ([], [])
    (nextEvent, nextReleased) = (0, 0)
  }

  mutating func renewCount() { (count, loopStart) = (0, nil) }

  /// Drops events that may trigger rules, and keeps releases and what centrals wait for.
  mutating func dropEvents() {
    events = events[nextEvent...].filter {
      switch $0 {
      case .released, .emptied, .accepted, .unanswered: true
      case .started, .entered, .left, .changed, .assembled: false
      }
    }
    nextEvent = 0
  }
}

/// A frame that a rule has assembled.
struct AssembledFrame: Sendable {
  let bytes: [UInt8]
  /// The place at which it arrives.
  let place: Endpoint
  fileprivate let rule: Int
  /// The cause of the frame, whose end also ends the rule that takes the frame.
  let owner: Activation.Owner
  /// The place outside of the layers whose bytes have caused it; nil: none has.
  let source: Endpoint?
  let asker: Central?

  init(bytes: [UInt8], place: Endpoint, by activation: borrowing Activation) {
    (self.bytes, self.place) = (bytes, place)
    (rule, owner) = (activation.rule, activation.owner)
    (source, asker) = (activation.source, activation.asker)
  }
}

extension Engine {
  /// Handles a rule's consequences after the rule has ended or begun to wait.
  mutating func settle() {
    guard !turn.consequences.areHandled, !(turn.consequences.isEmpty && turn.changes.isEmpty) else { return }
    turn.consequences.areHandled = true
    defer { turn.consequences.areHandled = false }
    while settleNext() {}
  }

  private mutating func settleNext() -> Bool {
    if let event = turn.consequences.takeEvent() {
      handle(event)
    } else if let (key, output) = turn.consequences.takeFrame() {
      take(output, from: key, at: lookup[key.endpoint])
    } else if !turn.changes.isEmpty {
      follow(turn.changes.takeFirst())
    } else {
      return false
    }
    return true
  }

  /// Handles a change unless the slot has its former value again, or the central whose it is has left.
  private mutating func follow(_ change: Changes.Change) {
    if let central = change.central {
      guard links.centrals.contains(central) else { return }
      centralVariables.select(central, in: &context.variables)
    }
    if context.value(of: change.slot) != change.value { handle(.changed(change.slot, change.central)) }
  }

  /// The actions of this many consequences remain even if they turn out to be a loop.
  private static let mostShown = 8

  /// Ends rules that cause each other without end, and forgets what they have sent and logged beyond the beginning.
  mutating func endLoop() {
    turn.consequences.dropEvents()
    turn.changes.removeAll()
    guard let start = turn.consequences.loopStart.take() else { return }
    turn.actions = turn.actions[..<start] + turn.actions[start...].filter { !$0.isOutput }
  }

  private mutating func handle(_ consequence: Consequences.Consequence) {
    turn.consequences.count += 1
    if turn.consequences.count == Self.mostShown { turn.consequences.loopStart = turn.actions.count }
    switch consequence {
    case .started: fire(.started, by: nil)
    case .entered(let state): fire(.entered(state), by: nil)
    case .left(let state): fire(.left(state), by: nil)
    case .changed(let slot, let central): fire(.changed(slot), by: central)
    case .assembled(let frame): take(frame)
    case .emptied(let layer): empty(layer)
    case .released(let endpoint): turn.consequences.add(held.end(at: endpoint))
    case .accepted(let event): perform(event)
    case .unanswered(let request, .central(let central)): giveResponse(to: request, ofCentral: central)
    case .unanswered(let request, .device): give(.accepted, to: request)
    }
  }

  /// Tries the rules for a frame. Their steps count with those of the rule that has assembled it.
  private mutating func take(_ frame: AssembledFrame) {
    guard turn.hasStepsLeft else {
      endLoop()
      return fail(frame.rule, RuleFailure.tooManySteps)
    }
    if case .layer(let layer) = frame.place { return take(frame, at: layer) }
    if options.makesRemarks {
      let rule = definition.rules[frame.rule]
      remark(.assembled(frame.place, frame.bytes, line: rule.line, file: rule.file))
    }
    let central: Central?? = if case .central(let central) = frame.owner { central } else { nil }
    let key = StreamKey(central: central ?? nil, endpoint: frame.place)
    offer(frame.bytes, from: key, at: lookup[frame.place], ownedByCentral: central != nil)
  }
}

extension Action {
  /// Whether it is something for centrals, for the wire side or for the log.
  fileprivate var isOutput: Bool {
    switch self {
    case .notify, .transmit, .request, .sendPDU, .writeToWire, .remark: true
    case .respond, .setBaud, .startTimer, .stopTimer, .serve, .advertise, .pair, .disconnect, .close,
      .askLink,
      .forget, .forgetOldest, .ask, .relay:
      false
    }
  }
}

import DeviceModel

/// The consequences of rules, in order.
struct Consequences: Sendable {
  /// An event that may trigger other rules.
  enum Consequence: Sendable {
    case started
    case entered(Int)
    case left(Int)
    case released(Endpoint)
    /// A rule has put a frame together.
    case assembled(AssembledFrame)
  }

  private var events: [Consequence] = []
  private var nextEvent = 0
  /// Released frames, which are handled after everything else.
  private var released: [HeldFrames.Element] = []
  private var nextReleased = 0

  mutating func add(_ consequence: Consequence) { events.append(consequence) }

  mutating func add(_ frames: HeldFrames) {
    released.removeFirst(nextReleased)
    nextReleased = 0
    released += frames.elements
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

  /// Drops events that may trigger rules, and keeps releases.
  mutating func dropEvents() {
    events = events[nextEvent...].filter { if case .released = $0 { true } else { false } }
    nextEvent = 0
  }
}

extension Engine {
  /// Handles a rule's consequences after the rule has ended or begun to wait.
  mutating func settle() {
    guard !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    while settleNext() {}
  }

  private mutating func settleNext() -> Bool {
    if let event = consequences.takeEvent() {
      handle(event)
    } else if let (key, output) = consequences.takeFrame() {
      take(output, from: key)
    } else {
      return false
    }
    return true
  }

  /// So many consequences of one event are shown even if they turn out to be a loop.
  private static let mostShown = 8

  mutating func renewSteps() {
    stepsLeft = Self.mostSteps
    (consequenceCount, loopStart) = (0, nil)
  }

  /// Ends rules that cause each other without end, and forgets what they have sent and logged beyond the beginning.
  mutating func endLoop() {
    consequences.dropEvents()
    guard let loopStart else { return }
    actions = actions[..<loopStart] + actions[loopStart...].filter { !$0.isOutput }
    self.loopStart = nil
  }

  private mutating func handle(_ consequence: Consequences.Consequence) {
    consequenceCount += 1
    if consequenceCount == Self.mostShown { loopStart = actions.count }
    switch consequence {
    case .started: fire(.started, by: nil)
    case .entered(let state): fire(.entered(state), by: nil)
    case .left(let state): fire(.left(state), by: nil)
    case .assembled(let frame): take(frame)
    case .released(let endpoint):
      if let frames = held.removeValue(forKey: endpoint) { consequences.add(frames) }
    }
  }
}

extension Action {
  /// Whether it is something for centrals, for the wire side or for the log.
  fileprivate var isOutput: Bool {
    switch self {
    case .notify, .writeToWire, .remark: true
    case .setBaud, .startTimer, .stopTimer, .serve, .advertise, .pair, .disconnect, .ask: false
    }
  }
}

import DeviceModel
import Framing

/// What the engine needs only while it handles one event.
struct Turn: Sendable {
  /// The most steps that one event or frame may cause without time passing.
  static let mostSteps = 10_000
  /// The most work for one event: the steps of rules, the evaluated conditions, and the templates tried on frames.
  static let mostWork = 100_000
  /// The most bytes that one event may produce for centrals, the wire side and the log.
  static let mostOutput = 1 << 22

  private(set) var now = Instant()
  private(set) var response: Response?
  /// Those of the event's outcome, whose memory they use.
  var actions: [Action] = []
  var consequences = Consequences()
  var changes = Changes()
  /// Empty: memory for the values of a message's fields.
  var values: [Value?] = []
  private var stepsLeft = 0
  private var workLeft = 0
  private var outputLeft = 0
  /// The central whose event the rules handle now.
  var asker: Central?
  /// The place outside of the layers whose bytes the rules handle now; nil: none.
  var source: Endpoint?
  /// How many rules send into a layer now, one inside the other.
  var layerDepth = 0
  /// Whether a read or a write has no response yet.
  var awaitsAnswer = false
  /// Whether the event is a write or a subscription, and the central waits for the response.
  var isAwaited = false
  /// The number of the event if a rule places its response; nil: the response goes before the actions.
  var request: Int?
  var hasReset = false
  var hasSetSettings = false

  /// - Parameter outcome: that of an earlier event.
  mutating func begin(at now: Instant, reusing outcome: inout Outcome) {
    outcome.clear()
    swap(&actions, &outcome.actions)
    self.now = now
    response = nil
    renewSteps()
    workLeft = Self.mostWork
    outputLeft = Self.mostOutput
    asker = nil
    source = nil
    layerDepth = 0
    awaitsAnswer = false
    isAwaited = false
    request = nil
    hasReset = false
    hasSetSettings = false
    changes.removeAll()
  }

  mutating func renewSteps() {
    stepsLeft = Self.mostSteps
    consequences.renewCount()
  }

  /// nil: the event has no response, or not yet.
  mutating func respond(_ response: Response?) { (self.response, awaitsAnswer) = (response, false) }

  var hasWorkLeft: Bool { workLeft > 0 }
  var hasStepsLeft: Bool { stepsLeft > 0 && workLeft > 0 }

  mutating func spend(work: Int) { workLeft -= work }

  mutating func countStep() throws(RuleFailure) {
    guard hasStepsLeft else { throw .tooManySteps }
    stepsLeft -= 1
    workLeft -= 1
  }

  /// Counts output bytes, at least 64 each time, so that empty output also counts.
  mutating func spend(output count: Int) throws(RuleFailure) {
    outputLeft -= max(64, count)
    guard outputLeft >= 0 else { throw .tooMuchOutput }
  }

  /// - Parameter settings: all settings, if any has been set.
  mutating func end(settings: [Value]?, in outcome: inout Outcome) {
    swap(&actions, &outcome.actions)
    (outcome.settings, outcome.response, outcome.request) = (settings, response, request)
  }
}

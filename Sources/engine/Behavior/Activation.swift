import DeviceModel

/// A rule that is running or waiting.
struct Activation: Sendable {
  /// The central whose disconnection ends it.
  enum Owner: Hashable, Sendable {
    case device
    /// nil: the transport could not identify the central.
    case central(Central?)
  }

  let rule: Int
  let owner: Owner
  /// The central whose event has caused it, also through a timer or a state: it gets the values that are for the asker.
  let asker: Central?
  /// Where its event came from; of a rule that sends what goes out of a layer, ``source``.
  let origin: Endpoint?
  /// The place outside of the layers whose bytes have caused it; nil: none has.
  let source: Endpoint?
  /// The layer whose message it sends on; nil: it does nothing of the kind.
  let layer: Int?
  /// The request whose response it places; nil: there is none.
  var request: Int?
  /// Whether it has left the states in which it lasts, and ends with its next wait.
  var isOver = false
  /// Its steps from the next one on.
  var steps: Range<Int>
  /// How many times each `repeat` runs.
  var counts: [Int64] = []

  /// The places that its remaining steps release.
  func releases(in program: RuleProgram) -> [Endpoint] {
    program.steps[steps].compactMap { step in
      if case .release(let endpoint) = step.operation { endpoint } else { nil }
    }
  }
}

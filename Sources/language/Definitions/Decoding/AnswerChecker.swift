import DeviceModel

/// Checks that a rule answers only a request, in time and only once, and that no action follows the
/// rule's end.
struct AnswerChecker {
  let triggers: [Rule.Trigger]
  let log: DiagnosticLog

  func check(_ actions: [Node<Language.Action>]) {
    var progress = Progress(placesResponse: actions.withInner.contains(where: \.placesResponse))
    _ = follow(actions, &progress)
  }

  /// The answers and ends that a rule may have reached so far.
  private struct Progress {
    /// Whether `respond` says where the response goes, so that it waits for the rule.
    let placesResponse: Bool
    var hasWaited = false
    /// Whether it has certainly answered.
    var hasAnswered = false
  }

  /// Follows the actions in the order of the rule. Returns whether the rule always ends in them.
  private func follow(_ actions: [Node<Language.Action>], _ progress: inout Progress) -> Bool {
    for (index, action) in actions.enumerated() {
      guard follow(action, &progress) else { continue }
      if index + 1 < actions.count { reportNothingDone(after: action, at: actions[index + 1]) }
      return true
    }
    return false
  }

  private func follow(_ action: Node<Language.Action>, _ progress: inout Progress) -> Bool {
    var then = progress
    var ends = action.word?.text == "reset" || action.word?.text == "end" || action.refuse != nil
    checkAnswer(action, progress)
    then.hasWaited = progress.hasWaited || action.wait != nil
    then.hasAnswered = progress.hasAnswered || action.respond != nil || action.placesResponse
    for inner in [action.repeated, action.then] { ends = follow(inner, &then) || ends }
    var otherwise = progress
    let otherEnds = follow(action.otherwise, &otherwise)
    if action.count != nil {  // it may run no action
      if ends { then = progress }
      then.hasAnswered = progress.hasAnswered
      ends = false
    }
    if action.condition == nil || otherEnds {
      progress = then
    } else if ends {
      progress = otherwise
    } else {
      progress.hasWaited = then.hasWaited || otherwise.hasWaited
      progress.hasAnswered = then.hasAnswered && otherwise.hasAnswered
    }
    return ends && (action.condition == nil || otherEnds)
  }

  private func checkAnswer(_ action: Node<Language.Action>, _ progress: Progress) {
    if action.placesResponse { return checkPlace(of: action, progress) }
    guard let place = action.respond?.range ?? action.refuse?.range else { return }
    let isRefusal = action.respond == nil
    if !canAnswer(isRefusal) {
      let hasResponse = triggers.contains(where: \.hasResponse)
      log.error(isRefusal ? .nothingToRefuse : .nothingToAnswer(hasResponse: hasResponse), at: place)
    } else if progress.hasWaited, !progress.placesResponse {
      log.error(isRefusal ? .lateRefusal : .lateAnswer, at: place)
    } else if progress.hasAnswered {
      log.error(.secondAnswer, at: place)
    }
  }

  /// Checks where the response to a write or a subscription goes.
  private func checkPlace(of action: Node<Language.Action>, _ progress: Progress) {
    let isRead = triggers.contains { if case .read = $0 { true } else { false } }
    if isRead {
      log.error(.noReadAnswer, at: action.range)
    } else if !triggers.isEmpty, !triggers.contains(where: \.hasResponse) {
      log.error(.noResponse, at: action.range)
    } else if progress.hasAnswered {
      log.error(.secondAnswer, at: action.range)
    }
  }

  private func canAnswer(_ isRefusal: Bool) -> Bool {
    triggers.isEmpty
      || triggers.allSatisfy { trigger in
        switch trigger {
        case .read: true
        case .written, .configured, .subscribed: isRefusal
        default: false
        }
      }
  }

  private func reportNothingDone(after action: Node<Language.Action>, at next: Node<Language.Action>) {
    let others = action.perform == nil ? "then" : "perform"
    let verb = action.word?.text ?? (action.refuse == nil ? others : "refuse")
    log.error(.afterEnd(verb: verb), at: next.place)
  }
}

extension Node where Keys == Language.Action {
  /// Whether it says where the response to the event goes among the values.
  fileprivate var placesResponse: Bool { word?.text == "respond" }
}

extension Rule.Trigger {
  /// Whether the central may wait for a response to it, other than the answer to a read.
  fileprivate var hasResponse: Bool {
    switch self {
    case .written, .configured, .subscribed, .received(_, from: .characteristic): true
    default: false
    }
  }
}

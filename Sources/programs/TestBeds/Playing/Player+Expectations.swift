import Behavior
import Definitions
import Framing
import Peripheral
import Transcripts

/// Checks a line's expectation. Output that no line expects is skipped, and is not a failure.
extension Player {
  /// Reports whether the expectation is met, and shows the output that arrived meanwhile.
  func expect(_ step: Step) async throws -> [String] {
    // Without a value, it is a question.
    if step.text == "advertises" { return [AdvertisementText.write(testBed.advertisement)] }
    if let mistake = mistake(before: step.action) {
      return impossible([mistake.message, mistake.hint].compactMap(\.self).joined(separator: "; "))
    }
    var output: [String] = []
    expectations.count += 1
    hasBegun = true
    do {
      try await check(step, &output)
    } catch let problem as Problem {
      return output + takeOutput() + [unmet(step, "\(problem)")]
    } catch let error as TestBedError {
      return output + takeOutput() + [unmet(step, error.message)]
    }
    expectations.met += 1
    if step.action.isState { recording.takeAnswer(step.text) }
    return output + takeOutput() + [shown("met: \(step.text)\(details(of: step.action))", at: testBed.now)]
  }

  private func unmet(_ step: Step, _ problem: String) -> String {
    outcome = .unmet
    runner.set(mark: testBed.now, step.line)
    recording.pass(until: testBed.now)
    return shown("not met: \(step.text); \(problem)", at: testBed.now)
  }

  /// The values in a condition.
  private func details(of action: Step.Action) -> String {
    guard case .expectTrue(let condition) = action else { return "" }
    let values = condition.values(in: testBed.context)
    return values.isEmpty ? "" : "; \(values)"
  }

  /// Why a line cannot follow the one before; nil: it can.
  private func mistake(before action: Step.Action) -> Mistake? {
    switch (action, runner.effect) {
    case (.expectRead, .response(.value)), (.expectRefusal, .response), (.expectNoConnection, .connection),
      (.expectPairingFailure, .pairing):
      nil
    case (.expectRead, _): .noRead
    case (.expectRefusal, _): .noRequest
    case (.expectNoConnection, _): .noConnectionAttempt
    case (.expectPairingFailure, _): .noPairing
    default: nil
    }
  }

  private func check(_ step: Step, _ output: inout [String]) async throws {
    switch step.action {
    case .silence(let duration): try await expectSilence(duration, step, &output)
    case .expect(let expectation) where !expectation.source.isNoted:
      try await receive(expectation, step, &output)
    default: try await runner.expect(step)
    }
  }

  /// Nothing may arrive at the instant of the line before, or for this time after it.
  private func expectSilence(_ duration: Duration, _ step: Step, _ output: inout [String]) async throws {
    let (since, end) = (runner.mark, testBed.now.advanced(by: duration))
    output += try await wait(duration)
    runner.set(mark: testBed.now, step.line)
    // A value at the very end does not break the silence.
    guard let first = unexpected.first(where: { $0.time >= since && $0.time < end }) else { return }
    throw Problem.unexpected(TranscriptText(definition, .short).line(of: first))
  }

  /// Takes a value that has arrived, or lets time pass until it arrives.
  private func receive(_ expectation: Expectation, _ step: Step, _ output: inout [String]) async throws {
    let deadline = runner.deadline(of: expectation)
    while true {
      if let found = find(expectation) {
        let (start, end) = (unexpected[found.first].time, unexpected[found.last].time)
        unexpected = unexpected.enumerated().filter {
          $0.offset > found.last || $0.element.source != expectation.source
        }.map(\.element)
        defer { runner.set(mark: end, step.line) }
        return try runner.check(
          runner.mark.duration(to: start), expectation, since: runner.markedLine)
      }
      guard testBed.now < deadline, output.count < Self.mostLines else {
        throw missing(expectation, deadline)
      }
      try testBed.wait(until: deadline, past: testBed.inbox.count, includingEnd: true)
      output += takeOutput()
    }
  }

  private func missing(_ expectation: Expectation, _ deadline: Instant) -> Problem {
    let last = unexpected.last { $0.source == expectation.source }
    let difference = last.flatMap { expectation.value?.difference(from: $0.bytes) }
    return difference.map(Problem.differs) ?? .missing(within: runner.mark.duration(to: deadline))
  }

  /// The place of the first value that a line expects: one arrival, or several that are its pieces.
  private func find(_ expectation: Expectation) -> (first: Int, last: Int)? {
    let candidates = unexpected.indices.filter { unexpected[$0].source == expectation.source }
    for (number, first) in candidates.enumerated() {
      guard let pattern = expectation.value else { return (first, first) }
      var bytes: [UInt8] = []
      for index in candidates[number...] {
        bytes += unexpected[index].bytes
        if pattern.difference(from: bytes) == nil { return (first, index) }
        guard runner.isPiece(unexpected[index]), pattern.canContinue(bytes) else { break }
      }
    }
    return nil
  }
}

extension Step.Action {
  /// Whether it concerns the device's output.
  var isExpectation: Bool {
    switch self {
    case .silence, .expect, .expectTrue, .expectRefusal, .expectNoConnection, .expectPairingFailure,
      .expectRead,
      .expectFound, .expectAdvertising, .expectNoAdvertising:
      true
    case .connect, .disconnect, .onLink, .pair, .unpair, .loseKeys, .subscribe, .unsubscribe, .openChannel,
      .closeChannel, .serve, .unserve, .tell, .transmit, .write, .read, .sendPDU, .putIntoWire, .control,
      .addFault, .removeFault, .removeFaults, .wait:
      false
    }
  }

  /// Whether it concerns the present state of the device, which its output does not show.
  fileprivate var isState: Bool {
    switch self {
    case .expectTrue, .expectFound, .expectAdvertising, .expectNoAdvertising: true
    default: false
    }
  }

  /// Whether the device answers it.
  var isRequest: Bool {
    switch self {
    case .subscribe, .openChannel, .read, .write(_, _, .request): true
    default: false
    }
  }
}

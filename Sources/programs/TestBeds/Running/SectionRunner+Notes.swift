import Definitions
import DeviceModel
import Framing
import Transcripts

/// Checks the log, and conditions on the device.
extension SectionRunner {
  /// Takes the next matching message of a rule, or value that the device has sent or received, and returns its time. Others before it are
  /// passed over.
  func noted(_ expectation: Expectation, until deadline: Instant, _ step: Step) async throws -> Instant {
    while true {
      let count = testBed.inbox.count
      let found = testBed.inbox.takeNoted(from: expectation.source) {
        expectation.value?.difference(from: $0.bytes) == nil
      }
      if let found {
        record.forget(found)
        record.add(found, like: nil)
        set(mark: max(mark, found.time), step.line)
        return found.time
      }
      guard testBed.now < deadline else { break }
      try await failing { try await testBed.wait(until: deadline, past: count, includingEnd: true) }
    }
    record.markFailure(expectation.source == .log ? "(not in the log)" : "(nothing)")
    throw Problem.notNoted(expectation.source, within: mark.duration(to: deadline))
  }

  /// Checks a condition now. On the air, it may become true a little later: a write command has no answer.
  func expect(_ condition: DeviceCondition, _ step: Step) async throws {
    let end = testBed.now.advanced(by: testBed.timing.lateness)
    while condition.problem(in: testBed.context) != nil, testBed.now < end {
      let next = min(end, testBed.now.advanced(by: .milliseconds(50)))
      try await testBed.wait(until: next, past: testBed.inbox.count, includingEnd: true)
    }
    let values = condition.values(in: testBed.context)
    record.begin(step, at: testBed.now, values.isEmpty ? step.text : "* \(values)")
    if let problem = condition.problem(in: testBed.context) { throw failure(problem) }
  }
}

extension DeviceCondition {
  /// Why the condition does not hold; nil: it does.
  func problem(in context: EvaluationContext?) -> Problem? {
    guard let context else { return .impossible("the device is not on the air") }
    do { return try expression.isTrue(in: context) ? nil : .notTrue(values: values(in: context)) } catch {
      return .noValue(error)
    }
  }

  /// `state is "idle", count is 2`
  func values(in context: EvaluationContext?) -> String {
    guard let context else { return "" }
    return names.compactMap { name in
      guard let value = try? name.expression.evaluate(in: context) else { return nil }
      return "\(name.name) is \(Excerpt.line(ValueText.write(value)))"
    }.joined(separator: ", ")
  }
}

import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Runs one conversation and reports where it differs from the transcript.
@EventLoop
package final class SectionRunner {
  let section: Transcript.Section
  let definition: PeripheralDefinition
  let testBed: any TestBed
  var record: ConversationRecord
  /// The time and line number of the last action, wait or output, from which the next line counts its time.
  var mark = Instant()
  var markedLine = 0
  /// Output that may repeat, by its source.
  var repeated: [Arrival.Source: ValuePattern] = [:]
  /// What the last action has led to; nil: there was none.
  var effect: StepEffect?
  /// The result of the last pairing on this connection, or of an earlier bonding; nil: the central has not paired.
  var outcome: PairingOutcome?

  /// - Parameter testBed: set up and torn down for the section.
  package init(_ section: Transcript.Section, of definition: PeripheralDefinition, on testBed: any TestBed) {
    self.section = section
    self.definition = definition
    self.testBed = testBed
    record = ConversationRecord(definition)
  }

  /// Runs the conversation.
  ///
  /// - Parameter settings: one value for each of the definition's settings; the section's own override them.
  /// - Throws: ``TransportError`` if the transport is not available.
  package func run(settings: [Value]) async throws -> SectionResult {
    let start = EventLoop.now
    var result = SectionResult(title: section.title, line: section.line)
    let failure: SectionFailure?
    do {
      try await testBed.setUp(
        tested, settings: chosen(settings), options: section.options, paces: section.paces)
      failure = try await converse()
    } catch let error as TransportError where error.kind != .invalid {
      await testBed.tearDown()
      throw error
    } catch {
      failure = cannotBegin(error)
    }
    await testBed.tearDown()
    result.failure = failure
    result.duration = .microseconds(EventLoop.now - start)
    return result
  }

  /// The definition. Without a security section, pairing depends on the system, which differs from machine to machine; here it
  /// pairs by Just Works.
  private var tested: PeripheralDefinition {
    var tested = definition
    if section.pairs, tested.security == nil { tested.security = PairingTemplate() }
    return tested
  }

  private func chosen(_ settings: [Value]) -> [Value] {
    settings.indices.map { section.settings[$0] ?? settings[$0] }
  }

  private func cannotBegin(_ error: any Error) -> SectionFailure {
    let reason = (error as? TransportError)?.message ?? "\(error)"
    return SectionFailure(
      line: section.line, message: "the device cannot start: \(reason)", rows: [])
  }

  private func converse() async throws -> SectionFailure? {
    record.start = testBed.now
    (mark, markedLine) = (testBed.now, section.line)
    for (index, step) in section.steps.enumerated() {
      do {
        try await perform(resolved(step), isRefusalExpected: section.expectsRefusal(after: index))
      } catch  where !(error is TransportError) {
        return failure(error, at: step.line, next: section.steps[(index + 1)...])
      }
    }
    do { try await settle() } catch  where !(error is TransportError) {
      return failure(error, at: section.steps.last?.line ?? section.line, next: [])
    }
    return nil
  }

  /// The step with the device's address in its bytes.
  private func resolved(_ step: Step) throws(Problem) -> Step {
    guard step.usesAddress, let address = testBed.context?.address else { return step }
    let parser = LineParser(definition, address: address)
    do {
      if case .step(let resolved) = try parser.parse(step.text, line: step.line) { return resolved }
    } catch {
      record.begin(step)
      record.markFailure()
      throw .impossible(error.message)
    }
    return step
  }

  private func failure(_ error: any Error, at line: Int, next: ArraySlice<Step>) -> SectionFailure {
    record.take(testBed.inbox.takeRemarks())
    record.finish(next: next, rest: testBed.inbox.arrivals)
    let message = (error as? TestBedError)?.message ?? "\(error)"
    return SectionFailure(line: line, message: message, rows: record.excerpt)
  }

  /// Waits for late output, and fails if there is any.
  private func settle() async throws {
    try await pass(until: testBed.now.advanced(by: testBed.timing.settling))
    try expectNothing()
  }

  func expectNothing() throws(Problem) {
    testBed.inbox.remove(where: isRepeated)
    guard let first = testBed.inbox.arrivals.first else { return }
    record.markUnexpected()
    throw Problem.unexpected(record.words.line(of: first))
  }

  /// Whether an earlier line permits this output to repeat.
  func isRepeated(_ arrival: Arrival) -> Bool {
    repeated[arrival.source].map { $0.difference(from: arrival.bytes) == nil } ?? false
  }
}

extension Transcript.Section {
  fileprivate func expectsRefusal(after index: Int) -> Bool {
    guard index + 1 < steps.count else { return false }
    return switch steps[index + 1].action {
    case .expectRefusal, .expectPairingFailure, .expectNoConnection: true
    default: false
    }
  }
}

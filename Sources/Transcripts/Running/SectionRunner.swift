import Behavior
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Holds one conversation, and tells where it goes another way than it should.
@EventLoop
package final class SectionRunner {
  let section: Transcript.Section
  let definition: PeripheralDefinition
  let testBed: any TestBed
  var record: ConversationRecord
  /// When the line before passed time, brought something, or asked for something; and which it was.
  var mark = Instant()
  var markedLine = 0
  /// What may come again, by where it comes from.
  var repeated: [Arrival.Source: ValuePattern] = [:]
  /// What the last request brought.
  var response = Response.accepted

  /// - Parameter test bed: is set up and torn down again.
  package init(_ section: Transcript.Section, of definition: PeripheralDefinition, on testBed: any TestBed) {
    self.section = section
    self.definition = definition
    self.testBed = testBed
    record = ConversationRecord(definition)
  }

  /// Holds the conversation.
  ///
  /// - Parameter settings: one value for each of the definition's settings; those of the section come before.
  /// - Throws: ``TransportError`` when there is nothing to hold it on.
  package func run(settings: [Value]) async throws -> SectionResult {
    let start = EventLoop.now
    var result = SectionResult(title: section.title, line: section.line, duration: .zero)
    let failure: SectionFailure?
    do {
      try await testBed.setUp(
        definition, settings: chosen(settings), seed: section.seed, isPaced: section.isPaced)
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

  private func chosen(_ settings: [Value]) -> [Value] {
    settings.indices.map { section.settings[$0] ?? settings[$0] }
  }

  private func cannotBegin(_ error: any Error) -> SectionFailure {
    let reason = (error as? TransportError)?.message ?? "\(error)"
    return SectionFailure(
      line: section.line, message: "the device cannot go on the air: \(reason)", rows: [])
  }

  private func converse() async throws -> SectionFailure? {
    record.start = testBed.now
    (mark, markedLine) = (testBed.now, section.line)
    for (index, step) in section.steps.enumerated() {
      do {
        try await perform(step, isRefusalExpected: section.expectsRefusal(after: index))
      } catch  where !(error is TransportError) {
        return failure(error, at: step.line, next: section.steps[(index + 1)...])
      }
    }
    do { try await settle() } catch  where !(error is TransportError) {
      return failure(error, at: section.steps.last?.line ?? section.line, next: [])
    }
    return nil
  }

  private func failure(_ error: any Error, at line: Int, next: ArraySlice<Step>) -> SectionFailure {
    record.take(testBed.inbox.takeRemarks())
    record.finish(next: next, left: testBed.inbox.arrivals)
    let message = (error as? TestBedError)?.message ?? "\(error)"
    return SectionFailure(line: line, message: message, rows: record.excerpt)
  }

  /// Nothing more may come.
  private func settle() async throws {
    try await pass(until: testBed.now.advanced(by: testBed.timing.settling))
    try expectNothing()
  }

  func expectNothing() throws(Problem) {
    testBed.inbox.remove(where: isRepeated)
    guard let first = testBed.inbox.arrivals.first else { return }
    record.markUnexpected()
    throw Problem.unexpected(record.text(of: first))
  }

  /// Whether it is what a line has said may come again.
  func isRepeated(_ arrival: Arrival) -> Bool {
    repeated[arrival.source].map { $0.difference(from: arrival.bytes) == nil } ?? false
  }
}

extension Transcript.Section {
  fileprivate func expectsRefusal(after index: Int) -> Bool {
    guard index + 1 < steps.count, case .expectRefusal = steps[index + 1].action else { return false }
    return true
  }
}

import Behavior
import EventLoop
import Framing
import Peripheral

/// Performs the actions of the central and the wire side, and lets time pass.
extension SectionRunner {
  func perform(_ step: Step, isRefusalExpected: Bool) async throws {
    record.take(testBed.inbox.takeRemarks())
    let text = record.text(of: step)
    switch step.action {
    case .connect(let mtu):
      testBed.inbox.remove(where: isRepeated)
      repeated = [:]
      try await act(step, text) { try await testBed.connect(mtu: mtu) }
    case .disconnect: try await act(step, text) { try await testBed.disconnect() }
    case .putIntoWire(let bytes): try await act(step, text) { testBed.putIntoWire(bytes) }
    case .wait(let duration): try await wait(duration, step)
    case .silence(let duration): try await silence(duration, step)
    case .subscribe, .unsubscribe, .write, .read:
      try await act(step, text) { response = try await request(step.action) }
      if case .refused(let error) = response, !isRefusalExpected {
        record.markFailure("! \(error.name)")
        throw Problem.refused(error)
      }
    case .expect, .expectRefusal, .expectRead, .expectFound, .expectAdvertising, .expectNoAdvertising:
      try await expect(step)
    }
  }

  private func act(
    _ step: Step, _ text: String, _ body: @EventLoop () async throws -> Void
  ) async throws {
    set(mark: testBed.now, step)
    record.begin(step, at: testBed.now, text)
    try await failing(body)
  }

  private func request(_ action: Step.Action) async throws -> Response {
    switch action {
    case .subscribe(let characteristic): try await testBed.subscribe(to: characteristic)
    case .unsubscribe(let characteristic): try await testBed.unsubscribe(from: characteristic)
    case .read(let attribute): try await testBed.read(attribute)
    case .write(let value, let attribute, let kind): try await write(value, to: attribute, kind)
    default: preconditionFailure("only these four are requests")
    }
  }

  private func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind
  ) async throws -> Response {
    let limit = testBed.maximumValue
    if kind == .command, value.count > limit {
      throw TestBedError("a write command carries at most \(limit) bytes on this link, not \(value.count)")
    }
    return try await testBed.write(value, to: attribute, kind)
  }

  /// Performs an action, and marks the line as failed if it throws.
  func failing(_ body: @EventLoop () async throws -> Void) async throws {
    do { try await body() } catch {
      record.markFailure()
      throw error
    }
  }

  func set(mark instant: Instant, _ step: Step) {
    (mark, markedLine) = (instant, step.line)
  }
}

// MARK: Time

extension SectionRunner {
  private func wait(_ duration: Duration, _ step: Step) async throws {
    record.begin(step, at: testBed.now, step.text)
    try await failing { try await pass(until: testBed.now.advanced(by: duration)) }
    set(mark: testBed.now, step)
  }

  /// Lets time pass up to and including an instant.
  func pass(until end: Instant) async throws {
    var count = -1
    while testBed.now < end || testBed.inbox.count > count {
      count = testBed.inbox.count
      try await testBed.wait(until: end, past: count, includingEnd: true)
    }
  }

  private func silence(_ duration: Duration, _ step: Step) async throws {
    let end = testBed.now.advanced(by: duration)
    record.begin(step, at: testBed.now, step.text)
    try await endRepetition(until: end)
    while testBed.now < end {
      let count = testBed.inbox.count
      try expectNothing()
      try await failing { try await testBed.wait(until: end, past: count, includingEnd: false) }
    }
    try expectNothing()
    set(mark: testBed.now, step)
  }

  /// Waits for repetitions that are still on their way, and allows none after them.
  private func endRepetition(until end: Instant) async throws {
    guard !repeated.isEmpty else { return }
    let settling = testBed.timing.settling + testBed.timing.answer * 10
    try await failing { try await pass(until: min(end, testBed.now.advanced(by: settling))) }
    testBed.inbox.remove(where: isRepeated)
    repeated = [:]
  }
}

import Bluetooth
import Framing
import Peripheral
import Transcripts

/// Checks expectations.
extension SectionRunner {
  func expect(_ step: Step) async throws {
    switch step.action {
    case .expect(let expectation): try await expect(expectation, step)
    case .expectTrue(let condition): try await expect(condition, step)
    case .expectRefusal(let error): try expectRefusal(error, step)
    case .expectNoConnection(let failure): try expectNoConnection(failure, step)
    case .expectPairingFailure(let failure): try expectFailure(failure, step)
    case .expectRead(let pattern): try expectRead(pattern, step)
    case .expectFound(let characteristics): try await expectFound(characteristics, step)
    case .expectAdvertising(let pattern):
      try await expectOnAir(step, pattern.set(of:)) { found in
        guard let found else { return .notAdvertising }
        return pattern.difference(from: found).map(Problem.differs)
      }
    case .expectNoAdvertising: try await expectOnAir(step, \.self) { $0 == nil ? nil : .advertising }
    default: preconditionFailure("the caller performs actions")
    }
  }

  private func expectRefusal(_ error: ATTError, _ step: Step) throws(Problem) {
    guard case .response(.refused(let found, _)) = effect else {
      record.begin(step, at: testBed.now, "(accepted)")
      throw failure(.notRefused(error))
    }
    record.begin(step, at: testBed.now, "! \(found.name)")
    if found != error { throw failure(.refusedWith(found, not: error)) }
  }

  private func expectNoConnection(_ failure: ConnectionFailure, _ step: Step) throws(Problem) {
    guard case .connection(let found?) = effect else {
      record.begin(step, at: testBed.now, "(connected)")
      throw self.failure(.didConnect(failure))
    }
    record.begin(step, at: testBed.now, "! \(found.rawValue)")
    if !found.meets(failure) { throw self.failure(.notConnected(found, not: failure)) }
  }

  /// A transport may not know why pairing failed.
  private func expectFailure(_ failure: PairingFailure, _ step: Step) throws(Problem) {
    guard case .pairing(.failed(let found)) = effect else {
      record.begin(step, at: testBed.now, "(paired)")
      throw self.failure(.pairingDidNotFail(failure))
    }
    record.begin(step, at: testBed.now, "! \(found.name)")
    if found != failure, found != .unknown { throw self.failure(.pairingFailedWith(found, not: failure)) }
  }

  private func expectRead(_ pattern: ValuePattern, _ step: Step) throws(Problem) {
    guard case .response(.value(let value)) = effect else {
      preconditionFailure("a refused read ends the section")
    }
    record.begin(step, at: testBed.now, "= " + record.words.explained(value, like: pattern))
    guard let difference = pattern.difference(from: value) else { return }
    record.contrast(value, with: pattern, mark: "= ")
    throw failure(.differs(difference))
  }

  /// On the air, attributes may change in a moment.
  private func expectFound(_ characteristics: [FoundCharacteristic], _ step: Step) async throws {
    let end = testBed.now.advanced(by: testBed.timing.lateness)
    var found = try await found(characteristics)
    while found != characteristics, testBed.now < end {
      let next = min(end, testBed.now.advanced(by: .milliseconds(50)))
      try await testBed.wait(until: next, past: testBed.inbox.count, includingEnd: true)
      found = try await self.found(characteristics)
    }
    record.begin(step, at: testBed.now, "finds " + found.map(\.description).joined(separator: " "))
    guard found != characteristics else { return }
    let extra = found.first { !characteristics.contains($0) }
    let missing = characteristics.first { !found.contains($0) }
    let difference =
      missing.map { "the central does not find \($0)" } ?? extra.map { "the central also finds \($0)" }
    throw failure(.differs(difference ?? "the central finds them in a different order"))
  }

  private func found(_ expected: [FoundCharacteristic]) async throws -> [FoundCharacteristic] {
    try await testBed.found().filter { $0.isExpected(among: expected) }
  }

  /// - Parameter part: the part of an advertisement that the record shows.
  private func expectOnAir(
    _ step: Step, _ part: (Advertisement) -> Advertisement?, _ problem: (Advertisement?) -> Problem?
  ) async throws {
    let end = testBed.now.advanced(by: testBed.timing.advertising)
    while problem(testBed.advertisement) != nil, testBed.now < end {
      let next = min(end, testBed.now.advanced(by: .milliseconds(50)))
      try await testBed.wait(until: next, past: testBed.inbox.count, includingEnd: true)
    }
    record.begin(step, at: testBed.now, AdvertisementText.write(testBed.advertisement.flatMap(part)))
    if let problem = problem(testBed.advertisement) { throw failure(problem) }
  }

  func failure(_ problem: Problem) -> Problem {
    record.markFailure()
    return problem
  }
}

// MARK: Output

extension SectionRunner {
  /// How long the test bed waits for expected output by default.
  private static let patience = Duration.seconds(5)

  private func expect(_ expectation: Expectation, _ step: Step) async throws {
    let (since, sinceLine) = (mark, markedLine)
    record.begin(step)
    let deadline = deadline(of: expectation)
    let time =
      expectation.source.isNoted
      ? try await noted(expectation, until: deadline, step)
      : try await receive(expectation, until: deadline, step)
    try check(since.duration(to: time), expectation, since: sinceLine)
  }

  /// Checks the time at which output arrived.
  func check(
    _ found: Duration, _ expectation: Expectation, since sinceLine: Int
  ) throws(Problem) {
    let (timing, source) = (testBed.timing, expectation.source)
    if let after = expectation.after, !timing.window(of: after, from: source).contains(found) {
      throw failure(.mistimed(found: found, expected: after, since: sinceLine, on: timing))
    }
    if let within = expectation.within, found > within + timing.lateness(of: source) {
      throw failure(.late(found: found, limit: within, since: sinceLine, on: timing))
    }
  }

  func deadline(of expectation: Expectation) -> Instant {
    let source = expectation.source
    if let within = expectation.within {
      return mark.advanced(by: within + testBed.timing.lateness(of: source))
    }
    let latest = testBed.timing.window(of: expectation.after ?? .zero ... .zero, from: source).upperBound
    return max(mark, testBed.now).advanced(by: max(Self.patience + testBed.timing.answer * 10, latest))
  }

  /// Takes the value, which may arrive in pieces, and returns the time of its first piece.
  private func receive(
    _ expectation: Expectation, until deadline: Instant, _ step: Step
  ) async throws -> Instant {
    var (bytes, start, difference): ([UInt8], Instant?, String?) = ([], nil, nil)
    var isWhole = false
    while !isWhole {
      guard let arrival = try await next(expectation, after: bytes, until: deadline) else {
        contrast(bytes, with: expectation)
        let unfinished = unfinished(of: expectation.source)
        record.markFailure(
          unfinished.map { "(not a whole frame)  \(HexText.format($0))" }
            ?? (difference == nil ? "(nothing)" : "(nothing more)"))
        throw unfinished.map(Problem.unfinished) ?? difference.map(Problem.differs)
          ?? .missing(within: mark.duration(to: deadline))
      }
      record.add(arrival, like: expectation.value)
      guard arrival.source == expectation.source else {
        throw failure(.outOfOrder(record.words.line(of: arrival)))
      }
      bytes += arrival.bytes
      start = start ?? arrival.time
      set(mark: arrival.time, step.line)
      difference = expectation.value?.difference(from: bytes)
      isWhole = difference == nil || !isPiece(arrival) || expectation.value?.canContinue(bytes) != true
    }
    if let difference {
      contrast(bytes, with: expectation)
      throw failure(.differs(difference))
    }
    repeated[expectation.source] = expectation.isRepeated ? expectation.value : nil
    return start!
  }

  /// The bytes from there on that do not form a whole frame; nil if there are none.
  private func unfinished(of source: Arrival.Source) -> [UInt8]? {
    if case .other(_, let source) = source { return unfinished(of: source) }
    guard case .place(let place) = source else { return nil }
    return testBed.device.streams?.unfinished(from: place)
  }

  private func contrast(_ bytes: [UInt8], with expectation: Expectation) {
    guard !bytes.isEmpty, let pattern = expectation.value else { return }
    record.contrast(bytes, with: pattern, mark: record.words.beginning(of: expectation.source))
  }

  /// Whether the link or the serial line may have cut the value after these bytes.
  func isPiece(_ arrival: Arrival) -> Bool {
    if arrival.source == .place(.wire) {
      return section.paces.contains(.wire) && definition.wire.coding?.joinsAtPeer != true
    }
    if case .other(_, let source) = arrival.source {
      return isPiece(Arrival(at: arrival.time, from: source, arrival.bytes))
    }
    guard case .place(.characteristic(let index)) = arrival.source,
      definition.characteristics[index].sentFraming == nil
    else { return false }
    return arrival.bytes.count == min(testBed.maximumValue, definition.link.maximumValue ?? .max)
  }

  /// The next arrival that is not a permitted repetition.
  private func next(
    _ expectation: Expectation, after bytes: [UInt8], until deadline: Instant
  ) async throws -> Arrival? {
    while true {
      while let arrival = testBed.inbox.take(for: expectation.source, inOrder: testBed.timing.keepsOrder) {
        let isWanted =
          arrival.source == expectation.source
          && expectation.value?.difference(from: bytes + arrival.bytes) == nil
        if isWanted || !isRepeated(arrival) { return arrival }
        record.addRepetition(arrival)
      }
      if testBed.now >= deadline { return nil }
      let count = testBed.inbox.count
      try await failing { try await testBed.wait(until: deadline, past: count, includingEnd: true) }
    }
  }
}

extension FoundCharacteristic {
  /// On BlueZ, Generic Access and Generic Attribute are the transport's own, so they count only if a line names them.
  fileprivate func isExpected(among characteristics: [FoundCharacteristic]) -> Bool {
    (service != 0x1800 && service != 0x1801) || characteristics.contains { $0.service == service }
  }
}

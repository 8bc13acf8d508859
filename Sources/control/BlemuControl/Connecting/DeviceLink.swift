package import BlemuJSON
import Glibc
import Synchronization

/// A connection to a running device that many tasks use at once. Its thread waits for the socket, so that no thread of the
/// tasks does.
package final class DeviceLink: Sendable {
  /// How long a device may take for an answer, on top of the time that it is told to wait. The thread sleeps no longer, so that
  /// it sees each deadline without being woken for it.
  private let patience: Duration
  private let socket: DeviceSocket
  private let alarm = Alarm()
  private let state = Mutex(State())

  private struct State {
    /// The number of the last request.
    var number = 0
    /// Requests that wait for an answer, by their numbers.
    var waiting: [Int: Waiting] = [:]
    /// What the socket could not take yet.
    var unsent: ArraySlice<UInt8> = []
    /// Events that are not yet asked for.
    var events: [JSONValue] = []
    var listener: CheckedContinuation<JSONValue?, any Error>?
    /// Takes what the device asks.
    var onQuestion: (@Sendable (Question) -> Void)?
    /// Takes the notifications `central`.
    var onCentral: (@Sendable (JSONValue?) -> Void)?
    /// Why no further answer comes.
    var end: ControlFailure?
  }

  /// What a device asks that lets this program answer in place of its rules.
  struct Question: Sendable {
    let id: JSONValue
    let parameters: JSONValue
  }

  private struct Waiting {
    var finish: @Sendable (Result<JSONValue, any Error>) -> Void
    var deadline: ContinuousClock.Instant
  }

  /// Further events wait in the device's journal.
  private static let mostEvents = 1000

  /// Connects to the device with this name, or at this socket if there is a `/` in it.
  package static func connect(to name: String, patience: Duration) async throws -> DeviceLink {
    let link = try await onThread { try DeviceLink(to: name, patience) }
    startThread { link.run() }
    return link
  }

  private init(to name: String, _ patience: Duration) throws(ControlFailure) {
    self.patience = patience
    socket = try DeviceSocket.connected(to: name, patience: max(1, Int(patience.components.seconds)))
  }

  /// Ends the connection, and the thread with it.
  package func close() { finish(.ended) }
}

// MARK: Asking

extension DeviceLink {
  /// Asks for something, and waits for the answer.
  ///
  /// - Parameters:
  ///   - parameters: an object.
  ///   - wait: how long the device may wait before it answers.
  package func call(
    _ method: ControlMethod, _ parameters: JSONValue = [:], wait: Duration = .zero
  ) async throws -> JSONValue {
    let number = nextNumber()
    let line = method.request(number: number, parameters)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiting = Waiting(
          finish: { continuation.resume(with: $0) }, deadline: .now + wait + patience)
        if let error = start(waiting, number, line) { continuation.resume(throwing: error) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  /// Asks for something, and does not wait.
  ///
  /// - Parameters:
  ///   - wait: how long the device may wait before it answers.
  ///   - finish: called on the thread of the connection, in the order of answers and notifications.
  package func call(
    _ method: ControlMethod, _ parameters: JSONValue, wait: Duration = .zero,
    _ finish: @escaping @Sendable (Result<JSONValue, any Error>) -> Void
  ) {
    let number = nextNumber()
    let line = method.request(number: number, parameters)
    let waiting = Waiting(finish: finish, deadline: .now + wait + patience)
    if let error = start(waiting, number, line) { finish(.failure(error)) }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.number += 1
      return state.number
    }
  }

  /// Fails a waiting request, and cancels it on the device.
  private func giveUp(_ number: Int) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: number)
      guard waiting != nil, state.end == nil else { return waiting }
      state.number += 1
      // Nobody waits for the answer.
      send(ControlMethod.cancel.request(number: state.number, ["id": .integer(number)]), &state)
      return waiting
    }
    waiting?.finish(.failure(CancellationError()))
  }

  /// Sends a request, unless there is a reason not to, which it returns.
  private func start(_ waiting: Waiting, _ number: Int, _ line: [UInt8]) -> (any Error)? {
    state.withLock { state in
      // A task that is cancelled after this finds the request waiting.
      if Task.isCancelled { return CancellationError() }
      if let end = state.end { return end }
      state.waiting[number] = waiting
      send(line, &state)
      return nil
    }
  }

  private func send(_ line: [UInt8], _ state: inout State) {
    let isFirst = state.unsent.isEmpty
    state.unsent += line
    guard isFirst else { return }
    sendWhatFits(&state)
    if !state.unsent.isEmpty { alarm.ring() }
  }

  private func sendWhatFits(_ state: inout State) {
    while !state.unsent.isEmpty {
      switch socket.send(state.unsent, flags: Int32(MSG_DONTWAIT)) {
      case .passed(let count): state.unsent = state.unsent.dropFirst(count)
      case .none: return
      case .ended: state.unsent = []  // the thread sees it, after what the device has sent before
      }
    }
  }

  /// Lets questions of the device have answers, with ``respond(to:_:)``. Without this they are refused.
  ///
  /// - Parameter take: called on the thread of the connection.
  func onQuestion(_ take: @escaping @Sendable (Question) -> Void) { state.withLock { $0.onQuestion = take } }

  /// Takes what happens to the central that this connection plays.
  ///
  /// - Parameter take: called on the thread of the connection; nil: the connection has ended.
  package func onCentral(_ take: @escaping @Sendable (JSONValue?) -> Void) {
    state.withLock { $0.onCentral = take }
  }

  func respond(to question: Question, _ result: Result<JSONValue, ControlError>) {
    respond(to: question.id, result)
  }

  /// The next event of a watch; nil: the device has ended. One task at a time may ask.
  func nextEvent() async throws -> JSONValue? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if let result = listen(continuation) { continuation.resume(with: result) }
      }
    } onCancel: {
      takeListener()?.resume(throwing: CancellationError())
    }
  }

  private func takeListener() -> CheckedContinuation<JSONValue?, any Error>? {
    state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
  }

  /// Returns what is there already, or lets the continuation wait.
  private func listen(
    _ continuation: CheckedContinuation<JSONValue?, any Error>
  ) -> Result<JSONValue?, any Error>? {
    state.withLock { state in
      if Task.isCancelled { return .failure(CancellationError()) }
      if !state.events.isEmpty {
        if state.events.count == Self.mostEvents { alarm.ring() }
        return .success(state.events.removeFirst())
      }
      if let end = state.end { return end == .ended ? .success(nil) : .failure(end) }
      precondition(state.listener == nil, "one task at a time asks for events")
      state.listener = continuation
      return nil
    }
  }
}

// MARK: The thread

extension DeviceLink {
  private func run() {
    var lines = MessageLines()
    while let interest = state.withLock({ Self.interest($0) }) {
      let isReady = wait(for: interest)
      if isReady { receive(&lines) }
      state.withLock { sendWhatFits(&$0) }
      dropLate()
    }
  }

  /// The events of poll(2) that concern the socket; nil: the connection has ended.
  private static func interest(_ state: State) -> Int32? {
    guard state.end == nil else { return nil }
    return (state.events.count < mostEvents ? POLLIN : 0) | (state.unsent.isEmpty ? 0 : POLLOUT)
  }

  /// Waits for the socket or the alarm, and returns whether the socket has something to receive.
  private func wait(for interest: Int32) -> Bool {
    // Where nothing is of interest, not even the end of the connection is.
    var entries = [
      pollfd(fd: interest == 0 ? -1 : socket.descriptor, events: Int16(interest), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&entries, 2, Int32(clamping: patience.wholeMilliseconds))
    if entries[1].revents != 0 { alarm.reset() }
    return interest & POLLIN != 0 && entries[0].revents & ~Int16(POLLOUT) != 0
  }

  private func receive(_ lines: inout MessageLines) {
    do throws(ControlFailure) {
      switch socket.receive(into: &lines, flags: Int32(MSG_DONTWAIT)) {
      case .passed: while let line = lines.next() { try take(ControlMessage(line: line)) }
      case .none: break
      case .ended: throw .ended
      }
    } catch {
      finish(error)
    }
  }

  private func take(_ message: ControlMessage) throws(ControlFailure) {
    switch message {
    case .response(let number?, let result):
      // Nobody waits for it any longer if the task was cancelled.
      let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
      waiting?.finish(result.mapError(ControlFailure.refused))
    case .response(nil, .failure(let error)): fail(.refused(error)) { _ in true }
    case .response(nil, .success(let result)): throw .notUnderstood(result.line)
    case .notification("event", let event): take(event: event)
    case .notification("central", let event): state.withLock(\.onCentral)?(event)
    case .notification: break
    case .request(let id, let method, let parameters):
      let take = state.withLock(\.onQuestion)
      if method == ControlMethod.question, let take {
        take(Question(id: id, parameters: parameters))
      } else {
        refuse(id, method)
      }
    }
  }

  private func take(event: JSONValue) {
    let listener = state.withLock { state in
      defer { state.listener = nil }
      if state.listener == nil { state.events.append(event) }
      return state.listener
    }
    listener?.resume(returning: event)
  }

  /// Responds that this program has no such method.
  private func refuse(_ id: JSONValue, _ method: String) {
    respond(to: id, .failure(ControlError(.unknownMethod, "there is no method '\(method)'")))
  }

  private func respond(to id: JSONValue, _ result: Result<JSONValue, ControlError>) {
    let outcome: JSONValue.Member =
      switch result {
      case .success(let result): .init(name: "result", value: result)
      case .failure(let error): .init(name: "error", value: error.value)
      }
    let response: JSONValue = .object([
      .init(name: "jsonrpc", value: "2.0"), .init(name: "id", value: id), outcome,
    ])
    state.withLock { send(Array((response.line + "\n").utf8), &$0) }
  }

  private func dropLate() {
    let now = ContinuousClock.now
    fail(.noAnswer) { $0.deadline <= now }
  }

  private func fail(_ failure: ControlFailure, where isConcerned: (Waiting) -> Bool) {
    let failed = state.withLock { state in
      let failed = state.waiting.filter { isConcerned($0.value) }
      for number in failed.keys { state.waiting[number] = nil }
      return failed
    }
    for waiting in failed.values { waiting.finish(.failure(failure)) }
  }

  private func finish(_ failure: ControlFailure) {
    let onCentral = state.withLock { state in
      defer { state.onCentral = nil }
      state.end = state.end ?? failure
      alarm.ring()
      return state.onCentral
    }
    fail(failure) { _ in true }
    onCentral?(nil)
    takeListener()?.resume(with: failure == .ended ? .success(nil) : .failure(failure))
  }
}

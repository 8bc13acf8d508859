import Bluetooth
import EventLoop

/// Requests in order. The server has at most one at a time, as ATT requires (Core Specification, Vol 3 Part F 3.3.2).
@EventLoop
final class RequestQueue {
  typealias Outcome = Result<AttributePDU, GATTClientError>

  @EventLoop
  private final class Request {
    let pdu: AttributePDU
    let outcome = Promise<Outcome>()
    init(_ pdu: AttributePDU) { self.pdu = pdu }
  }

  private let timeLimit: Duration
  private let send: @EventLoop (AttributePDU) -> Void
  private var current: Request?
  private var waiting: [Request] = []
  private var failure: GATTClientError?
  private var timer: EventLoop.Timer?
  /// Whether no PDU was sent after the last request.
  private var isLastSent = false
  /// Whether a response has come, and the task that waits for it has not continued yet.
  private(set) var hasUnreadResponse = false
  /// Called when a response did not come in time; the queue then takes no more requests.
  var onTimeout: (@EventLoop () -> Void)?

  init(timeLimit: Duration, send: @escaping @EventLoop (AttributePDU) -> Void) {
    self.timeLimit = timeLimit
    self.send = send
    timer = EventLoop.Timer { [weak self] in self?.expire() }
  }

  /// Sends a request after the earlier ones, and waits for the response.
  ///
  /// If a request is cancelled after it was sent, the next one still waits for its response.
  func perform(_ pdu: AttributePDU) async throws(GATTClientError) -> AttributePDU {
    if let failure { throw failure }
    if Task.isCancelled { throw .cancelled }
    let request = Request(pdu)
    waiting.append(request)
    sendNext()
    let outcome = await withTaskCancellationHandler {
      await request.outcome.value()
    } onCancel: {
      EventLoop.perform { self.cancel(request) }
    }
    hasUnreadResponse = false
    return try outcome.get()
  }

  /// Completes the pending request; returns false if there is none.
  func take(_ outcome: Outcome) -> Bool {
    guard let request = current else { return false }
    current = nil
    timer?.cancel()
    hasUnreadResponse = !request.outcome.isFulfilled  // nobody waits for it if the request was cancelled
    request.outcome.fulfil(outcome)
    sendNext()
    return true
  }

  /// The opcode of the pending request.
  var opcodeOnItsWay: AttributeOpcode? { current?.pdu.opcode }

  /// Notes that another PDU was sent.
  func overtake() { isLastSent = false }

  /// Whether a response has come after all sent PDUs: a server handles them in order.
  var haveSettledAll: Bool { isLastSent && current == nil }

  /// Fails all present and future requests; the first reason counts.
  func fail(_ error: GATTClientError) {
    guard failure == nil else { return }
    failure = error
    timer?.cancel()
    let requests = (current.map { [$0] } ?? []) + waiting
    current = nil
    waiting = []
    for request in requests { request.outcome.fulfil(.failure(error)) }
  }
}

extension RequestQueue {
  private func sendNext() {
    guard current == nil, !waiting.isEmpty else { return }
    let request = waiting.removeFirst()
    current = request
    isLastSent = true
    timer?.fire(after: timeLimit)
    send(request.pdu)
  }

  private func cancel(_ request: Request) {
    waiting.removeAll { $0 === request }
    request.outcome.fulfil(.failure(.cancelled))
  }

  private func expire() {
    guard let request = current else { return }
    fail(.noResponse(request.pdu.opcode, within: timeLimit))
    onTimeout?()
  }
}

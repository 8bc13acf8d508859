import Bluetooth
import EventLoop

/// Requests in the order in which they are made, of which one at a time is with the server, as ATT wants it
/// (Core Specification, Vol 3 Part F 3.3.2).
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
  /// Whether nothing was sent behind the last request.
  private var isLastSent = false
  /// Called when there was no response in time; the queue takes no more requests.
  var onTimeout: (@EventLoop () -> Void)?

  init(timeLimit: Duration, send: @escaping @EventLoop (AttributePDU) -> Void) {
    self.timeLimit = timeLimit
    self.send = send
    timer = EventLoop.Timer { [weak self] in self?.expire() }
  }

  /// Makes a request when its turn has come, and waits for the response.
  ///
  /// One that is cancelled when it is on its way still holds up the next until its response has come.
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
    return try outcome.get()
  }

  /// Takes what has come for the request that is on its way; false if there is none.
  func take(_ outcome: Outcome) -> Bool {
    guard let request = current else { return false }
    current = nil
    timer?.cancel()
    request.outcome.fulfil(outcome)
    sendNext()
    return true
  }

  /// The opcode of the request that is on its way.
  var opcodeOnItsWay: AttributeOpcode? { current?.pdu.opcode }

  /// Takes note that something else was sent.
  func overtake() { isLastSent = false }

  /// Whether there is a response behind all that was sent: a server handles one thing after the other.
  var haveSettledAll: Bool { isLastSent && current == nil }

  /// Fails what is there and what may follow; the first reason counts.
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

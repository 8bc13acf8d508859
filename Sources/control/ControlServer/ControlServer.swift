import BlemuControl
import DeviceModel
import EventLoop
import BlemuJSON
import Peripheral
import Transcripts

/// The control side of a running device: listens on a Unix socket, and lets programs control, watch and check the device.
///
/// A request enters the device's queue like an event from the air, and is finished before the next.
@EventLoop
package final class ControlServer {
  /// The most programs that can be connected at once.
  static let mostSessions = 100
  /// The most expectations that may wait at once.
  static let mostExpectations = 1000

  private let device: ControlledDevice
  private let control: DeviceControl
  private let socket: ControlSocket
  private var accepting: EventLoop.DescriptorWatch?
  private var retry: EventLoop.Timer?
  private var sessions: [ControlSession] = []
  private var broadcast: JournalBroadcast?
  private var expectations: [WaitingExpectation] = []
  private let history = ExpectationHistory()
  /// Where the expectations of a shell's commands begin.
  private let sharedPlace = ExpectationPlace()
  private var pulls: JournalPulls?
  private let interceptions: Interceptions
  /// Looks at the expectations once the present event is finished.
  private var look: EventLoop.Timer?
  private var isLooking = false

  /// Listens at once.
  ///
  /// - Parameter path: of the socket.
  /// - Throws: ``ControlSocketError``.
  package convenience init(of device: ControlledDevice, at path: String) throws(ControlSocketError) {
    self.init(of: device, try ControlSocket(at: path))
  }

  /// Listens at the socket of a name that was taken for the device.
  package convenience init(of device: ControlledDevice, _ taken: TakenName) throws(ControlSocketError) {
    self.init(of: device, try taken.takeSocket())
  }

  private init(of device: ControlledDevice, _ socket: consuming ControlSocket) {
    self.device = device
    self.socket = socket
    control = DeviceControl(device)
    interceptions = Interceptions(control)
    let peripheral = device.peripheral
    broadcast = JournalBroadcast(device.journal, control.text) { behind in
      peripheral.report(
        .warning(
          "disconnected a subscriber that fell \(behind) events behind", attribute: nil, []))
    }
    pulls = JournalPulls(of: device.journal) { [control] in control.journal($0) }
    look = EventLoop.Timer { [weak self] in self?.follow() }
    device.journal.onEvent = { [weak self] in self?.eventCame() }
    startAccepting()
  }

  /// Ends all connections and removes the socket.
  package func close() {
    device.journal.onEvent = nil
    (accepting, retry) = (nil, nil)
    for session in sessions { session.finish() }
  }
}

// MARK: Sessions

extension ControlServer {
  private func startAccepting() {
    retry = nil
    accepting = EventLoop.DescriptorWatch(socket.descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.accept()
    }
  }

  private func accept() {
    switch socket.accept() {
    case .accepted(let peer): if sessions.count < Self.mostSessions { begin(peer) }
    case .refused, .none: break
    case .unable:
      // The program that waits would wake the loop for ever.
      accepting = nil
      retry = EventLoop.after(.seconds(1)) { [weak self] in self?.startAccepting() }
    }
  }

  private func begin(_ peer: FileDescriptor) {
    sessions.append(
      ControlSession(peer) { [weak self] request, session, reply in
        self?.handle(request, of: session, reply)
      } onAnswer: { [weak self] answer, session in
        self?.interceptions.take(answer, from: session)
      } onEnd: { [weak self] in
        self?.ended($0)
      })
  }

  private func ended(_ session: ControlSession) {
    broadcast?.remove(session)
    pulls?.end(of: session)
    interceptions.end(of: session)
    session.central?.end()
    for waiting in expectations where waiting.session === session { waiting.note(.withdrawn) }
    expectations.removeAll { $0.session === session }
    sessions.removeAll { $0 === session }
  }

  private func handle(_ request: ControlRequest, of session: ControlSession, _ reply: ControlReply) {
    do throws(ControlError) {
      let before = device.journal.last
      switch request.method {
      case .expect: try expect(request.parameters, of: session, reply)
      case .watch:
        reply.succeed(watch(request.parameters, session))
        broadcast?.add(session)
      case .unwatch:
        broadcast?.remove(session)
        reply.succeed([:])
      case .intercept: reply.succeed(try interceptions.add(request.parameters, of: session))
      case .unintercept: reply.succeed(try interceptions.remove(request.parameters, of: session))
      case .cancel: reply.succeed(["cancelled": .boolean(cancel(request.parameters, of: session))])
      case .act: try control.act(request.parameters, reply)
      case .central:
        if session.central == nil {
          session.central = try control.makeCentral { [weak session] in session?.send(line: $0) }
        }
        try session.central?.act(request.parameters, reply)
      case .advance: try control.advance(request.parameters, reply)
      case .stop:
        reply.succeed([:])
        device.stop()
      case .journal: pulls?.take(request.parameters, of: session, reply)
      case .share:
        session.place = sharedPlace
        reply.succeed([:])
      case .expectations:
        for waiting in expectations { waiting.note() }
        reply.succeed(history.json)
      case .describe: reply.succeed(try control.describe())
      case .status: reply.succeed(control.status)
      case .get: reply.succeed(try control.get(request.parameters))
      case .set: reply.succeed(try control.set(request.parameters))
      case .press: reply.succeed(try control.press(request.parameters))
      case .send: reply.succeed(try control.send(request.parameters))
      case .wire: reply.succeed(try control.putIntoWire(request.parameters))
      case .advertise: reply.succeed(try control.advertise(request.parameters))
      case .disconnect: reply.succeed(try control.disconnect(request.parameters))
      case .forget: reply.succeed(try control.forget(request.parameters))
      case .reset: reply.succeed(try control.reset())
      case .faults: reply.succeed(try control.faults(request.parameters))
      }
      if request.method.acts(request.parameters, isScript: session.place === sharedPlace) {
        session.place.move(to: before)
      }
    } catch {
      reply.fail(error)
    }
  }

  /// Ends a request that waits; returns whether there is one.
  private func cancel(_ parameters: JSONValue, of session: ControlSession) -> Bool {
    let id = parameters["id"] ?? .null
    guard let reply = withdraw(id, of: session) ?? pulls?.remove(id, of: session) else { return false }
    reply.fail(ControlError(.givenUp, "cancelled by the program"))
    return true
  }

  private func watch(_ parameters: JSONValue, _ session: ControlSession) -> JSONValue {
    let after = max(parameters["after"]?.wholeNumber ?? 0, device.journal.first - 1)
    let format = parameters["format"]?.text.flatMap(JournalWatch.Format.init) ?? .json
    session.watch = JournalWatch(format: format, last: min(after, device.journal.last))
    return ["first": .integer(min(after, device.journal.last) + 1)]
  }
}

// MARK: Expectations

/// An expectation whose time is not over.
@EventLoop
private final class WaitingExpectation {
  var expectation: JournalExpectation
  let entry: ExpectationHistory.Entry
  let session: ControlSession
  let reply: ControlReply
  var timer: EventLoop.Timer?

  init(
    _ expectation: JournalExpectation, _ entry: ExpectationHistory.Entry, _ session: ControlSession,
    _ reply: ControlReply
  ) {
    (self.expectation, self.entry, self.session, self.reply) = (expectation, entry, session, reply)
  }

  /// Records its progress and its state in the history.
  func note(_ state: ExpectationHistory.State = .waiting) { entry.note(expectation.matches, state) }
}

extension ControlServer {
  private func expect(
    _ parameters: JSONValue, of session: ControlSession, _ reply: ControlReply
  ) throws(ControlError) {
    let expected = try control.expected(parameters, after: session.place.after)
    let entry = history.begin(expected, process: session.process)
    let waiting = WaitingExpectation(JournalExpectation(expected), entry, session, reply)
    if follow(waiting) { return }
    guard expected.time > .zero else { return finish(waiting) }
    guard expectations.count < Self.mostExpectations else {
      let error = ControlError(.notPossible, "\(Self.mostExpectations) expectations are waiting already")
      waiting.note(.failed(error))
      throw error
    }
    expectations.append(waiting)
    waiting.timer = EventLoop.after(expected.time) { [weak self, weak waiting] in
      guard let self, let waiting else { return }
      // What has come in this turn counts.
      guard !follow(waiting) else { return }
      finish(waiting)
    }
  }

  /// Takes out the expectation that waits with this id; nil: there is none.
  private func withdraw(_ id: JSONValue, of session: ControlSession) -> ControlReply? {
    let waiting = expectations.first { $0.session === session && $0.reply.id == id }
    waiting?.timer = nil
    waiting?.note(.withdrawn)
    expectations.removeAll { $0 === waiting }
    return waiting?.reply
  }

  private func eventCame() {
    broadcast?.eventCame()
    pulls?.eventCame()
    guard !expectations.isEmpty, !isLooking else { return }
    isLooking = true
    look?.fire(after: .zero)
  }

  private func follow() {
    isLooking = false
    for waiting in expectations { _ = follow(waiting) }
  }

  /// Compares what has come; returns whether the expectation has ended.
  private func follow(_ waiting: WaitingExpectation) -> Bool {
    guard let verdict = waiting.expectation.follow(device.journal, isTrue: control.isTrue) else {
      return false
    }
    end(waiting, verdict)
    return true
  }

  /// Ends an expectation whose time is over.
  private func finish(_ waiting: WaitingExpectation) {
    end(waiting, waiting.expectation.lastVerdict)
  }

  private func end(_ waiting: WaitingExpectation, _ verdict: JournalExpectation.Verdict?) {
    waiting.timer = nil
    expectations.removeAll { $0 === waiting }
    guard verdict == .met else {
      let report = ExpectationReport(waiting.expectation, device.journal, of: device.definition)
      let error = report.error(verdict, present: device.peripheral.context)
      waiting.note(.failed(error))
      return waiting.reply.fail(error)
    }
    waiting.note(.met)
    waiting.session.place.move(to: waiting.expectation.end)
    waiting.reply.succeed([
      "events": .array(waiting.expectation.matches.map(JSONValue.integer)),
      "after": .integer(waiting.expectation.end),
    ])
  }
}

import EventLoop
import Peripheral

/// Performs the effects of a ``RegistrationStateMachine`` and gives it their outcomes. It decides nothing.
@EventLoop
final class Registrar {
  /// After how long without an answer the machine hears of it, again and again.
  private static let patience = Duration.seconds(25)

  private let client: BlueZClient
  private let scheduler: any Scheduler
  private let clock: any Scheduler
  private let prepare: @EventLoop (RegistrationCall) -> Void
  private let tell: @EventLoop (RegistrationNotice) -> Void
  private var machine = RegistrationStateMachine()
  /// The timer of the present pause.
  private var timer: AnyObject?
  /// Fires when the last call has not been answered for a while.
  private var reminder: AnyObject?
  /// Events that came while the effects of an earlier one were being performed.
  private var events: [RegistrationEvent] = []
  private var isPerforming = false
  /// Why the device cannot go on the air; nil: it is there.
  private var goingOnAir: Promise<TransportError?>?
  private var leaving: Promise<Void>?

  /// - Parameters:
  ///   - scheduler: times pauses.
  ///   - clock: measures how long bluetoothd does not answer.
  ///   - prepare: exports the objects that BlueZ reads during a call.
  ///   - tell: receives the notices about a device that has been on the air, and warnings.
  init(
    _ client: BlueZClient, _ scheduler: any Scheduler, clock: any Scheduler,
    prepare: @escaping @EventLoop (RegistrationCall) -> Void,
    tell: @escaping @EventLoop (RegistrationNotice) -> Void
  ) {
    self.client = client
    self.scheduler = scheduler
    self.clock = clock
    self.prepare = prepare
    self.tell = tell
  }

  var state: RegistrationState { machine.state }

  /// Returns when the device is on the air.
  ///
  /// - Throws: ``TransportError``.
  func goOnAir(_ request: RegistrationRequest) async throws {
    let problem = Promise<TransportError?>()
    goingOnAir = problem
    send(.goOnAir(request))
    if let problem = await problem.value() { throw problem }
  }

  /// Returns when bluetoothd no longer has any object of the device.
  func leave() async {
    let end = Promise<Void>()
    leaving = end
    send(.leave)
    await end.value()
  }

  func send(_ event: RegistrationEvent) {
    events.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !events.isEmpty {
      for effect in machine.handle(events.removeFirst()) { perform(effect) }
    }
  }

  private func perform(_ effect: RegistrationEffect) {
    switch effect {
    case .call(let call, let adapter, of: let bluetoothd, let ticket):
      prepare(call)
      remind(of: ticket)
      EventLoop.start { [self] in
        send(.ended(ticket, await client.perform(call, adapter, of: bluetoothd)))
      }
    case .pause(let duration, let ticket):
      timer = scheduler.schedule(at: scheduler.now.advanced(by: duration)) { [weak self] in
        self?.send(.ended(ticket, .done))
      }
    case .tell(.wentOnAir): goingOnAir?.fulfil(nil)
    case .tell(.cannotGoOnAir(let error)): goingOnAir?.fulfil(error)
    case .tell(.left): leaving?.fulfil()
    case .tell(let notice): tell(notice)
    }
  }

  private func remind(of ticket: Ticket) {
    reminder = clock.schedule(at: clock.now.advanced(by: Self.patience)) { [weak self] in
      guard let self, machine.state.ticket == ticket else { return }
      remind(of: ticket)
      send(.unanswered(ticket))
    }
  }
}

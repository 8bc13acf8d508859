import EventLoop
import Peripheral

/// Performs what a ``RegistrationStateMachine`` wants, and hands it what comes of it. It decides nothing.
@EventLoop
final class Registrar {
  private let client: BlueZClient
  private let scheduler: any Scheduler
  private let prepare: @EventLoop (RegistrationCall) -> Void
  private let tell: @EventLoop (RegistrationNotice) -> Void
  private var machine = RegistrationStateMachine()
  /// Of the pause under way.
  private var timer: AnyObject?
  /// Events that came while the effects of one before were performed.
  private var events: [RegistrationEvent] = []
  private var isPerforming = false

  /// - Parameters:
  ///   - prepare: exports what a call will have BlueZ read.
  ///   - tell: is told what the host has to know.
  init(
    _ client: BlueZClient, _ scheduler: any Scheduler,
    prepare: @escaping @EventLoop (RegistrationCall) -> Void,
    tell: @escaping @EventLoop (RegistrationNotice) -> Void
  ) {
    self.client = client
    self.scheduler = scheduler
    self.prepare = prepare
    self.tell = tell
  }

  var state: RegistrationState { machine.state }

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
      Task { @EventLoop in
        send(.ended(ticket, await client.perform(call, adapter, of: bluetoothd)))
      }
    case .pause(let duration, let ticket):
      timer = scheduler.schedule(at: scheduler.now.advanced(by: duration)) { [weak self] in
        self?.send(.ended(ticket, .done))
      }
    case .tell(let notice): tell(notice)
    }
  }
}

import Behavior
import EventLoop
import Framing

/// Something that happens to a device.
enum Occurrence {
  case event(Event, Responder?)
  case timer(TimerIdentifier, AnyObject)
  /// Values have piled up in the transport, or have left it.
  case congestion(Bool, of: Endpoint)
}

extension Pipeline {
  func congestionChanged(_ isCongested: Bool, of place: Endpoint) {
    enter(.congestion(isCongested, of: place))
  }

  /// Handles an occurrence, or lets it wait for the current one.
  func enter(_ occurrence: Occurrence) {
    guard !isBusy else { return waiting.append(occurrence) }
    isBusy = true
    handle(occurrence)
    while let next = waiting.popFirst() { handle(next) }
    waiting = []  // an empty slice would keep its memory
    isBusy = false
    wire.open()
  }

  private func handle(_ occurrence: Occurrence) {
    switch occurrence {
    case .event(let event, let respond): handle(event, respond)
    case .congestion(let isCongested, let place): wire.congestionChanged(isCongested, of: place)
    case .timer(let identifier, let timer):
      guard timers[identifier] === timer else { return }  // stopped or restarted in the meantime
      timers[identifier] = nil
      if case .address = identifier, transport.isPairing {
        return startTimer(identifier, at: scheduler.now.advanced(by: Self.patience))
      }
      handle(.timerFired(identifier), nil)
    }
  }

  /// How long a change of the address waits before it looks again whether a central is still pairing.
  private static let patience = Duration.seconds(1)

  func startTimer(_ identifier: TimerIdentifier, at instant: Instant) {
    timers[identifier] = scheduler.schedule(at: instant) { [weak self] in
      guard let self, let timer = timers[identifier] else { return }
      // Bytes that arrived before the deadline may still wait here. They end the silence and restart the timer.
      wire.catchUp()
      enter(.timer(identifier, timer))
    }
  }
}

import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Performs the answers of interceptors.
extension InterceptionStage {
  func give(
    _ answer: Intervention.Answer, to arrival: Arrival, _ interceptor: Int, on lane: InterceptionLane
  ) {
    switch arrival.subject {
    case .event(.readRequested(let central, let attribute, let offset), let respond):
      reads[lane.central] = (attribute, answer.bytes)
      let event = Event.readRequested(central, attribute, offset: offset)
      let response = Response(answer.bytes, from: offset)
      intervene(.respond(to: event, with: response, by: interceptor), respond)
    case .event(let event, let respond):
      intervene(
        .respond(to: event, with: .accepted, answer.bytes.isEmpty ? nil : answer, by: interceptor), respond)
    case .frame(let key, _): intervene(.take(key, answer.bytes.isEmpty ? nil : answer, by: interceptor))
    }
  }

  func intervene(_ intervention: Intervention, _ respond: Responder? = nil) {
    pipeline.receive(.intervention(intervention), respond: respond)
  }

  /// The only central that gets an answer; nil: the transport can only send to all subscribers, as rules do.
  func recipient(_ central: Central?, at place: Endpoint) -> Central? {
    guard let central, case .characteristic(let index) = place, device.reaches(central, from: index) else {
      return nil
    }
    return central
  }

  func refuse(
    _ arrival: Arrival, _ error: ATTError, _ event: TrafficEvent.Kind, _ interceptor: Interceptor
  ) {
    let words = "refused \(event.interceptedWords) with \(error.name)"
    switch arrival.subject {
    case .event(let event, let respond):
      intervene(.respond(to: event, with: .refused(error), by: interceptor.number), respond)
      // A write command, or a write that BlueZ passes on through a socket.
      guard !arrival.isRequest else { return }
      warn(
        interceptor, "\(words): the central does not learn it, since this write has no response",
        ends: true)
    case .frame(let key, _):
      warn(
        interceptor, "\(words): the central does not learn it, since its writes have been answered",
        ends: true)
      intervene(.take(key))
    }
  }

  /// Lets the rules handle it.
  func pass(_ arrival: Arrival, on lane: InterceptionLane) {
    switch arrival.subject {
    case .event(let event, let respond):
      if case .readRequested(_, let attribute, 0) = event { reads[lane.central] = (attribute, nil) }
      if case .writeRequested(let central, .characteristic(let index), let value, _, _) = event {
        let key = StreamKey(central: central, endpoint: .characteristic(index))
        passed = pipeline.withEngine { $0.message(in: value, on: key) }.map { (key, $0) }
      }
      pipeline.receive(event, respond: respond)
    case .frame(let key, _): intervene(.pass(key))
    }
  }
}

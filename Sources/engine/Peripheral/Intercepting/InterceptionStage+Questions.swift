import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Questions to interceptors, and their answers.
extension InterceptionStage {
  /// Asks the first interceptor after a number that wants one of these events. If there is none, the rules handle it.
  func ask(
    about arrival: Arrival, _ events: [InterceptedEvent], on lane: InterceptionLane, after number: Int = 0
  ) {
    for interceptor in interceptors where interceptor.number > number {
      guard let event = events.first(where: interceptor.takes) else { continue }
      // Not about a central that is being turned away or has disconnected.
      guard !lane.isLeaving, lane.central.map(device.centrals.contains) ?? true else { break }
      let time = time(for: arrival, interceptor)
      if let problem = problem(asking: time) {
        warn(interceptor, "is not asked about \(event.kind.interceptedWords): \(problem)")
        break
      }
      let question = InterceptorQuestion(
        event.kind, to: interceptor, at: arrival.answers(in: definition), within: time, scheduler
      ) { [weak self] answer in
        lane.question = nil
        self?.answered(answer, interceptor, arrival, events, event.kind, on: lane)
        self?.drain(lane)
      }
      lane.question = question
      return interceptor.ask(question)
    }
    pass(arrival, on: lane)
  }

  private func time(for arrival: Arrival, _ interceptor: Interceptor) -> Duration {
    let rest = scheduler.now.duration(to: arrival.time.advanced(by: patience))
    return arrival.isRequest ? min(interceptor.time, rest) : interceptor.time
  }

  /// The reason why no question is possible; nil: one is.
  private func problem(asking time: Duration) -> String? {
    if time <= .zero { return "the central has waited for \(patience.inSeconds) s" }
    let count = lanes.values.count { $0.question != nil }
    return count < Self.mostQuestions ? nil : "\(count) questions are open"
  }

  private func answered(
    _ answer: InterceptorAnswer, _ interceptor: Interceptor, _ arrival: Arrival, _ events: [InterceptedEvent],
    _ event: TrafficEvent.Kind, on lane: InterceptionLane
  ) {
    if isObsolete(arrival) {
      warn(
        interceptor, "was asked about \(event.interceptedWords), and the device has been reset since",
        ends: true)
      return drop(arrival)
    }
    switch answer {
    case .failed(let reason):
      warn(interceptor, reason)
      ask(about: arrival, events, on: lane, after: interceptor.number)
    case .goesOn: ask(about: arrival, events, on: lane, after: interceptor.number)
    case .value(let bytes, let message, let place):
      let answer = Intervention.Answer(
        bytes, from: place, message: message, to: recipient(lane.central, at: place))
      give(answer, to: arrival, interceptor.number, on: lane)
    case .refused(let error): refuse(arrival, error, event, interceptor)
    }
  }

  /// - Parameter ends: whether the answer stands; otherwise the rules handle the event.
  func warn(_ interceptor: Interceptor, _ problem: String, ends: Bool = false) {
    device.warn("\(interceptor.name) \(problem)\(ends ? "" : "; the rules go on")\(interceptor.note)")
  }
}

import Behavior
import DeviceModel
import EventLoop

/// Passes the traffic of a device to its sinks, in the order in which it passes the device.
///
/// What a fault does to a value comes after the value. The decoded form of what is sent next waits until it is known whether a fault
/// strikes any of that.
@EventLoop
final class TrafficReporter {
  let names: TrafficNames
  /// Whether any sink takes ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``.
  let takesFrames: Bool
  /// The last sink gets each event itself, the others get copies.
  private let last: (any TrafficSink)?
  private let others: [any TrafficSink]
  private let scheduler: any Scheduler
  /// The value that a place has received, while nothing has been reported since.
  private var latest: (key: StreamKey, value: [UInt8])?
  /// Whether a fault has changed or held the value of the event that is being handled.
  var takesStruckValue = false
  private var isSending = false
  /// Whether a fault strikes the value that is being sent, and whether one has struck any part of the present action.
  private var isStruck = false
  private var hasStruck = false
  // Both lists are short, and replaced rather than changed: then Swift need not check each access to them.
  /// What faults have done while a value was being sent.
  private var strikes: [TrafficEvent.Kind] = []
  /// The decoded form of what is sent next, and what comes after it.
  private var held: [TrafficEvent.Kind] = []

  init(_ definition: PeripheralDefinition, to sinks: [any TrafficSink], _ scheduler: any Scheduler) {
    names = TrafficNames(definition)
    takesFrames = sinks.contains(where: \.takesFrames)
    (last, others) = (sinks.last, sinks.dropLast())
    self.scheduler = scheduler
  }

  /// Passes an event to the sinks, or lets it wait for the decoded form before it.
  func report(_ kind: @autoclosure () -> TrafficEvent.Kind) {
    if last != nil { take(kind()) }
  }

  private func take(_ kind: consuming TrafficEvent.Kind) {
    if held.isEmpty { pass(kind) } else { held = held + [kind] }
  }

  private func pass(_ kind: consuming TrafficEvent.Kind) {
    latest = nil
    let event = TrafficEvent(time: scheduler.now, kind: kind)
    for sink in others { sink.take(event) }
    last?.take(event)
  }
}

// MARK: What the device receives

extension TrafficReporter {
  /// Reports an event of the device.
  func report(_ event: Event, _ response: Response?) {
    guard last != nil, let kind = TrafficEvent.Kind.of(event, response, in: names) else { return }
    takeReceived(kind)
    guard takesFrames else { return }
    switch event {
    case .writeRequested(let central, .characteristic(let index), let value, _, _)
    where response?.error == nil:
      latest = (StreamKey(central: central, endpoint: .characteristic(index)), value)
    case .wireReceived(let bytes, _): latest = (StreamKey(endpoint: .wire), bytes)
    default: break
    }
  }

  private func takeReceived(_ kind: consuming TrafficEvent.Kind) {
    take(takesStruckValue ? .oneSided(.device, kind) : kind)
  }
}

// MARK: Remarks of the engine

extension TrafficReporter {
  var isHolding: Bool { !held.isEmpty }

  func tell(_ remark: Remark) {
    switch remark {
    case .frame(let endpoint, let central, let bytes) where isLatest(bytes, endpoint, central): break
    case .frame, .plain(_, _, isSent: false): takeReceived(TrafficEvent.Kind(remark, in: names))
    case .plain:
      if isHolding { reportHeld() }
      (held, hasStruck, latest) = ([TrafficEvent.Kind(remark, in: names)], false, nil)
    default: report(TrafficEvent.Kind(remark, in: names))
    }
  }

  /// Whether a frame is just the value that the sinks have got last: then it is no event of its own.
  private func isLatest(_ frame: [UInt8], _ endpoint: Endpoint, _ central: Central?) -> Bool {
    guard let latest else { return false }
    return latest.key.endpoint == endpoint && latest.key.central == central && latest.value == frame
  }

  /// Reports the decoded form of what has been sent, and then what has waited for it.
  func reportHeld() {
    let waiting = held
    held = []
    reportWhole(waiting[0])
    for event in waiting.dropFirst() { report(event) }
  }
}

// MARK: What the device sends

extension TrafficReporter {
  func beginSending() { (isSending, hasStruck) = (true, false) }

  func endSending() {
    reportStrikes()
    isSending = false
  }

  /// Reports a value that has left the device. If no fault strikes it, others get the same.
  func reportSent(_ event: @autoclosure () -> TrafficEvent.Kind) {
    report(isStruck ? .oneSided(.device, event()) : event())
  }

  /// Reports something that the values of the present action are together.
  func reportWhole(_ event: TrafficEvent.Kind) {
    report(hasStruck ? .oneSided(.device, event) : event)
  }

  /// A fault strikes the value that is being sent, or lets it wait.
  func struckSentValue() { isStruck = true }

  /// Reports what a fault has done.
  func struck(_ event: TrafficEvent.Kind) {
    if isSending { strikes = strikes + [event] } else { report(event) }
  }

  /// Reports what faults have done to a value, after it.
  func reportStrikes() {
    if isStruck { (isStruck, hasStruck) = (false, true) }
    guard !strikes.isEmpty else { return }
    let events = strikes
    strikes = []
    for event in events { report(event) }
  }
}

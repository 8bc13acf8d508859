import Behavior
import DeviceModel
import EventLoop
import Peripheral

/// A fault that tells the device late, or never, that a central has confirmed an indication. The next value of the
/// characteristic waits until then, because a device sends one indication at a time.
@EventLoop
final class ConfirmationFault: RunningFault {
  /// The indications of a characteristic.
  private struct Queue {
    var waiting: ArraySlice<PassingValue> = []
    /// Whether one has been sent whose confirmation the device does not know.
    var isAwaiting = false
    var timer: AnyObject?
  }

  private var queues: [Int: Queue] = [:]

  override func concerns(_ stream: FaultStream) -> Bool {
    guard case .characteristic(let index) = stream.endpoint, stream.direction == .out else { return false }
    let properties = stage.definition.characteristics[index].properties
    return gate.concerns(stream) && properties.contains(.indicate) && !properties.contains(.notify)
  }

  override func take(_ value: PassingValue) {
    guard case .characteristic(let index) = value.stream.endpoint, !isSpent || queues[index] != nil else {
      return passOn(value)
    }
    queues[index, default: Queue()].waiting.append(value)
    if queues[index]?.isAwaiting == false { sendNext(of: index) }
  }

  override func confirmed(_ characteristic: Int) {
    guard queues[characteristic]?.isAwaiting == true, queues[characteristic]?.timer == nil else { return }
    let stream = FaultStream(endpoint: .characteristic(characteristic), direction: .out)
    guard gate.judge(candidate([], in: stream)) != nil, case .confirm(let lateness) = kind else {
      return sendNext(of: characteristic)
    }
    strike(in: stream)
    guard let lateness else { return }
    queues[characteristic]?.timer = stage.scheduler.schedule(at: stage.now.advanced(by: lateness)) {
      [weak self] in self?.sendNext(of: characteristic)
    }
  }

  private func sendNext(of characteristic: Int) {
    queues[characteristic]?.timer = nil
    let next = queues[characteristic]?.waiting.popFirst()
    queues[characteristic]?.isAwaiting = next != nil
    if let next { passOn(next) }
  }

  override func disconnected(_ central: Central) { queues = [:] }

  override func end() {
    let ended = queues
    queues = [:]
    for queue in ended.values { queue.waiting.forEach(passOn) }
  }

  override func backlog(of characteristic: Int) -> Int { queues[characteristic]?.waiting.count ?? 0 }
}

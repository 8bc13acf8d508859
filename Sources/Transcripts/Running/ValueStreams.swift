import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Puts the values that a central receives into the inbox. Values of a characteristic with a framing are first joined to
/// frames.
@EventLoop
package final class ValueStreams {
  private let inbox: Inbox
  private let scheduler: any Scheduler
  private var framers: [Int: Framer] = [:]
  private var timers: [Int: AnyObject] = [:]

  package init(_ definition: PeripheralDefinition, _ inbox: Inbox, _ scheduler: any Scheduler) {
    self.inbox = inbox
    self.scheduler = scheduler
    for (index, characteristic) in definition.characteristics.enumerated() {
      framers[index] = characteristic.sentFraming.map { Framer($0) }
    }
  }

  /// Takes the value of one notification or indication.
  package func take(_ value: [UInt8], from characteristic: Int) {
    guard let outputs = framers[characteristic]?.append(value, at: scheduler.now) else {
      return deliver(value, from: characteristic)
    }
    take(outputs, from: characteristic)
  }

  /// The bytes that are no whole frame so far, by characteristic.
  package var unfinished: [(characteristic: Int, bytes: [UInt8])] {
    framers.keys.sorted().compactMap { index in
      guard let bytes = framers[index]?.pending, !bytes.isEmpty else { return nil }
      return (index, bytes)
    }
  }

  /// Delivers incomplete frames after the end of the connection.
  package func end() {
    timers = [:]
    for characteristic in framers.keys.sorted() {
      take(framers[characteristic]?.finish() ?? [], from: characteristic)
    }
  }

  /// Delivers frames, and also bytes outside any frame, so that nothing is lost.
  private func take(_ outputs: [FramerOutput], from characteristic: Int) {
    for output in outputs {
      switch output {
      case .frame(let bytes), .discarded(let bytes, _): deliver(bytes, from: characteristic)
      }
    }
    timers[characteristic] = framers[characteristic]?.deadline.map { deadline in
      scheduler.schedule(at: deadline) { [weak self] in self?.expire(characteristic) }
    }
  }

  private func expire(_ characteristic: Int) {
    take(framers[characteristic]?.expire(at: scheduler.now) ?? [], from: characteristic)
  }

  private func deliver(_ bytes: [UInt8], from characteristic: Int) {
    inbox.append(Arrival(at: scheduler.now, from: .characteristic(characteristic), bytes))
  }
}

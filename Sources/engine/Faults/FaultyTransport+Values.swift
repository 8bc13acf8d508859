import Behavior
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Values to centrals.
extension FaultyTransport: TransportValues {
  package var values: any TransportValues { self }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    let stream = FaultStream(endpoint: .characteristic(characteristic), direction: .out)
    guard !stage.isEmpty, stage.concerns(stream) || stage.isSilent,
      innerValues.maximumValue(of: characteristic, to: recipients) != nil
    else {
      return innerValues.send(value, from: characteristic, to: recipients)
    }
    let course = stage.courseOut()
    stage.pass(
      PassingValue(Array(value), in: stream, course) { [weak self] bytes in
        course.outcome = self?.deliver(bytes, course, from: characteristic, to: recipients)
      })
    return course.outcome ?? likelyOutcome(of: characteristic)
  }

  /// Sends the result of a value. Merged values may be longer than the links carry.
  private func deliver(
    _ bytes: [UInt8], _ course: ValueCourse, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome? {
    guard !stage.isSilent else {
      course.strike()
      return nil
    }
    let id = stage.definition.characteristics[characteristic].id
    let limit = innerValues.maximumValue(of: characteristic, to: recipients) ?? bytes.count
    var outcome: SendOutcome?
    for piece in Chunker(bytes, size: max(1, limit)) {
      outcome = innerValues.send(piece, from: characteristic, to: recipients)
      switch outcome {
      case .notified where course.isStruck: stage.tell(.oneSided(.peer, .notify(id, Array(piece))))
      case .indicated where course.isStruck: stage.tell(.oneSided(.peer, .indicate(id, Array(piece))))
      default: break
      }
    }
    return outcome
  }

  /// A value that waits or is lost counts as sent for the device.
  private func likelyOutcome(of characteristic: Int) -> SendOutcome {
    stage.definition.characteristics[characteristic].properties.contains(.notify) ? .notified : .indicated
  }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    innerValues.maximumValue(of: characteristic, to: recipients)
  }

  package func canAddress(_ central: Central, from characteristic: Int) -> Bool {
    innerValues.canAddress(central, from: characteristic)
  }

  package func sendJoinedValues() { innerValues.sendJoinedValues() }
}

import Behavior
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Values to centrals.
extension FaultyTransport {
  /// The result for a value so far.
  @EventLoop
  private final class Sending {
    /// nil: it waits or is lost.
    var outcome: SendOutcome?
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    let stream = FaultStream(endpoint: .characteristic(characteristic), direction: .out)
    guard !stage.isEmpty, stage.concerns(stream) || stage.isSilent,
      inner.maximumValue(of: characteristic, to: recipients) != nil
    else {
      return inner.send(value, from: characteristic, to: recipients)
    }
    let sending = Sending()
    stage.pass(
      PassingValue(Array(value), in: stream) { [weak self] bytes in
        sending.outcome = self?.deliver(bytes, from: characteristic, to: recipients)
      })
    return sending.outcome ?? likelyOutcome(of: characteristic)
  }

  /// Sends the result of a value. Merged values may be longer than the links carry.
  private func deliver(
    _ bytes: [UInt8], from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome? {
    guard !stage.isSilent else { return nil }
    let limit = inner.maximumValue(of: characteristic, to: recipients) ?? bytes.count
    var outcome: SendOutcome?
    for piece in Chunker(bytes, size: max(1, limit)) {
      outcome = inner.send(piece, from: characteristic, to: recipients)
    }
    return outcome
  }

  /// A value that waits or is lost counts as sent for the device.
  private func likelyOutcome(of characteristic: Int) -> SendOutcome {
    stage.definition.characteristics[characteristic].properties.contains(.notify) ? .notified : .indicated
  }
}

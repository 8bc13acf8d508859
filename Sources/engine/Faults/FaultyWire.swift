import Behavior
import EventLoop
import Framing
import Peripheral

/// An attachment of the wire side around another that applies the faults of a stage to its bytes.
@EventLoop
package final class FaultyWire: WireAttachment {
  package weak var host: (any WireHost)?
  private let inner: any WireAttachment
  private let stage: FaultStage

  package init(_ inner: any WireAttachment, _ stage: FaultStage) {
    (self.inner, self.stage) = (inner, stage)
    inner.host = self
  }

  package var label: String { inner.label }

  package var isReading: Bool {
    get { inner.isReading }
    set { inner.isReading = newValue }
  }

  package func start() { inner.start() }

  package func write(_ bytes: [UInt8]) {
    let stream = FaultStream(endpoint: .wire, direction: .out)
    guard !stage.isEmpty, stage.concerns(stream) else { return inner.write(bytes) }
    let course = stage.courseOut()
    stage.pass(
      PassingValue(bytes, in: stream, course) { [inner, stage] in
        inner.write($0)
        if course.isStruck { stage.tell(.oneSided(.peer, .wireOut($0))) }
      })
  }

  package func changeSpeed(to baud: Int) { inner.changeSpeed(to: baud) }

  package func catchUp() { inner.catchUp() }

  package var backlog: Int { inner.backlog }

  package func discard() -> Int { inner.discard() }

  package func close() async { await inner.close() }
}

extension FaultyWire: WireHost {
  package func receiveFromWire(_ bytes: [UInt8]) {
    let stream = FaultStream(endpoint: .wire, direction: .into)
    guard !stage.isEmpty, stage.concerns(stream) else { return receiveAnyway(bytes) }
    let course = stage.courseIn(.wireIn(bytes))
    stage.pass(
      PassingValue(bytes, in: stream, course) { [weak self, stage] in
        guard course.isStruck else { return self?.receiveAnyway($0) ?? () }
        stage.transport?.host?.receive(struck: .wireReceived($0), respond: nil)
      })
  }

  private func receiveAnyway(_ bytes: [UInt8]) { host?.receiveFromWire(bytes) }

  /// Bytes that meet a fault arrive when it lets them pass.
  package func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    guard !stage.isEmpty, stage.concerns(FaultStream(endpoint: .wire, direction: .into)) else {
      host?.receiveFromWire(bytes, during: times)
      return
    }
    receiveFromWire(bytes)
  }

  package func warn(_ message: String) { host?.warn(message) }

  package func report(_ event: WireEvent) { host?.report(event) }

  package func wireTookBytes() { host?.wireTookBytes() }
}

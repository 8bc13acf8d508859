import DeviceModel
import EventLoop
import Framing
import Peripheral

/// The wire side of a device on a test bed: what is put in waits until the device reads, what comes out arrives.
@EventLoop
package final class TestBedWire: WireAttachment {
  package let label = "transcript"
  package weak var host: (any WireHost)?
  private var waiting: [[UInt8]] = []
  private let inbox: Inbox
  private let now: () -> Instant

  package init(_ inbox: Inbox, now: @escaping () -> Instant) {
    self.inbox = inbox
    self.now = now
  }

  package var isReading = true {
    didSet { deliver() }
  }

  package func put(_ bytes: [UInt8]) {
    waiting.append(bytes)
    deliver()
  }

  private func deliver() {
    while isReading, !waiting.isEmpty { host?.receiveFromWire(waiting.removeFirst()) }
  }

  /// What the device gets: this wire, perhaps behind a line with the speed of the device's UART.
  package func attachment(
    isPaced: Bool, for definition: PeripheralDefinition, on transport: any Transport,
    _ scheduler: any Scheduler
  ) -> any WireAttachment {
    guard isPaced else { return self }
    // The device tells its speed before it reads.
    let baud = definition.wire.baud.map { _ in WireDefinition.baudRates.lowerBound }
    return PacedWire(self, baud: baud, for: definition, on: transport, scheduler: scheduler)
  }

  package func write(_ bytes: [UInt8]) { inbox.append(Arrival(at: now(), from: .wire, bytes)) }

  package func discard() -> Int {
    defer { waiting = [] }
    return waiting.reduce(0) { $0 + $1.count }
  }

  package func close() { waiting = [] }
}

import DeviceModel
import EventLoop
import Framing
import Loopback
import Peripheral
import Transcripts

extension LoopbackWire {
  /// The wire for the device: this one, or one that limits it to the speed of the device's UART.
  package func attachment(
    isPaced: Bool, for definition: PeripheralDefinition, on transport: any Transport,
    _ scheduler: any Scheduler
  ) -> any WireAttachment {
    guard isPaced else { return self }
    // The device tells its speed before it reads.
    let baud = definition.wire.baud.map { _ in WireDefinition.baudRates.lowerBound }
    return PacedWire(self, baud: baud, for: definition, on: transport, scheduler: scheduler)
  }
}

import DeviceModel
import EventLoop
import Exact
import Loopback
import Peripheral

/// The transport of a device that starts, with its clock.
@EventLoop
package struct DeviceTransport {
  package let transport: any Transport
  package let scheduler: any Scheduler
  /// The transport itself where it has no radio, so that programs can play its centrals; nil on a radio.
  package let memory: LoopbackTransport?
  /// Lays out the packets that a device in memory would send; nil: the transport does.
  package let packetLimits: (any TransportLimits)?

  /// A transport with a radio.
  init(_ transport: any Transport) {
    (self.transport, scheduler, memory, packetLimits) = (transport, EventLoopScheduler(), nil, nil)
  }

  private init(_ memory: LoopbackTransport, _ scheduler: AdvancingScheduler) {
    (transport, self.scheduler, self.memory, packetLimits) = (memory, scheduler, memory, ExactLimits())
  }

  /// Without a radio. Only the clock of a device in memory can be advanced.
  ///
  /// - Parameter holdsClock: whether its clock moves only when it is advanced.
  static func inMemory(holdsClock: Bool) -> Self {
    let scheduler = AdvancingScheduler(isHeld: holdsClock)
    return Self(LoopbackTransport(scheduler: scheduler), scheduler)
  }
}

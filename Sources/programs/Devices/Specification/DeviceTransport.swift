import DeviceModel
import EventLoop
import Exact
import Loopback
import Peripheral

/// What is special about the time of a device in memory.
package struct MemoryTime: OptionSet, Sendable {
  /// Its clock moves only when it is advanced.
  package static let heldClock = MemoryTime(rawValue: 1)
  /// Values wait for the connection events of their link.
  package static let links = MemoryTime(rawValue: 2)

  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }
}

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
  /// - Parameter time: what is special about its time.
  static func inMemory(_ time: MemoryTime) -> Self {
    let scheduler = AdvancingScheduler(isHeld: time.contains(.heldClock))
    return Self(
      LoopbackTransport(scheduler: scheduler, linksTakeTime: time.contains(.links)), scheduler)
  }
}

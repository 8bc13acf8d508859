import BlueZ
import BlueZLimits
import Bluetooth
import DeviceModel
import EventLoop
import Exact
import Kernel
import Loopback
import Peripheral
import Transcripts

/// The value of `--on`: a transport and its adapter. A new transport is a case here and a target.
package enum TransportSpecification: Hashable, Sendable {
  /// An adapter of BlueZ.
  case bluez(AdapterChoice)
  /// An adapter that blemu takes from the kernel, with blemu's own host and GATT server.
  case exact(AdapterChoice)
  /// A controller outside the kernel, with blemu's own host and GATT server.
  case controller(ControllerPlace)
  /// In memory, without a radio.
  case loopback

  /// The limits of the transport.
  package var limits: any TransportLimits {
    switch self {
    case .bluez: BlueZLimits { .installed }
    case .exact, .controller: ExactLimits()
    case .loopback: NoLimits()
    }
  }

  /// Makes the transport.
  ///
  /// - Parameters:
  ///   - endsOtherUse: whether the device takes its adapter although other programs use it, with `exact`.
  ///   - time: what is special about its time, with `loopback`.
  @EventLoop
  package func make(endsOtherUse: Bool = false, time: MemoryTime = []) -> DeviceTransport {
    switch self {
    case .bluez(let adapter): DeviceTransport(BlueZTransport(adapter))
    case .exact(let adapter): DeviceTransport(HostTransport(adapter, endsOtherUse: endsOtherUse))
    case .controller(let place): DeviceTransport(HostTransport(place))
    case .loopback: DeviceTransport.inMemory(time)
    }
  }

  /// The limits of a device in memory: those of BlueZ if it can serve the definition, so that a conversation is the same
  /// in memory and on the air.
  package static func limitsInMemory(of definition: PeripheralDefinition) -> any TransportLimits {
    let bluez = BlueZLimits()
    let hasErrors = bluez.check(definition).contains { $0.severity == .error }
    let table = try? definition.attributes(in: definition.initialContext)
    let isRefused = table.map { bluez.problem(with: $0, of: definition) != nil } ?? false
    return hasErrors || isRefused ? NoLimits() : ImitatedLimits(of: bluez)
  }

  /// Whether it is on an adapter of the kernel.
  package var isOnAdapter: Bool {
    switch self {
    case .bluez, .exact: true
    case .controller, .loopback: false
    }
  }

  /// Whether it needs the capabilities to manage adapters.
  package var isExact: Bool { if case .exact = self { true } else { false } }
}

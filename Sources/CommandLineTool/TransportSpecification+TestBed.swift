import BlueZ
import Bluetooth
import Devices
import EventLoop
import Exact
import TestBeds
import Transcripts

/// The test bed of a transport.
extension TransportSpecification {
  /// Makes the test bed for transcripts.
  ///
  /// - Parameters:
  ///   - central: the adapter of the central; nil if the transport has no radio.
  ///   - endsOtherUse: whether the device takes its adapter although other programs use it, with `exact`.
  @EventLoop
  func makeTestBed(central: AdapterChoice?, endsOtherUse: Bool = false) -> any TestBed {
    switch self {
    case .bluez(let adapter):
      AirTestBed(
        AirTestBed.Radio(
          makeTransport: { BlueZTransport(adapter) },
          controller: { try await BlueZAdapters.controller(of: $0) }),
        central: central ?? .first)
    case .exact(let adapter):
      AirTestBed(
        AirTestBed.Radio(
          makeTransport: { HostTransport(adapter, endsOtherUse: endsOtherUse) },
          controller: { try HostTransport.controller(of: $0) }),
        central: central ?? .first)
    case .controller: preconditionFailure("TestCommand refuses it")
    case .loopback: LoopbackTestBed { Self.limitsInMemory(of: $0) }
    }
  }
}

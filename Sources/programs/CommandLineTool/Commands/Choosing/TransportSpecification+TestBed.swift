import BlueZ
import Bluetooth
import Devices
import EventLoop
import Exact
import Peripheral
import TestBeds
import Transcripts

/// The test bed of a transport.
extension TransportSpecification {
  /// Makes the test bed for transcripts.
  ///
  /// - Parameters:
  ///   - central: where the central is; nil if the transport has no radio.
  ///   - endsOtherUse: whether device and central take an adapter although other programs use it, with `exact`.
  @EventLoop
  func makeTestBed(central: Self?, endsOtherUse: Bool = false) -> any TestBed {
    guard let central = central?.makeCentral(endsOtherUse: endsOtherUse) else {
      return LoopbackTestBed()
    }
    return AirTestBed(central: central) { makeRadioTransport(endsOtherUse: endsOtherUse) }
  }

  @EventLoop
  private func makeRadioTransport(endsOtherUse: Bool) -> any RadioTransport {
    switch self {
    case .bluez(let adapter): BlueZTransport(adapter)
    case .exact(let adapter): HostTransport(adapter, endsOtherUse: endsOtherUse)
    case .controller(let place): HostTransport(place)
    case .loopback: preconditionFailure("a device in memory has no central on the air")
    }
  }

  @EventLoop
  private func makeCentral(endsOtherUse: Bool) -> any AirCentral {
    switch self {
    case .bluez(let adapter): KernelCentral(adapter) { try await BlueZAdapters.controller(of: $0) }
    case .exact, .controller: HostCentral(makeCentralSeat(endsOtherUse: endsOtherUse))
    case .loopback: preconditionFailure("a central in memory has no adapter")
    }
  }
}

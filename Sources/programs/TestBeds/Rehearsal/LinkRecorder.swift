import AttributeServer
import Behavior
import Bluetooth
import Captures
import DeviceModel
import EventLoop
import Framing
import HCIPackets
import Peripheral

/// Keeps what is said on the links of a device in memory, one after the other, as a recording has it.
@EventLoop
final class LinkRecorder: AirRecorder {
  private(set) var connections: [CapturedConnection] = []
  private let now: @EventLoop () -> Instant

  init(now: @escaping @EventLoop () -> Instant) { self.now = now }

  func connected(_ central: LinkAddress, _ parameters: ConnectionParameters?) {
    connections.append(CapturedConnection(central: central, start: now()))
  }

  func received(_ packet: [UInt8], from central: Central) { add(.attribute(packet, from: .central)) }
  func sent(_ packet: [UInt8], to central: Central) { add(.attribute(packet, from: .peripheral)) }

  func encryptionChanged(of central: Central, isEncrypted: Bool) { add(.encryption(isEncrypted)) }

  func disconnected(_ central: Central, _ reason: HCIError?) {
    change { $0.end = .init(time: now(), reason: reason, by: nil) }
  }

  func begin(_ device: DeviceOnAir, on adapter: DeviceAddress) {}
  func advertise(_ advertisement: Advertisement?) {}
  func parametersChanged(of central: Central, to parameters: ConnectionParameters) {}
  func ends(_ central: Central, _ reason: HCIError) {}

  private func add(_ kind: CapturedEvent.Kind) { change { $0.events.append(CapturedEvent(kind, at: now())) } }

  private func change(_ change: (inout CapturedConnection) -> Void) {
    guard let last = connections.indices.last else { return }
    change(&connections[last])
  }
}

import AttributeServer
import Bluetooth
import EventLoop
import HCIPackets

/// The channel of ATT on a link of blemu's own host.
@EventLoop
final class HostChannel: PacketChannel {
  private let handle: LinkHandle
  private weak var seat: HostSeat?
  /// PDUs that have arrived before ``onReceive`` was set.
  private var early: [[UInt8]] = []
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  var onEmpty: (@EventLoop () -> Void)?
  var security = LinkSecurity.none

  init(_ handle: LinkHandle, _ seat: HostSeat) { (self.handle, self.seat) = (handle, seat) }

  var isCongested: Bool { seat?.isCongested(handle) ?? false }

  func send(_ packet: [UInt8]) { seat?.change { $0.send(packet, on: handle) } }

  /// PDUs waited for the controller, and none waits any more.
  func drained() { onEmpty?() }

  func receive(_ packet: [UInt8]) {
    if let onReceive { onReceive(packet) } else { early.append(packet) }
  }

  func close() { (seat, onReceive, onEmpty) = (nil, nil, nil) }

  private func deliverEarly() {
    guard let onReceive else { return }
    let packets = early
    early = []
    for packet in packets { onReceive(packet) }
  }
}

import AttributeServer
import Bluetooth
import EventLoop
import HCIPackets
import Host

/// The channel of ATT on a link of blemu's own host.
@EventLoop
final class HostChannel: PacketChannel {
  private let handle: LinkHandle
  private var host: SharedHost?
  /// PDUs that have arrived before ``onReceive`` was set.
  private var early: [[UInt8]] = []
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  var onEmpty: (@EventLoop () -> Void)?
  var security = LinkSecurity.none
  var hasBondKey = false

  init(_ handle: LinkHandle, at host: SharedHost) { (self.handle, self.host) = (handle, host) }

  var isCongested: Bool { host?.isCongested(handle) ?? false }

  func send(_ packet: [UInt8]) { host?.send(packet, on: handle) }

  /// PDUs waited for the controller, and none waits any more.
  func drained() { onEmpty?() }

  func receive(_ packet: [UInt8]) {
    if let onReceive { onReceive(packet) } else { early.append(packet) }
  }

  func close() { (host, onReceive, onEmpty) = (nil, nil, nil) }

  private func deliverEarly() {
    guard let onReceive else { return }
    let packets = early
    early = []
    for packet in packets { onReceive(packet) }
  }
}

/// A credit-based channel of a link of blemu's own host.
@EventLoop
final class HostSDUChannel: SDUChannel {
  let mtu: Int
  private let identifier: ChannelIdentifier
  private let handle: LinkHandle
  private let host: SharedHost

  init(_ identifier: ChannelIdentifier, of handle: LinkHandle, mtu: Int, at host: SharedHost) {
    (self.identifier, self.handle, self.mtu, self.host) = (identifier, handle, mtu, host)
  }

  var isCongested: Bool { host.ask { $0.isCongested(identifier, on: handle) } ?? false }

  func send(_ sdu: [UInt8]) { host.change { $0.send(sdu, in: identifier, on: handle) } }

  func close() { host.change { $0.closeChannel(identifier, on: handle) } }
}

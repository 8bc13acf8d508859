import Bluetooth
import EventLoop
import GATTServer

/// A central's side of a link to a ``LoopbackTransport``: ATT PDUs, which arrive at once.
@EventLoop
package final class LoopbackLink {
  package let address: DeviceAddress
  /// Called when the device has ended the connection.
  package var onDisconnect: (() -> Void)?
  /// Called once when either side has ended it.
  var onEnd: (() -> Void)?
  private var channel: LoopbackChannel?
  private weak var transport: LoopbackTransport?

  init(_ address: DeviceAddress, _ transport: LoopbackTransport, onPacket: @escaping ([UInt8]) -> Void) {
    (self.address, self.transport) = (address, transport)
    channel = LoopbackChannel(deliver: onPacket)
  }

  var isOpen: Bool { channel != nil }

  func open() {
    guard let channel else { return }
    transport?.server.connected(LinkAddress(address), on: channel)
  }

  package func send(_ packet: [UInt8]) { channel?.receive(packet) }

  var security: LinkSecurity { channel?.security ?? .none }

  func protect(_ security: LinkSecurity) { channel?.security = security }

  /// Pairs, or encrypts the link with the keys of an earlier pairing; nil: the link has ended.
  package func pair(_ request: PairingRequest) -> PairingOutcome? {
    isOpen ? transport?.pairing.pair(self, request) : nil
  }

  /// Ends the connection.
  ///
  /// - Parameter reason: what the device is told.
  package func disconnect(_ reason: HCIError = .remoteUserTerminated) {
    guard channel != nil else { return }
    channel = nil
    transport?.remove(self, reason)
    onEnd?()
    onEnd = nil
  }

  /// The device ends the connection.
  func lose() {
    disconnect(.localHost)
    let callback = onDisconnect
    onDisconnect = nil
    callback?()
  }
}

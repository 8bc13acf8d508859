import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A channel in memory: an SDU arrives at once.
@EventLoop
private final class LoopbackSDUChannel: SDUChannel {
  let mtu = Int(UInt16.max)
  let isCongested = false
  private weak var link: LoopbackLink?
  private let number: Int

  init(_ number: Int, of link: LoopbackLink) { (self.number, self.link) = (number, link) }

  func send(_ sdu: [UInt8]) { link?.onSDU?(number, sdu) }

  func close() { link?.ended(number, "by the device") }
}

// The credit-based channels of a link, by their index in the definition.
extension LoopbackLink {
  /// Asks the device for a channel, as a central does that takes SDUs of any length.
  package func openChannel(_ number: Int) -> ChannelResult {
    guard isOpen, let transport, let channels = transport.device?.definition.channels,
      channels.indices.contains(number)
    else { return .unsupportedSPSM }
    let offer = channels[number].offer
    let hasKey = transport.server.bondedCentrals.contains(address)
    let refusal = openChannels.contains(number) ? .noResources : offer.refusal(on: security, hasKey: hasKey)
    if let refusal {
      transport.server.host?.warn("\(address) may not open \(channels[number].id): \(refusal.name)")
      return refusal
    }
    openChannels.insert(number)
    transport.server.channels.opened(LoopbackSDUChannel(number, of: self), number, by: address)
    return .success
  }

  package func hasOpen(_ number: Int) -> Bool { openChannels.contains(number) }

  /// The central closes a channel.
  package func closeChannel(_ number: Int) {
    guard openChannels.remove(number) != nil else { return }
    transport?.server.channels.closed(number, of: address, nil, unsent: 0)
  }

  /// Sends bytes in a channel, in as many SDUs as the device's MTU needs.
  package func send(_ bytes: [UInt8], in number: Int) {
    guard let channels = transport?.device?.definition.channels else { return }
    if bytes.isEmpty { transport?.server.channels.received([], in: number, from: address) }
    for sdu in Chunker(bytes, size: Int(channels[number].offer.terms.mtu)) where hasOpen(number) {
      transport?.server.channels.received(Array(sdu), in: number, from: address)
    }
  }

  /// The device closes a channel.
  fileprivate func ended(_ number: Int, _ reason: String) {
    guard openChannels.remove(number) != nil else { return }
    onClose?(number)
    transport?.server.channels.closed(number, of: address, reason, unsent: 0)
  }

  /// The link ends.
  func endChannels() {
    for number in openChannels.sorted() {
      openChannels.remove(number)
      transport?.server.channels.closed(number, of: address, "with the link", unsent: 0)
    }
  }
}

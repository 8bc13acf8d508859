import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A channel in memory: an SDU arrives when a PDU would.
@EventLoop
private final class LoopbackSDUChannel: SDUChannel {
  let mtu = Int(UInt16.max)
  let isCongested = false
  private weak var link: LoopbackLink?
  private let number: Int

  init(_ number: Int, of link: LoopbackLink) { (self.number, self.link) = (number, link) }

  func send(_ sdu: [UInt8]) {
    guard let link, let events = link.events else { return self.link?.onSDU?(number, sdu) ?? () }
    events.sendFromDevice(bytes: sdu.count + 2) { [weak link, number] in link?.onSDU?(number, sdu) }
  }

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
    let hasKey = transport.server.bondedCentrals.contains(identity)
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
    if bytes.isEmpty { send(sdu: [], in: number) }
    for sdu in Chunker(bytes, size: Int(channels[number].offer.terms.mtu)) where hasOpen(number) {
      send(sdu: Array(sdu), in: number)
    }
  }

  private func send(sdu: [UInt8], in number: Int) {
    guard let events else { return arrive(sdu, in: number) }
    events.sendFromCentral(bytes: sdu.count + 2) { [weak self] in self?.arrive(sdu, in: number) }
  }

  private func arrive(_ sdu: [UInt8], in number: Int) {
    transport?.server.channels.received(sdu, in: number, from: address)
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

import Bluetooth
import EventLoop
import Framing
import HCIPackets
import Host

/// A credit-based channel that a central on blemu's own host has opened.
@EventLoop
package final class BegunChannel {
  private let channel: HostSDUChannel
  /// Called with each SDU.
  package var onSDU: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  /// Called once when the device, or the end of the link, has closed it.
  package var onClose: (@EventLoop () -> Void)?
  /// SDUs that have arrived before ``onSDU`` was set.
  private var early: [[UInt8]] = []

  init(_ channel: HostSDUChannel) { self.channel = channel }

  /// Sends bytes in as many SDUs as the device's MTU needs.
  package func send(_ bytes: [UInt8]) {
    if bytes.isEmpty { channel.send([]) }
    for sdu in Chunker(bytes, size: channel.mtu) { channel.send(Array(sdu)) }
  }

  package func close() {
    onClose = nil
    channel.close()
  }

  func receive(_ sdu: [UInt8]) {
    if let onSDU { onSDU(sdu) } else { early.append(sdu) }
  }

  private func deliverEarly() {
    guard let onSDU else { return }
    let sdus = early
    early = []
    for sdu in sdus { onSDU(sdu) }
  }
}

extension BegunLink {
  /// Asks the device for a channel, and returns its answer.
  ///
  /// - Parameter terms: what this side takes.
  /// - Throws: ``ChannelRefusal``.
  package func openChannel(_ spsm: UInt16, _ terms: ChannelTerms) async throws(ChannelRefusal) -> BegunChannel
  {
    var identifier: ChannelIdentifier?
    seat.change { identifier = $0.openChannel(spsm, terms, on: handle) }
    guard let identifier else { throw .noAnswer }
    let promise = Promise<ChannelRefusal?>()
    opening[identifier] = promise
    if let refusal = await promise.value() { throw refusal }
    guard let channel = channels[identifier] else { throw .noAnswer }
    return channel
  }

  func take(_ event: ChannelEvent, in identifier: ChannelIdentifier) {
    switch event {
    case .opened(_, let mtu):
      channels[identifier] = BegunChannel(HostSDUChannel(identifier, of: handle, mtu: mtu, seat))
      opening.removeValue(forKey: identifier)?.fulfil(nil)
    case .refused(let refusal): opening.removeValue(forKey: identifier)?.fulfil(refusal)
    case .received(let sdu): channels[identifier]?.receive(sdu)
    case .closed(let end, _):
      guard let channel = channels.removeValue(forKey: identifier), end != .link else { return }
      channel.onClose?()
    case .denied, .drained: break
    }
  }
}

import AttributeServer
import Bluetooth
import EventLoop
import Exact
import GATTClient
import Glibc
import Kernel

/// The ATT bearer on a link that blemu's own host has begun.
@EventLoop
package final class HostBearer: AttributeBearer {
  private let channel: any PacketChannel
  private var flushes: [Promise<Bool>] = []
  package private(set) var end: LinkEnd?
  package var onEnd: (@EventLoop (LinkEnd) -> Void)?
  package var onReceive: (@EventLoop ([UInt8]) -> Void)? {
    get { channel.onReceive }
    set { channel.onReceive = newValue }
  }

  package init(_ link: BegunLink) {
    channel = link.channel
    channel.onEmpty = { [weak self] in self?.flushed(true) }
    link.onEnd = { [weak self] in self?.finish(LinkEnd($0)) }
    if let end = link.end { finish(LinkEnd(end)) }
  }

  package func send(_ packet: [UInt8]) { channel.send(packet) }

  package func flush() async -> Bool {
    guard end == nil, channel.isCongested else { return end == nil }
    let promise = Promise<Bool>()
    flushes.append(promise)
    return await promise.value()
  }

  package func close() { finish(.closed) }

  private func finish(_ reason: LinkEnd) {
    guard end == nil else { return }
    end = reason
    let callback = onEnd
    onEnd = nil
    channel.close()
    flushed(false)
    if reason != .closed { callback?(reason) }
  }

  private func flushed(_ haveGone: Bool) {
    let flushes = flushes
    self.flushes = []
    for flush in flushes { flush.fulfil(haveGone) }
  }
}

extension LinkEnd {
  /// Reads the reason that a controller gives.
  init(_ reason: HCIError) {
    self =
      switch reason {
      case .supervisionTimeout: .lost(ETIMEDOUT)
      case .localHost: .lost(ECONNABORTED)
      default: .endedByPeer
      }
  }
}

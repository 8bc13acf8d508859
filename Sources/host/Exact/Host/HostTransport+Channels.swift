import AttributeServer
import Behavior
import Bluetooth
import EventLoop
import HCIPackets
import Host
import Peripheral

/// A channel of a link of blemu's own host.
@EventLoop
final class HostSDUChannel: SDUChannel {
  let mtu: Int
  private let identifier: ChannelIdentifier
  private let handle: LinkHandle
  private weak var seat: HostSeat?

  init(_ identifier: ChannelIdentifier, of handle: LinkHandle, mtu: Int, _ seat: HostSeat) {
    (self.identifier, self.handle, self.mtu, self.seat) = (identifier, handle, mtu, seat)
  }

  var isCongested: Bool { seat?.isCongested(identifier, on: handle) ?? false }

  func send(_ sdu: [UInt8]) { seat?.change { $0.send(sdu, in: identifier, on: handle) } }

  func close() { seat?.change { $0.closeChannel(identifier, on: handle) } }
}

// The channels that centrals open.
extension HostTransport {
  /// Lets a central open the channels of the device.
  func offerChannels(on handle: LinkHandle) {
    let offers = server.device?.definition.channels.map(\.offer) ?? []
    if !offers.isEmpty { seat?.change { $0.offer(offers, on: handle) } }
  }

  func take(_ event: ChannelEvent, in channel: ChannelIdentifier, of handle: LinkHandle) {
    guard let served = links[handle] else { return }
    let central = served.central
    switch event {
    case .opened(let spsm, let mtu):
      guard let number = number(of: spsm), let seat else { return }
      links[handle]?.channels[channel] = number
      let new = HostSDUChannel(channel, of: handle, mtu: mtu, seat)
      server.channels.opened(new, number, by: central)
    case .denied(let spsm, let result): denied(spsm, result, central)
    case .received(let sdu):
      if let number = served.channels[channel] { server.channels.received(sdu, in: number, from: central) }
    case .drained: if let number = served.channels[channel] { server.channels.drained(number, of: central) }
    case .closed(let end, let unsent):
      guard let number = links[handle]?.channels.removeValue(forKey: channel) else { return }
      server.channels.closed(number, of: central, end.words, unsent: unsent)
    case .refused: break  // a device opens no channel
    }
  }

  private func number(of spsm: UInt16) -> Int? {
    server.device?.definition.channels.firstIndex { $0.offer.spsm == spsm }
  }

  private func denied(_ spsm: UInt16, _ result: ChannelResult, _ central: Central) {
    guard let number = number(of: spsm), let id = server.device?.definition.channels[number].id else {
      return
    }
    host?.warn("\(central) may not open \(id): \(result.name)")
  }
}

extension ChannelEnd {
  /// Why the channel has closed; nil: the peer has closed it.
  fileprivate var words: String? {
    switch self {
    case .byPeer: nil
    case .byThisSide: "by the device"
    case .link: "with the link"
    case .violation(let violation): "the central \(violation.words)"
    }
  }
}

extension ChannelViolation {
  fileprivate var words: String {
    switch self {
    case .noCredit: "has sent a K-frame without a credit"
    case .frameTooLong: "has sent a K-frame that is longer than the MPS"
    case .noLength: "has sent a K-frame without the length of its SDU"
    case .sduTooLong: "has begun an SDU that is longer than the MTU"
    case .tooManyBytes: "has sent more bytes than the length of the SDU"
    case .tooManyCredits: "has given more than 65,535 credits"
    }
  }
}

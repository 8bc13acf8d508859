import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// The links to all connected centrals, in the order in which they connected.
@EventLoop
final class ServedLinks {
  private(set) var all: [ServedLink] = []

  subscript(central: Central) -> ServedLink? { all.first { $0.central == central } }

  func add(_ link: ServedLink) { all.append(link) }

  func remove(_ link: ServedLink) { all.removeAll { $0 === link } }

  /// The longest value that all of these centrals get whole, bytes; nil: there are none.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    var longest: Int?
    for link in all where delivery(to: link, of: characteristic, recipients) != nil {
      longest = min(longest ?? .max, link.mtu - 3)
    }
    return longest
  }

  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome {
    var outcome = SendOutcome.nobodySubscribed
    for link in all {
      guard let delivery = delivery(to: link, of: characteristic, recipients) else { continue }
      link.send(value, from: characteristic, by: delivery)
      if delivery == .notification { outcome = .notified }
      if outcome == .nobodySubscribed { outcome = .indicated }
    }
    guard outcome == .nobodySubscribed else { return outcome }
    let isMissed = all.contains {
      delivery(to: $0, of: characteristic, recipients, evenOutOfSync: true) != nil
    }
    return isMissed ? .outOfSync : .nobodySubscribed
  }

  /// How a central gets a value; nil: not at all.
  private func delivery(
    to link: ServedLink, of characteristic: Int, _ recipients: Recipients, evenOutOfSync: Bool = false
  ) -> Delivery? {
    switch recipients {
    case .subscribers: break
    case .subscriber(let central), .central(let central): if central != link.central { return nil }
    }
    var evenUnsubscribed = false
    if case .central = recipients { evenUnsubscribed = true }
    return link.delivery(
      of: characteristic, evenUnsubscribed: evenUnsubscribed, evenOutOfSync: evenOutOfSync)
  }
}

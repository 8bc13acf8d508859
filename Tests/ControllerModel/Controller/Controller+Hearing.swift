import Bluetooth
import Cryptography

extension Controller {
  /// The identity address of a peer that the controller recognizes by its private address; otherwise the address that it uses.
  func identity(of peer: LinkAddress) -> LinkAddress {
    guard state.resolvesAddresses, peer.isResolvable else { return peer }
    return state.resolvingList.first { $0.resolves(peer) }?.peer ?? peer
  }

  var scanningAddress: LinkAddress? {
    ownAddress(type: state.scanner.ownAddressType, random: state.randomAddress)
  }

  /// Whether the scanner receives an advertising event, and its filter policy lets it through (Vol 6 Part B 4.3.3).
  func listens(to broadcast: Broadcast) -> Bool {
    let (scanner, set) = (state.scanner, broadcast.set)
    guard let activity = scanner.activity, let own = scanningAddress, scanner.isActive[set.primaryPHY] != nil,
      activity.isExtended || set.properties.contains(.legacy)
    else { return false }
    guard scanner.filterPolicy & 1 == 0 || state.acceptList.contains(broadcast.address) else { return false }
    guard let target = set.target else { return true }
    return target == own || scanner.filterPolicy & 2 != 0 && target.isResolvable
  }

  /// The address with which the initiator connects to this advertising; nil: it does not want to.
  func initiatingAddress(for broadcast: Broadcast) -> LinkAddress? {
    guard let initiator = state.initiator, hasRoomForLink, initiator.parameters(for: broadcast.set) != nil
    else {
      return nil
    }
    switch initiator.target {
    case .device(let peer): guard peer == broadcast.address else { return nil }
    case .acceptList: guard state.acceptList.contains(broadcast.address) else { return nil }
    }
    return ownAddress(type: initiator.ownAddressType, random: state.randomAddress)
  }
}

extension Initiator {
  /// The parameters of a link that comes from this advertising: those of its PHY. nil: the initiator does not hear it.
  func parameters(for set: Advertiser) -> ConnectionParameters? {
    guard let parameters = parameters[set.primaryPHY] else { return nil }
    guard !set.properties.contains(.legacy) else { return parameters }
    return isExtended ? self.parameters[set.secondaryPHY] ?? parameters : nil
  }
}

extension ResolvingEntry {
  /// Whether an address was made with the peer's key (Vol 6 Part B 1.3.2.3): hash, prand, each the least significant byte first.
  func resolves(_ peer: LinkAddress) -> Bool {
    let bytes = peer.address.bytes
    let hash = AES(key: peerKey.reversed()).encrypt([UInt8](repeating: 0, count: 13) + bytes[..<3])
    return hash.suffix(3) == bytes[3...]
  }
}

extension LinkAddress {
  /// Whether it is a resolvable private address (Vol 6 Part B 1.3.2.2).
  fileprivate var isResolvable: Bool { kind == .random && address.bytes[0] >> 6 == 1 }
}

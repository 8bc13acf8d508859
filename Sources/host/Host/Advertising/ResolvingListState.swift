import Bluetooth
import HCIPackets

/// A peer that may connect to a device.
package struct AcceptedPeer: Hashable, Sendable {
  /// Its identity address.
  package var address: LinkAddress
  /// Its identity resolving key; nil: it uses no private addresses.
  package var key: [UInt8]?

  package init(_ address: LinkAddress, key: [UInt8]? = nil) { (self.address, self.key) = (address, key) }
}

/// The peers that the controller is to recognize by their private addresses, and those that it does (Core Specification, Vol 4
/// Part E 7.8.38 to 7.8.45).
package struct ResolvingListState: Sendable {
  /// Those with a key.
  package var wanted: [AcceptedPeer] = []
  private var present: [AcceptedPeer] = []
  /// Of these, the ones that may also use their identity address.
  private var modes: Set<LinkAddress> = []
  private var isEnabled = false
  var refusal: Refusal<[AcceptedPeer]>?

  package init() {}

  /// Whether the controller recognizes them all, or will.
  func isUsable(_ abilities: ControllerAbilities) -> Bool {
    wanted.isEmpty || refusal == nil && wanted.count <= abilities.resolvingListSize
  }
}

enum ResolvingListStep: Hashable, Sendable {
  case clear
  case add(AcceptedPeer)
  case setMode(LinkAddress)
  case enable(Bool)

  var command: HCICommand {
    switch self {
    case .clear: .clearResolvingList
    case .add(let peer): .addToResolvingList(peer.address, key: peer.key ?? [])
    case .setMode(let peer): .setDevicePrivacyMode(peer)
    case .enable(let isEnabled): .setAddressResolutionEnabled(isEnabled)
    }
  }
}

extension ResolvingListState {
  func nextStep(_ abilities: ControllerAbilities) -> ResolvingListStep? {
    guard wanted.count <= abilities.resolvingListSize || wanted.isEmpty, !refusal.blocks(wanted) else {
      return nil
    }
    if wanted.isEmpty { return isEnabled ? .enable(false) : nil }
    if !Set(present).isSubset(of: wanted) { return .clear }
    if let missing = wanted.first(where: { !present.contains($0) }) { return .add(missing) }
    if abilities.has(.setPrivacyMode), let peer = present.first(where: { !modes.contains($0.address) }) {
      return .setMode(peer.address)
    }
    return isEnabled ? nil : .enable(true)
  }

  mutating func done(_ step: ResolvingListStep) {
    refusal = nil
    switch step {
    case .clear: (present, modes) = ([], [])
    case .add(let peer): present.append(peer)
    case .setMode(let peer): modes.insert(peer)
    case .enable(let isEnabled): self.isEnabled = isEnabled
    }
  }

  /// Returns whether the refusal is new.
  mutating func refused(_ error: HCIError) -> Bool { refusal.note(error, of: wanted) }
}

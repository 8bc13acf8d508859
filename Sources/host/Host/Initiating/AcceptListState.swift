import Bluetooth
import HCIPackets

/// The devices that are wanted on the controller's accept list, and those that are on it (Core Specification, Vol 4 Part E 7.8.14
/// to 7.8.17).
package struct AcceptListState: Sendable {
  package var wanted: [LinkAddress] = []
  private var present: Set<LinkAddress> = []
  var refusal: Refusal<[LinkAddress]>?

  package init() {}

  /// Whether the controller knows them all, or will.
  func isUsable(_ abilities: ControllerAbilities) -> Bool { problem(abilities) == nil && refusal == nil }

  /// The problem with a controller. While there is one, the list stays as it is.
  package func problem(_ abilities: ControllerAbilities) -> AcceptListProblem? {
    let count = Set(wanted).count
    return count > abilities.acceptListSize ? .tooManyDevices(count, most: abilities.acceptListSize) : nil
  }
}

/// Why a controller cannot have an accept list.
package enum AcceptListProblem: Hashable, Sendable {
  case tooManyDevices(Int, most: Int)
}

enum AcceptListStep: Hashable, Sendable {
  case clear
  case add(LinkAddress)
  case remove(LinkAddress)

  var command: HCICommand {
    switch self {
    case .clear: .clearAcceptList
    case .add(let device): .addToAcceptList(device)
    case .remove(let device): .removeFromAcceptList(device)
    }
  }
}

extension AcceptListState {
  /// Removes what is not wanted, then adds what is missing. It clears the list if that takes fewer commands.
  func nextStep(_ abilities: ControllerAbilities) -> AcceptListStep? {
    guard problem(abilities) == nil, !refusal.blocks(wanted) else { return nil }
    let surplus = present.subtracting(wanted)
    if surplus.count > 1 + (present.count - surplus.count) { return .clear }
    let next = surplus.min { $0.address.bytes.lexicographicallyPrecedes($1.address.bytes) }
    return next.map { .remove($0) } ?? wanted.first { !present.contains($0) }.map { .add($0) }
  }

  mutating func done(_ step: AcceptListStep) {
    refusal = nil
    switch step {
    case .clear: present = []
    case .add(let device): present.insert(device)
    case .remove(let device): present.remove(device)
    }
  }

  /// Returns whether the refusal is new.
  mutating func refused(_ error: HCIError) -> Bool { refusal.note(error, of: wanted) }
}

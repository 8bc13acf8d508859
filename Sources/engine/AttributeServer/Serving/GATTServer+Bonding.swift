import Behavior
import Bluetooth

// What lasts for a bonded central from link to link.
extension GATTServer {
  /// Keeps a bond, in place of an earlier one with the same central. The central's configurations stay,
  /// and what it knows of the attributes.
  func keep(_ new: Bond, of link: ServedLink?) {
    var bond = new
    if let index = bonds.firstIndex(where: { $0.peer == new.peer }) {
      let old = bonds.remove(at: index)
      bond.configurations.merge(old.configurations) { new, _ in new }
      bond.features.formUnion(old.features)
      bond.table = bond.table ?? old.table
    }
    bonds.append(bond)
    guard let link else { return host?.keep(bonds) ?? () }
    link.identity = bond.peer
    if !recall(link, isEncrypted: link.security.isEncrypted) { host?.keep(bonds) }
  }

  /// The centrals with which there are bonds.
  package var bondedCentrals: [Central] { bonds.map(\.peer.address) }

  /// Forgets the bond with a central, or all bonds (nil).
  ///
  /// - Returns: the links of these centrals, which go on.
  @discardableResult
  package func forget(_ central: Central?) -> [ServedLink] {
    let identity = central.map { self[$0]?.identity.address ?? $0 }
    let forgotten = bonds.map(\.peer).filter { identity == nil || $0.address == identity }
    guard !forgotten.isEmpty else { return [] }
    bonds.removeAll { forgotten.contains($0.peer) }
    let affected = links.filter { forgotten.contains($0.identity) }
    for link in affected { (link.bonding, link.hasKey) = (.none, false) }
    host?.keep(bonds)
    return affected
  }

  /// Looks for the bond with the central of a link, which only holds once the link is encrypted: an address can be forged.
  ///
  /// - Returns: whether the host has been given the bonds.
  @discardableResult
  func recall(_ link: ServedLink, isEncrypted: Bool) -> Bool {
    let bond = bonds.first { $0.peer == link.identity }
    guard let bond, self[link.central] === link else { return false }
    link.hasKey = hasKey(bond)
    if link.bonding == .none { link.bonding = .awaitsEncryption }
    guard isEncrypted, link.bonding == .awaitsEncryption else { return false }
    return restore(link)
  }

  private func restore(_ link: ServedLink) -> Bool {
    guard let bond = bonds.first(where: { $0.peer == link.identity }) else { return false }
    link.bonding = .isInForce
    for event in link.restore(bond) where self[link.central] === link { host?.receive(event) }
    link.indicateChange()
    return update(link)
  }

  private func update(_ link: ServedLink) -> Bool {
    guard let index = bonds.firstIndex(where: { $0.peer == link.identity }) else { return false }
    let old = bonds[index]
    link.update(&bonds[index])
    guard bonds[index] != old else { return false }
    host?.keep(bonds)
    return true
  }

  func encrypted(_ link: ServedLink) { recall(link, isEncrypted: true) }

  func bondChanged(_ link: ServedLink) { _ = update(link) }
}

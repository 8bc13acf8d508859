import Behavior
import Bluetooth

// Attributes that change while the central is connected (Vol 3 Part G 2.5.2 and 7.1).
extension AttributeServer {
  /// Serves other attributes from now on, and indicates that to the central if it has asked for it.
  ///
  /// What the central has subscribed to stays so, wherever it is now. Subscriptions, indications and prepared writes of
  /// attributes that have vanished end.
  package mutating func serve(_ new: AttributeDatabase) -> ServerActions {
    let old = database
    guard let changed = new.changes(from: old) else { return [] }
    tell(ends(in: new))
    database = new
    database.names.merge(old.names) { own, _ in own }  // what is kept of a bonded central may end, too
    let beginnings = new.unconditional.filter { old.uuid(of: $0.key) != new.uuid(of: $0.key) }
    tell(
      beginnings.sorted { $0.key < $1.key }.map { .subscribed(central, characteristic: $0.key, $0.value) })
    client.hasHash = new.hasHash
    // Without the hash and Service Changed, a central has to look by itself.
    if new.hasHash || hearsServiceChanged { client.becomeUnaware() }
    moveIndications(from: old)
    if !awaitsAnswer { prepared.keep { new[$0]?.content == old[$0]?.content } }
    return indicateChange(of: changed)
  }

  /// Ends the subscriptions to what is not among other attributes, and returns the events for the device.
  private mutating func ends(in new: AttributeDatabase) -> [Event] {
    let gone = Set(client.configurations.keys.compactMap(\.characteristic)).union(database.unconditional.keys)
      .filter { new.uuid(of: $0) != database.uuid(of: $0) }
    return gone.sorted().flatMap { index in
      database.unconditional[index] == nil
        ? configure(.characteristic(index), [])
        : [.unsubscribed(central, characteristic: index)]
    }
  }

  /// Gives the indications that have not been sent the handles that their values have now.
  private mutating func moveIndications(from old: AttributeDatabase) {
    let (before, now) = (old.serviceChanged?.handle, database.serviceChanged?.handle)
    indications.moveUnsent { [database, isOutOfSync = client.isOutOfSync] indication in
      if indication.handle == before { return now }
      guard let index = indication.characteristic, !isOutOfSync,
        old.uuid(of: index) == database.uuid(of: index)
      else { return nil }
      return database.sendingHandle(of: index)
    }
  }
}

extension AttributeDatabase {
  /// The handles from the first to the last service that is not as it was; nil: all are.
  func changes(from old: Self) -> HandleRange? {
    let changed = services.symmetricDifference(old.services)
    guard let first = changed.compactMap(\.first?.handle).min(),
      let last = changed.compactMap(\.first?.groupEnd).max()
    else { return nil }
    return HandleRange(first, last)
  }

  /// The attributes of each service.
  private var services: Set<ArraySlice<Attribute>> {
    let declarations = attributes.filter { $0.type == 0x2800 || $0.type == 0x2801 }
    return Set(declarations.map { attributes(in: HandleRange($0.handle, $0.groupEnd)) })
  }
}

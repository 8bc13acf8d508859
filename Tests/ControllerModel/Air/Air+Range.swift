import Framing

extension Air {
  /// Moves a controller out of the reach of all others, or back.
  package mutating func setInRange(_ controller: ControllerID, _ isInRange: Bool) {
    if isInRange { absent.remove(controller.index) } else { absent.insert(controller.index) }
    noteSilence()
  }

  /// Puts a wall between two controllers, or removes it.
  package mutating func setPath(between one: ControllerID, and other: ControllerID, isOpen: Bool) {
    let pair: Set = [one.index, other.index]
    if isOpen { closedPaths.remove(pair) } else { closedPaths.insert(pair) }
    noteSilence()
  }

  func hears(_ one: Int, _ other: Int) -> Bool {
    one != other && absent.isDisjoint(with: [one, other]) && !closedPaths.contains([one, other])
      && [one, other].allSatisfy { controllers[$0].state.path.isInRange }
  }

  /// Notes since when the ends of links have not heard each other.
  mutating func noteSilence() {
    for (index, link) in links.enumerated() {
      let isHeard =
        hears(link.central.controller, link.peripheral.controller) && end(of: link, .central) != nil
        && end(of: link, .peripheral) != nil
      links[index].silentSince = isHeard ? nil : link.silentSince ?? now
    }
  }
}

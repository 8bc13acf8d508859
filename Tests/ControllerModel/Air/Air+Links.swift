import Bluetooth
import Framing

extension Air {
  /// One end of a link, while it exists.
  func end(of link: Link, _ role: LinkEnd.Role) -> LinkEnd? {
    let end = controllers[link[role].controller].state.links[link[role].handle]
    return end?.link == link.number ? end : nil
  }

  /// When something happens on a link: its supervision timeout, or a connection event that is not empty.
  func due(_ link: Link) -> Instant? {
    guard let any = end(of: link, .central) ?? end(of: link, .peripheral) else { return nil }
    if let since = link.silentSince {
      let time = link.isEstablished ? any.parameters.timeoutTime : 6 * any.parameters.intervalTime
      return since.advanced(by: .microseconds(time))
    }
    let isBusy = [LinkEnd.Role.central, .peripheral].contains { end(of: link, $0)?.isBusy == true }
    guard isBusy || !link.isEstablished || !link.changes.isEmpty else { return nil }
    return Self.nextEvent(of: link, interval: any.parameters.intervalTime, from: now).instant
  }

  /// The first connection event from an instant on, and how many come before it.
  private static func nextEvent(
    of link: Link, interval: Int64, from now: Instant
  ) -> (instant: Instant, skipped: Int) {
    let late = max(0, now.microseconds - link.nextEvent.microseconds)
    let skipped = (late + interval - 1) / interval
    return (link.nextEvent.advanced(by: .microseconds(skipped * interval)), Int(skipped))
  }

  /// A connection event, or the end of a link whose ends do not hear each other.
  mutating func pass(_ index: Int) {
    guard links[index].silentSince == nil else { return lose(index) }
    guard let interval = end(of: links[index], .central)?.parameters.intervalTime else { return }
    let next = Self.nextEvent(of: links[index], interval: interval, from: now)
    links[index].counter += next.skipped
    links[index].isEstablished = true
    applyChanges(index)
    let link = links[index]
    if let peripheral = end(of: link, .peripheral),
      peripheral.isBusy || !link.changes.isEmpty
        || link.counter % (1 + Int(peripheral.parameters.latency)) == 0
    {
      transfer(index, from: .central)
      transfer(index, from: .peripheral)
      for place in [link.central, link.peripheral] {
        controllers[place.controller].reportCompletedPackets(place.handle)
      }
    }
    let current = end(of: link, .central)?.parameters.intervalTime ?? interval
    links[index].nextEvent = next.instant.advanced(by: .microseconds(current))
    links[index].counter += 1
  }

  /// Supervision timeout, or Connection Failed to be Established before the first connection event.
  private mutating func lose(_ index: Int) {
    let link = links[index]
    for role in [LinkEnd.Role.central, .peripheral] where end(of: link, role) != nil {
      let reason: HCIError = link.isEstablished ? .supervisionTimeout : .failedToEstablish
      controllers[link[role].controller].close(link[role].handle, reason)
    }
  }

  /// Carries the packets of one side.
  private mutating func transfer(_ index: Int, from role: LinkEnd.Role) {
    let link = links[index]
    let (source, goal) = (link[role], role == .central ? link.peripheral : link.central)
    for _ in 0..<controllers[source.controller].traits.packetsPerEvent {
      guard end(of: link, .central) != nil, end(of: link, .peripheral) != nil,
        let pdu = controllers[source.controller].state.links[source.handle]?.nextPDU()
      else { return }
      plan(pdu, index)
      controllers[source.controller].sent(pdu, on: source.handle)
      controllers[goal.controller].receive(pdu, on: goal.handle)
    }
  }

  /// Notes what takes effect six connection events later.
  private mutating func plan(_ pdu: LinkPDU, _ index: Int) {
    let counter = links[index].counter + 6
    switch pdu {
    case .parameterUpdate(let parameters): links[index].changes.append((counter, .parameters(parameters)))
    case .phyUpdate(let phys): links[index].changes.append((counter, .phys(phys)))
    default: break
    }
  }

  private mutating func applyChanges(_ index: Int) {
    let link = links[index]
    links[index].changes.removeAll { $0.counter <= link.counter }
    for (counter, change) in link.changes where counter <= link.counter {
      for place in [link.central, link.peripheral] {
        switch change {
        case .parameters(let parameters): controllers[place.controller].use(parameters, on: place.handle)
        case .phys(let phys):
          let swapped = Directions(sent: phys.received, received: phys.sent)
          let isCentral = place.controller == link.central.controller
          controllers[place.controller].use(isCentral ? phys : swapped, on: place.handle)
        }
      }
    }
  }
}

import Bluetooth

/// An advertising event as others hear it.
struct Broadcast: Sendable {
  var set: Advertiser
  var address: LinkAddress
  var rssi: Int8
}

extension Controller {
  /// What others measure of its signal, dBm.
  fileprivate var rssi: Int8 { state.path.rssi.map { Int8($0) } ?? traits.rssi }
}

extension Air {
  /// An advertising event, or the end of advertising.
  mutating func advertise(from index: Int, _ handle: Int) {
    let controller = controllers[index]
    guard let set = controller.state.advertisers[handle], let activity = set.activity else { return }
    if let end = activity.end, end <= now {
      return controllers[index].endAdvertising(handle, .advertisingTimeout)
    }
    guard let address = controller.advertisedAddress(handle) else { return }
    let broadcast = Broadcast(set: set, address: address, rssi: controller.rssi)
    for other in controllers.indices where hears(index, other) {
      report(broadcast, handle, of: index, to: other)
    }
    if controller.hasRoomForLink, let other = initiator(for: broadcast, of: index) {
      connect(other, to: broadcast, of: index, handle)
    } else {
      controllers[index].finishAdvertisingEvent(handle)
    }
  }

  /// Reports it to a scanner, with the scan response if it asks for it and gets it.
  private mutating func report(_ broadcast: Broadcast, _ handle: Int, of index: Int, to other: Int) {
    let (set, scanner) = (broadcast.set, controllers[other])
    guard scanner.listens(to: broadcast), let own = scanner.scanningAddress else { return }
    controllers[other].report(AirReport(broadcast))
    let isAnswered = set.filterPolicy & 1 == 0 || controllers[index].state.acceptList.contains(own)
    guard scanner.state.scanner.isActive[set.primaryPHY] == true, set.properties.contains(.scannable),
      isAnswered
    else { return }
    controllers[other].report(AirReport(responseOf: broadcast))
    // LE Scan Request Received (Vol 4 Part E 7.7.65.19)
    if set.reportsScans { controllers[index].emitLowEnergy(0x13, [UInt8(handle)] + own.bytes) }
  }

  /// The first controller that wants to connect and may.
  private func initiator(for broadcast: Broadcast, of index: Int) -> Int? {
    let (set, advertiser) = (broadcast.set, controllers[index])
    guard set.properties.contains(.connectable) else { return nil }
    return controllers.indices.first { other in
      guard hears(index, other), let own = controllers[other].initiatingAddress(for: broadcast) else {
        return false
      }
      let isAccepted =
        set.filterPolicy & 2 == 0 || advertiser.state.acceptList.contains(advertiser.identity(of: own))
      return isAccepted && set.target ?? own == own
    }
  }

  /// CONNECT_IND: both ends of a link begin.
  private mutating func connect(_ other: Int, to broadcast: Broadcast, of index: Int, _ handle: Int) {
    guard let own = controllers[other].initiatingAddress(for: broadcast),
      let parameters = controllers[other].state.initiator?.parameters(for: broadcast.set)
    else { return }
    linkCount += 1
    let phy = broadcast.set.properties.contains(.legacy) ? 1 : broadcast.set.secondaryPHY
    let central = controllers[other].open(
      link: linkCount, role: .central, peer: broadcast.address, parameters: parameters, phy: phy)
    let peripheral = controllers[index].open(
      link: linkCount, role: .peripheral, peer: own, parameters: parameters, phy: phy, set: handle)
    let rssi = controllers[other].rssi
    controllers[other].state.links[central]?.rssi = broadcast.rssi
    controllers[index].state.links[peripheral]?.rssi = rssi
    links.append(
      Link(
        number: linkCount, central: Link.Place(controller: other, handle: central),
        peripheral: Link.Place(controller: index, handle: peripheral),
        nextEvent: now.advanced(by: .microseconds(2500))))
  }
}

import Bluetooth

// Vol 4 Part E 7.8.12, 7.8.13, 7.8.66
extension Command {
  static let initiating: [UInt16: Self] = [
    // LE Create Connection
    0x200D: Self(26, 4, length: 25, .status, family: .legacy) { controller, parameters throws(HCIError) in
      try controller.initiate(try controller.legacyInitiator(&parameters))
      return []
    },
    // LE Create Connection Cancel
    0x200E: Self(26, 5) { controller, _ throws(HCIError) in
      guard controller.state.initiator != nil else { throw .commandDisallowed }
      controller.state.initiator = nil
      controller.reportFailedConnection(.unknownConnectionIdentifier, role: .central, peer: nil)
      return []
    },
    // LE Extended Create Connection
    0x2043: Self(37, 7, length: nil, .status, family: .extended, needs: .extendedAdvertising) {
      controller, parameters throws(HCIError) in
      try controller.initiate(try controller.extendedInitiator(&parameters))
      return []
    },
  ]
}

extension Controller {
  /// Interval and window of the scan, filter policy, peer, own address type, parameters of the link.
  fileprivate func legacyInitiator(_ parameters: inout Parameters) throws(HCIError) -> Initiator {
    let interval = try parameters.number(0x0004...0x4000)
    _ = try parameters.number(0x0004...interval)
    let usesAcceptList = try parameters.flag()
    let peer = try parameters.linkAddress(types: 3)
    let ownAddressType = try parameters.byte(0...3)
    let link = try parameters.preferredParameters().chosen
    return Initiator(
      target: usesAcceptList ? .acceptList : .device(peer), ownAddressType: ownAddressType,
      parameters: [1: link],
      isExtended: false)
  }

  /// Filter policy, own address type, peer, PHYs; for each: interval and window of the scan, parameters of the link.
  fileprivate func extendedInitiator(_ parameters: inout Parameters) throws(HCIError) -> Initiator {
    let usesAcceptList = try parameters.flag()
    let ownAddressType = try parameters.byte(0...3)
    let peer = try parameters.linkAddress(types: 3)
    var links: [UInt8: ConnectionParameters] = [:]
    for phy in try primaryPHYs(&parameters, among: [1, 2, 3]) {
      let interval = try parameters.number(0x0004...0xFFFF)
      _ = try parameters.number(0x0004...interval)
      links[phy] = try parameters.preferredParameters().chosen
    }
    try parameters.end()
    return Initiator(
      target: usesAcceptList ? .acceptList : .device(peer), ownAddressType: ownAddressType, parameters: links,
      isExtended: true)
  }

  fileprivate mutating func initiate(_ initiator: Initiator) throws(HCIError) {
    guard state.initiator == nil else { throw .commandDisallowed }
    guard ownAddress(type: initiator.ownAddressType, random: state.randomAddress) != nil else {
      throw .invalidParameters
    }
    guard hasRoomForLink else { throw .connectionLimitExceeded }
    if case .device(let peer) = initiator.target, state.links.values.contains(where: { $0.peer == peer }) {
      throw .connectionAlreadyExists
    }
    state.initiator = initiator
  }
}

extension Parameters {
  /// Shortest and longest interval, latency, supervision timeout, shortest and longest connection event (7.8.12).
  mutating func preferredParameters() throws(HCIError) -> PreferredConnectionParameters {
    let shortest = try number(0x0006...0x0C80)
    let interval = try number(0x0006...0x0C80)
    let latency = try number(0...0x01F3)
    let timeout = try number(0x000A...0x0C80)
    let (least, most) = (try number(), try number())
    // timeout * 10 ms > (1 + latency) * interval * 1.25 ms * 2
    guard shortest <= interval, least <= most, Int(timeout) * 4 > (1 + Int(latency)) * Int(interval) else {
      throw .invalidParameters
    }
    return PreferredConnectionParameters(
      interval: shortest...interval, latency: latency, supervisionTimeout: timeout)
  }
}

extension PreferredConnectionParameters {
  /// What the controller makes of them: the longest interval.
  var chosen: ConnectionParameters {
    ConnectionParameters(
      interval: interval.upperBound, latency: latency, supervisionTimeout: supervisionTimeout)
  }
}

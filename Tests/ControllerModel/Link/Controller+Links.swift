import Bluetooth
import Framing

extension Controller {
  /// Begins a link, and tells the host.
  ///
  /// - Parameter set: the advertising that led to it.
  /// - Returns: its handle.
  mutating func open(
    link: Int, role: LinkEnd.Role, peer: LinkAddress, parameters: ConnectionParameters, phy: UInt8,
    set: Int? = nil
  ) -> UInt16 {
    var handle = traits.firstHandle
    while state.links[handle] != nil { handle += 1 }
    let wanted = traits.features.contains(.dataLengthExtension) ? state.suggestedOctets : 27
    let end = LinkEnd(
      handle, link: link, role: role, peer: peer, parameters: parameters, phy: phy, wantedOctets: wanted)
    state.links[handle] = end
    if role == .central { state.initiator = nil }
    if let set, traits.quirks.terminatesSetsFirst { terminate(set, .success, link: handle) }
    reportConnection(.success, handle, role, peer, parameters)
    if let set { terminate(set, .success, link: handle) }
    if traits.features.contains(.channelSelection2) { emitLowEnergy(0x14, handle.littleEndianBytes + [1]) }
    if end.wantedOctets > 27 { begin(.dataLength, on: handle) }
    return handle
  }

  /// LE Connection Complete, or LE Enhanced Connection Complete if the host wants it (Vol 4 Part E 7.7.65.1, 7.7.65.10).
  private mutating func reportConnection(
    _ status: HCIError, _ handle: UInt16, _ role: LinkEnd.Role, _ peer: LinkAddress,
    _ parameters: ConnectionParameters
  ) {
    let (head, identity) = (
      [status.rawValue] + handle.littleEndianBytes + [role.rawValue], identity(of: peer)
    )
    let none = [UInt8](repeating: 0, count: 6)
    let tail =
      [parameters.interval, parameters.latency, parameters.supervisionTimeout].flatMap(\.littleEndianBytes)
      + [role == .peripheral ? 1 : 0]  // clock accuracy: 250 ppm
    if wants(0x0A), traits.features.contains(.privacy) {
      let isResolved = identity != peer
      // 2 and 3: an identity address that belongs to a private one
      let shown = isResolved ? [identity.bytes[0] + 2] + identity.bytes.dropFirst() : peer.bytes
      emitLowEnergy(0x0A, head + shown + none + (isResolved ? Array(peer.bytes.dropFirst()) : none) + tail)
    } else {
      emitLowEnergy(0x01, head + identity.bytes + tail)
    }
  }

  mutating func reportFailedConnection(_ status: HCIError, role: LinkEnd.Role, peer: LinkAddress?) {
    let none = ConnectionParameters(interval: 0, latency: 0, supervisionTimeout: 0)
    let nobody = LinkAddress(DeviceAddress([UInt8](repeating: 0, count: 6))!)
    reportConnection(status, 0, role, peer ?? nobody, none)
  }

  /// Ends a link on this side: Disconnection Complete (7.7.5). What the host has sent on it counts as completed.
  mutating func close(_ handle: UInt16, _ reason: HCIError) {
    guard state.links.removeValue(forKey: handle) != nil else { return }
    freshlyClosed.insert(handle)
    emit(0x05, [0x00] + handle.littleEndianBytes + [reason.rawValue])
  }

  /// When the peer of a link must have answered at the latest.
  var nextDeadline: (handle: UInt16, due: Instant)? {
    let due = state.links.compactMap { handle, end in end.deadline.map { (handle: handle, due: $0) } }
    return due.min { ($0.due, $0.handle) < ($1.due, $1.handle) }
  }
}

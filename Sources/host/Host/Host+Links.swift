import Bluetooth
import Framing
import HCIPackets
import SecurityManager

// What a caller asks of links. Then it calls ``advance(to:)``.
extension Host {
  /// The links, in the order in which they began.
  package var allLinks: [HostLink] { links.all }

  /// The link with a handle; nil: there is none.
  package func link(_ handle: LinkHandle) -> HostLink? { links[handle] }

  /// Sends a PDU of ATT, or lets it wait for the controller.
  package mutating func send(_ pdu: [UInt8], on handle: LinkHandle) {
    send(L2CAPFrame(channel: L2CAPFrame.attributeChannel, payload: pdu), on: handle)
  }

  /// Whether PDUs of a link wait for the controller.
  package func isCongested(_ handle: LinkHandle) -> Bool { links.isCongested(handle) }

  /// Ends a link, and sends nothing more on it.
  ///
  /// - Parameter reason: what the peer is told, of ``HCIError/reasonsToDisconnect``; for any other, Remote User Terminated.
  package mutating func disconnect(_ handle: LinkHandle, _ reason: HCIError) {
    guard let link = links[handle], !link.isEnding else { return }
    let end = now.advanced(by: Self.longestEnding)
    changeLink(handle) { $0.end = end }
    let isPossible = HCIError.reasonsToDisconnect.contains(reason)
    enqueue(.disconnect(handle, isPossible ? reason : .remoteUserTerminated))
  }

  /// Ends a link that cannot go on.
  mutating func giveUp(_ handle: LinkHandle, _ fault: PeerFault) {
    guard links[handle]?.isEnding == false else { return }
    tell(.givenUp(handle, fault))
    changeLink(handle) { $0.fault = fault }
    disconnect(handle, .remoteLowResources)
  }

  /// A peer that does not answer loses the link after its supervision timeout, which is at most 32 s (Vol 6 Part B 4.5.2).
  private static let longestEnding = Duration.seconds(45)

  /// Asks the peer for other connection parameters: as a central, by its controller; as a peripheral, on the signalling channel,
  /// which every central has.
  package mutating func ask(for wanted: PreferredConnectionParameters, on handle: LinkHandle) {
    guard let link = links[handle] else { return }
    if link.isCentral { return enqueue(.updateConnection(handle, wanted)) }
    let now = now
    guard let request = changeLink(handle, { $0.signalling.ask(for: wanted, at: now) }) else { return }
    signal(request, on: handle)
  }

  /// Asks the peer for another PHY or for longer packets, if the controller can.
  package mutating func ask(for change: LinkChange, on handle: LinkHandle) {
    guard let abilities, links[handle] != nil else { return }
    if let phys = change.phys, abilities.has(.setPHY) { enqueue(.setPHY(handle, phys)) }
    if let sizes = change.packetSizes, abilities.has(.setDataLength) {
      enqueue(.setDataLength(handle, sizes.sent))
    }
  }

  /// Asks the controller for the PHYs and the signal of a link, and tells of both in one ``HostEvent/measured(_:_:)``.
  package mutating func measure(_ handle: LinkHandle) {
    guard links[handle] != nil else { return }
    if abilities?.has(.readPHY) == true { enqueue(.readPHY(handle)) }
    enqueue(.readRSSI(handle))
  }

  mutating func signal(_ bytes: [UInt8], on handle: LinkHandle) {
    send(L2CAPFrame(channel: L2CAPFrame.signallingChannel, payload: bytes), on: handle)
  }

  mutating func perform(_ actions: [SignallingChannel.Action], on handle: LinkHandle) {
    for action in actions {
      switch action {
      case .send(let bytes): signal(bytes, on: handle)
      case .update(let wanted): enqueue(.updateConnection(handle, wanted))
      case .refused(let refusal): tell(.parametersRefused(handle, refusal))
      case .channel(let packet, let identifier): receive(packet, identifier, on: handle)
      }
    }
  }
}

// MARK: What happens to links

extension Host {
  mutating func take(_ event: HCIEvent) {
    switch event {
    case .connected(let link): arrived(link)
    case .disconnected(let handle, let reason): ended(handle, reason)
    case .parametersChanged(let handle, let parameters): changed(handle, LinkChange(parameters: parameters))
    case .parametersRefused(let handle, let error):
      if links[handle] != nil { tell(.parametersRefused(handle, .controller(error))) }
    case .physChanged(let handle, let phys): changed(handle, LinkChange(phys: phys))
    case .packetSizesChanged(let handle, let sizes): changed(handle, LinkChange(packetSizes: sizes))
    case .parametersRequested(let handle, let wanted): meet(.parameters(wanted), on: handle)
    case .longTermKeyRequested(let handle, let rand, let diversifier):
      meet(.encryption(rand: rand, diversifier: diversifier), on: handle)
    case .encryptionChanged(let handle, let isEncrypted):
      changeSecurity(of: handle) { $0.encryptionChanged(to: isEncrypted, at: $1) }
    case .encryptionFailed(let handle, let error):
      changeSecurity(of: handle) { $0.encryptionFailed(error, at: $1) }
    default: break
    }
  }

  mutating func receive(_ frame: L2CAPFrame, on handle: LinkHandle) {
    switch frame.channel {
    case L2CAPFrame.attributeChannel: tell(.received(handle, frame.payload))
    case L2CAPFrame.signallingChannel:
      guard let isCentral = links[handle]?.isCentral else { return }
      let actions = changeLink(handle) { $0.signalling.receive(frame.payload, isCentral: isCentral) }
      perform(actions ?? [], on: handle)
    case L2CAPFrame.securityChannel where frame.payload.first == SecurityCode.pairingRequest.rawValue:
      meet(.pairing(frame.payload), on: handle)
    case L2CAPFrame.securityChannel: receiveSecurity(frame.payload, on: handle)
    default: receiveInChannel(frame, on: handle)
    }
  }

  mutating func changed(_ handle: LinkHandle, _ change: LinkChange) {
    guard links[handle] != nil else { return }
    if let parameters = change.parameters { changeLink(handle) { $0.parameters = parameters } }
    tell(.changed(handle, change))
  }

  /// - Parameter rssi: in dBm, two's complement; 0x7F: the controller does not know it (Vol 4 Part E 7.5.4).
  private mutating func measured(_ handle: LinkHandle, _ rssi: UInt8) {
    guard var change = links[handle]?.measured else { return }
    changeLink(handle) { $0.measured = LinkChange() }
    if rssi != 0x7F { change.rssi = Int8(bitPattern: rssi) }
    if change != LinkChange() { tell(.measured(handle, change)) }
  }

  /// The controller has carried out, begun or refused what a link asked for.
  mutating func completedRequest(_ command: HCICommand, _ error: HCIError?, _ answer: [UInt8]) {
    var fields = ByteReader(command.parameters)
    guard let handle = fields.handle(), links[handle] != nil else { return }
    switch (command.opcode, error) {
    // The link's end is on the way, or has been lost.
    case (_, .unknownConnectionIdentifier?):
      let end = now.advanced(by: .seconds(1))
      changeLink(handle) { $0.end = end }
    case (.updateConnection, let error?): tell(.parametersRefused(handle, .controller(error)))
    case (.readPHY, nil):
      let phys = Directions<PHY>.read(from: [0] + answer)?.1
      changeLink(handle) { $0.measured.phys = phys }
    case (.readRSSI, _): measured(handle, error == nil && answer.count >= 3 ? answer[2] : 0x7F)
    case (.disconnect, .some): changeLink(handle) { $0.end = nil }
    default: break
    }
  }
}

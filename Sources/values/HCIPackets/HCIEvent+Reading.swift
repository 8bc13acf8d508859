import Bluetooth
import Framing

extension HCIEvent {
  /// Reads a packet of an HCI socket: 0x04 for an event, its code, the length of the parameters, and these; 0x01 for a
  /// command, its opcode, the length of the parameters, and these; or 0x02 for data (``ACLPacket``).
  ///
  ///     04  05  04  00 40 00 13    Disconnection Complete, 4 bytes: success, handle 0x0040, reason
  ///     01  3C 20  01  EF          LE Remove Advertising Set, 1 byte
  ///     02  40 20  0B 00  07 00  06 00  01 04 00 2D 10 07 07    Pairing Request by Secure Connections
  ///
  /// - Returns: nil for any other packet.
  package init?(_ packet: some Collection<UInt8>) {
    var fields = ByteReader(packet)
    guard let type = fields.byte() else { return nil }
    self.init(type: type, &fields)
  }

  /// Reads a packet of this type, without it.
  package init?(type: UInt8, _ packet: some Collection<UInt8>) {
    var fields = ByteReader(packet)
    self.init(type: type, &fields)
  }

  private init?(type: UInt8, _ fields: inout ByteReader) {
    switch type {
    case 0x01: self.init(commandIn: &fields)
    case 0x02:
      guard let packet = ACLPacket(in: &fields) else { return nil }
      self.init(pairingRequestIn: packet)
    case 0x04:
      guard let code = fields.byte() else { return nil }
      self = Self(code, &fields) ?? .other(code: code)
    default: return nil
    }
  }

  private init?(commandIn fields: inout ByteReader) {
    guard let opcode = fields.number(), let length = fields.byte(), Int(length) <= fields.rest.count else {
      return nil
    }
    self = .given(HCICommand(HCIOpcode(rawValue: opcode), Array(fields.rest.prefix(Int(length)))))
  }

  /// Length, the channel of the Security Manager, Pairing Request, IO capability, OOB data, AuthReq (Vol 3 Part A 3.1 and Part H
  /// 3.5.1).
  private init?(pairingRequestIn packet: ACLPacket) {
    var fields = ByteReader(packet.bytes)
    guard packet.boundary == .first, fields.skip(2), fields.number() == L2CAPFrame.securityChannel,
      fields.byte() == 0x01, fields.skip(2), let authentication = fields.byte()
    else { return nil }
    self = .pairingRequested(packet.handle, bySecureConnections: authentication & 0x08 != 0)
  }

  private init?(_ code: UInt8, _ fields: inout ByteReader) {
    guard let length = fields.byte(), Int(length) <= fields.rest.count else { return nil }
    switch code {
    case 0x05: self.init(disconnectionIn: &fields)
    case 0x08, 0x59: self.init(encryptionIn: &fields)
    case 0x30: self.init(refreshIn: &fields)
    case 0x0E: self.init(completionIn: &fields)
    case 0x0F: self.init(statusIn: &fields)
    case 0x10:
      guard let number = fields.byte() else { return nil }
      self = .hardwareFailed(number)
    case 0x3E: self.init(lowEnergyIn: &fields)
    default: return nil
    }
  }

  /// Status, handle, reason.
  private init?(disconnectionIn fields: inout ByteReader) {
    guard fields.byte() == 0, let handle = fields.handle(), let reason = fields.byte() else { return nil }
    self = .disconnected(handle, HCIError(rawValue: reason))
  }

  /// Status, handle, 0 for off.
  private init?(encryptionIn fields: inout ByteReader) {
    guard let status = fields.byte(), let handle = fields.handle(), let mode = fields.byte() else {
      return nil
    }
    self =
      status == 0
      ? .encryptionChanged(handle, isEncrypted: mode != 0)
      : .encryptionFailed(handle, HCIError(rawValue: status))
  }

  /// Status, handle.
  private init?(refreshIn fields: inout ByteReader) {
    guard let status = fields.byte(), let handle = fields.handle() else { return nil }
    self =
      status == 0
      ? .encryptionChanged(handle, isEncrypted: true) : .encryptionFailed(handle, HCIError(rawValue: status))
  }

  /// How many commands may follow, opcode, return parameters.
  private init?(completionIn fields: inout ByteReader) {
    guard fields.byte() != nil, let opcode = fields.number() else { return nil }
    self = .completed(HCIOpcode(rawValue: opcode), returnParameters: Array(fields.rest))
  }

  /// Status, how many commands may follow, opcode.
  private init?(statusIn fields: inout ByteReader) {
    guard let status = fields.byte(), fields.byte() != nil, let opcode = fields.number() else { return nil }
    self = .begun(HCIOpcode(rawValue: opcode), status == 0 ? nil : HCIError(rawValue: status))
  }
}

// MARK: LE Meta (7.7.65)

extension HCIEvent {
  private init?(lowEnergyIn fields: inout ByteReader) {
    guard let subevent = fields.byte() else { return nil }
    switch subevent {
    case 0x01: self.init(connectionIn: &fields, hasPrivateAddresses: false)
    case 0x0A, 0x29: self.init(connectionIn: &fields, hasPrivateAddresses: true)
    case 0x03: self.init(updateIn: &fields)
    case 0x05: self.init(keyRequestIn: &fields)
    case 0x06: self.init(parameterRequestIn: &fields)
    case 0x07: self.init(packetSizesIn: &fields)
    case 0x0C: self.init(physIn: &fields)
    case 0x12: self.init(terminationIn: &fields)
    default: return nil
    }
  }

  /// Status, handle, role, type of the address, address, optionally two resolvable private addresses (this side's, or zeros, and
  /// the peer's), parameters.
  private init?(connectionIn fields: inout ByteReader, hasPrivateAddresses: Bool) {
    guard let status = fields.byte() else { return nil }
    if status != 0 {
      self = .connectionFailed(HCIError(rawValue: status))
      return
    }
    guard let handle = fields.handle(), let role = fields.byte(), let peer = fields.linkAddress() else {
      return nil
    }
    let local = hasPrivateAddresses ? fields.address() : nil
    let remote = hasPrivateAddresses ? fields.address() : nil
    guard let parameters = fields.parameters() else { return nil }
    self = .connected(
      EstablishedLink(
        handle, isCentral: role == 0, peer: peer, peerPrivateAddress: remote?.isZero == false ? remote : nil,
        localPrivateAddress: local?.isZero == false ? local : nil, parameters: parameters))
  }

  /// Status, handle, parameters.
  private init?(updateIn fields: inout ByteReader) {
    guard let status = fields.byte(), let handle = fields.handle(), let parameters = fields.parameters()
    else {
      return nil
    }
    self =
      status == 0
      ? .parametersChanged(handle, parameters) : .parametersRefused(handle, HCIError(rawValue: status))
  }

  /// Handle; bytes and microseconds to send, and to receive.
  private init?(packetSizesIn fields: inout ByteReader) {
    guard let handle = fields.handle(), let sent = fields.number(), fields.number() != nil,
      let received = fields.number(), fields.number() != nil
    else { return nil }
    self = .packetSizesChanged(handle, Directions(sent: sent, received: received))
  }

  /// Status, handle, PHY to send, PHY to receive.
  private init?(physIn fields: inout ByteReader) {
    guard fields.byte() == 0, let handle = fields.handle(), let phys = fields.phys() else { return nil }
    self = .physChanged(handle, phys)
  }

  /// Status, handle of the set, handle of the link (7.7.65.18).
  private init?(terminationIn fields: inout ByteReader) {
    guard let status = fields.byte(), let handle = fields.byte(), let link = fields.handle() else {
      return nil
    }
    self = .advertisingSetEnded(
      handle: handle, status == 0 ? .link(link) : .error(HCIError(rawValue: status)))
  }

  /// Handle, Rand, EDIV (7.7.65.5).
  private init?(keyRequestIn fields: inout ByteReader) {
    guard let handle = fields.handle(), let rand = fields.bytes(8), let diversifier = fields.number() else {
      return nil
    }
    self = .longTermKeyRequested(handle, rand: rand, diversifier: diversifier)
  }

  /// Handle, shortest and longest interval, latency, supervision timeout (7.7.65.6).
  private init?(parameterRequestIn fields: inout ByteReader) {
    guard let handle = fields.handle(), let shortest = fields.number(), let longest = fields.number(),
      let latency = fields.number(), let timeout = fields.number(), shortest <= longest
    else { return nil }
    self = .parametersRequested(
      handle,
      PreferredConnectionParameters(
        interval: shortest...longest, latency: latency, supervisionTimeout: timeout))
  }
}

extension Directions<PHY> {
  /// Reads the return parameters of LE Read PHY (7.8.47): status, handle, PHY to send, PHY to receive.
  package static func read(from returnParameters: [UInt8]) -> (LinkHandle, Self)? {
    var fields = ByteReader(returnParameters)
    guard fields.byte() == 0, let handle = fields.handle(), let phys = fields.phys() else { return nil }
    return (handle, phys)
  }
}

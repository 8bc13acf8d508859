import Bluetooth
import Framing
import HCIPackets

/// Follows the packets between a host and one of its controllers (Core Specification, Vol 4 Part E).
struct HostTracker: Sendable {
  let adapter: Int
  var own = OwnAddresses()
  var links: [LinkHandle: Int] = [:]
  var classicLinks: Set<LinkHandle> = []
  /// What the host gives as the reason for links that it ends.
  private var reasons: [LinkHandle: HCIError] = [:]
  /// The frames of each link, by direction.
  var toController: [LinkHandle: FrameAssembler] = [:]
  var toHost: [LinkHandle: FrameAssembler] = [:]
  private var reports = ReportJoiner()
  /// The last command, whose completion is not known yet.
  private var pending: (command: HCICommand, time: Instant)?

  init(_ adapter: Int) { self.adapter = adapter }

  mutating func take(
    _ packet: CapturedPacket, type: UInt8, _ direction: HCIDirection?, _ findings: inout Findings
  ) {
    switch type {
    case 0x01, 0x04:
      guard packet.omitted == 0 else { return findings.note(.cutPackets, at: packet.offset) }
      guard let event = HCIEvent(type: type, packet.bytes) else {
        return findings.note(.malformedPackets, at: packet.offset)
      }
      handle(event, packet, &findings)
    case 0x02: takeData(packet, direction, &findings)
    default: break
    }
  }

  /// A command whose completion is not in the recording is taken as carried out.
  mutating func finish(_ findings: inout Findings) { complete(nil, isRefused: false, &findings) }
}

// MARK: - Events and commands

extension HostTracker {
  private mutating func handle(_ event: HCIEvent, _ packet: CapturedPacket, _ findings: inout Findings) {
    switch event {
    case .connected(let link): begin(link, packet, &findings)
    case .disconnected(let handle, let reason): end(handle, reason, at: packet.time, &findings)
    case .encryptionChanged(let handle, let isEncrypted):
      add(.encryption(isEncrypted), handle, packet.time, &findings)
    case .parametersChanged(let handle, let parameters):
      add(.parameters(parameters), handle, packet.time, &findings)
    case .given(let command):
      complete(nil, isRefused: false, &findings)
      pending = (command, packet.time)
      if command.opcode == .disconnect { noteReason(in: command) }
    case .completed(let opcode, let parameters):
      if opcode == .readAddress { own.readAddress(parameters) }
      complete(opcode, isRefused: parameters.first.map { $0 != 0 } ?? false, &findings)
    case .begun(let opcode, let error): complete(opcode, isRefused: error != nil, &findings)
    case .other(let code): handleOther(code, packet, &findings)
    case .connectionFailed, .encryptionFailed, .parametersRefused, .physChanged, .packetSizesChanged,
      .parametersRequested, .longTermKeyRequested, .advertisingSetEnded, .pairingRequested, .hardwareFailed:
      break
    }
  }

  private mutating func handleOther(_ code: UInt8, _ packet: CapturedPacket, _ findings: inout Findings) {
    // LE Meta, and Connection Complete of Classic: status, handle (7.7.3)
    switch code {
    case 0x3E:
      for report in AdvertisingReport.reports(in: packet.bytes) {
        reports.take(report, packet, &findings)
      }
    case 0x03:
      var fields = ByteReader(packet.bytes)
      guard fields.skip(2), fields.byte() == 0, let handle = fields.handle() else { return }
      forget(handle)
      classicLinks.insert(handle)
      findings.note(.classicLinks, at: packet.offset)
    default: break
    }
  }

  /// Applies the pending command, unless it was refused.
  /// - Parameter opcode: that of the completion; nil: there will be none.
  private mutating func complete(_ opcode: HCIOpcode?, isRefused: Bool, _ findings: inout Findings) {
    guard let (command, time) = pending, opcode == nil || opcode == command.opcode else { return }
    pending = nil
    if isRefused { return }
    if command.opcode == .reset {
      for index in links.values { findings.endLink(index, at: time, nil, by: nil) }
      self = HostTracker(adapter, own.afterReset)
    } else {
      for (address, packet) in own.take(command, at: time) {
        findings.add(packet, of: address.map { .known($0) } ?? .local(adapter: adapter))
      }
    }
  }

  private init(_ adapter: Int, _ own: OwnAddresses) {
    self.init(adapter)
    self.own = own
  }
}

// MARK: - Links

extension HostTracker {
  private mutating func begin(
    _ established: EstablishedLink, _ packet: CapturedPacket, _ findings: inout Findings
  ) {
    let handle = established.handle
    if let earlier = links[handle] {
      findings.add(
        .gap("The link has ended here at the latest: its handle is that of another one."), toLink: earlier,
        at: packet.time)
    }
    forget(handle)
    var link = ObservedLink(packet)
    link.start = packet.time
    link.adapter = adapter
    link.beginsConnectable = own.isConnectable
    link.hostRole = established.isCentral ? .central : .peripheral
    link.peerAddress = established.peer
    link.hostAddress =
      established.isCentral
      ? established.localPrivateAddress.map { LinkAddress($0, .random) } ?? own.initiator : own.advertiser
    link.add(.parameters(established.parameters), at: packet.time)
    links[handle] = findings.begin(link)
  }

  /// 0x16 is for the end that the host caused, and the reasons that a host may give are the peer's.
  private mutating func end(
    _ handle: LinkHandle, _ reason: HCIError, at time: Instant, _ findings: inout Findings
  ) {
    if let index = links[handle] {
      let by: LinkRole? =
        reason == .localHost ? .central : HCIError.reasonsToDisconnect.contains(reason) ? .peripheral : nil
      let given = reason == .localHost ? reasons[handle] : nil
      findings.endLink(index, at: time, given ?? reason, by: by, isConnectable: own.isConnectable)
    }
    forget(handle)
  }

  /// Disconnect: handle, reason (7.1.6).
  private mutating func noteReason(in command: HCICommand) {
    var fields = ByteReader(command.parameters)
    if let handle = fields.handle(), let reason = fields.byte() {
      reasons[handle] = HCIError(rawValue: reason)
    }
  }

  private mutating func forget(_ handle: LinkHandle) {
    (links[handle], reasons[handle]) = (nil, nil)
    classicLinks.remove(handle)
    (toController[handle], toHost[handle]) = (nil, nil)
  }

  func add(
    _ kind: CapturedEvent.Kind, _ handle: LinkHandle, _ time: Instant, _ findings: inout Findings
  ) {
    if let index = links[handle] { findings.add(kind, toLink: index, at: time) }
  }
}

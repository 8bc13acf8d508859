import Bluetooth
import Framing
import HCIPackets

/// A link as a sniffer hears it (Core Specification, Vol 6 Part B 4.5, 5.1).
struct AirLink: Sendable {
  /// Whether what is said can be read.
  private enum Encryption {
    case none
    /// LL_ENC_REQ was heard: from here on the packets are encrypted, unless the sniffer has decrypted them.
    case requested
    /// The packets are encrypted, and the sniffer has decrypted them.
    case decrypted
    case unreadable
  }

  /// What one end has sent.
  private struct Side {
    var last: (sequence: Bool, payload: ArraySlice<UInt8>)?
    var frames = FrameAssembler()
  }

  /// nil: unknown, because the request was missed.
  let initialCRC: UInt32?
  /// Its place in the findings.
  private let index: Int
  private var central = Side()
  private var peripheral = Side()
  private var senders = SenderGuess()
  private var encryption = Encryption.none
  /// No packet of it has been heard.
  private(set) var isUnused = true

  init(_ index: Int, initialCRC: UInt32?) { (self.index, self.initialCRC) = (index, initialCRC) }

  mutating func take(
    _ packet: CapturedPacket, _ header: DataHeader, _ payload: ArraySlice<UInt8>,
    _ reception: LinkLayerReception, _ findings: inout Findings
  ) {
    isUnused = false
    let sender = senders.sender(
      at: packet.time, length: payload.count, reception,
      meaning: header.kind == .start ? Self.senderByOpcode(payload) : nil)
    let isCentral = sender == .central
    let last = isCentral ? central.last : peripheral.last
    if isCentral {
      central.last = (header.sequence, payload)
    } else {
      peripheral.last = (header.sequence, payload)
    }
    if let last, last.sequence == header.sequence {
      if isSentAgain(last.payload, payload) { return }
      missPacket(before: packet, &findings)
    }
    if !payload.isEmpty, isReadable(header.kind, payload, sender, reception, packet, &findings) {
      takeReadable(header.kind, payload, sender, packet, &findings)
    }
  }

  private func missPacket(before packet: CapturedPacket, _ findings: inout Findings) {
    guard encryption != .unreadable else { return }
    findings.note(.missedPackets, at: packet.offset)
    findings.add(
      .gap("A packet was not heard here; it may have been empty."), toLink: index, at: packet.time)
  }

  /// A sniffer decrypts a packet once: it may not be able to when it is sent again, and then has its MIC of four bytes.
  private func isSentAgain(_ earlier: ArraySlice<UInt8>, _ payload: ArraySlice<UInt8>) -> Bool {
    payload == earlier
      || encryption == .decrypted && payload.count == earlier.count + 4 && !Self.beginsFrame(payload)
  }

  /// Whether the bytes begin with the head of an L2CAP frame of one of the channels of LE.
  static func beginsFrame(_ payload: ArraySlice<UInt8>) -> Bool {
    var fields = ByteReader(payload)
    guard let length = fields.number(), let channel = fields.number() else { return false }
    return length >= fields.rest.count && length > 0 && (4...6).contains(channel)
  }

  /// The central of most links is the client of ATT.
  private static func senderByOpcode(_ payload: ArraySlice<UInt8>) -> LinkRole? {
    guard beginsFrame(payload), payload.count > 4, payload[payload.startIndex + 2] == 4 else { return nil }
    return switch AttributeOpcode(rawValue: payload[payload.startIndex + 4]).kind {
    case .request, .command, .confirmation: .central
    case .response, .notification, .indication: .peripheral
    }
  }
}

// MARK: - Encryption

extension AirLink {
  /// Whether these bytes are in clear text, because they are not encrypted or the sniffer has decrypted them.
  private mutating func isReadable(
    _ kind: DataHeader.Kind, _ payload: ArraySlice<UInt8>, _ sender: LinkRole,
    _ reception: LinkLayerReception, _ packet: CapturedPacket, _ findings: inout Findings
  ) -> Bool {
    if reception.isDecrypted {
      encrypt(.decrypted, packet, &findings)
      return true
    }
    let looksReadable =
      switch kind {
      case .start: Self.beginsFrame(payload) || Self.isOtherFrame(payload)
      case .continuation:
        encryption == .none || (sender == .central ? central : peripheral).frames.isWaiting
      case .control: ControlPDU.hasRightLength(payload)
      case .reserved: false
      }
    switch encryption {
    case .none: return looksReadable
    case .requested: if !looksReadable { encrypt(.unreadable, packet, &findings) }
    case .decrypted:
      if !looksReadable {
        findings.note(.undecryptedPackets, at: packet.offset)
        findings.add(.gap("This packet could not be decrypted."), toLink: index, at: packet.time)
      }
    case .unreadable: return false
    }
    return looksReadable
  }

  /// Whether a packet on this encrypted link is one that was decrypted, although the sniffer does not say so: encrypted bytes
  /// look otherwise.
  func canBeDecrypted(_ header: DataHeader, _ payload: ArraySlice<UInt8>) -> Bool {
    guard encryption == .requested || encryption == .decrypted else { return false }
    return switch header.kind {
    case .start: Self.beginsFrame(payload)
    case .continuation: central.frames.isWaiting || peripheral.frames.isWaiting
    case .control: ControlPDU.hasRightLength(payload)
    case .reserved: false
    }
  }

  /// A whole frame of another channel.
  private static func isOtherFrame(_ payload: ArraySlice<UInt8>) -> Bool {
    var fields = ByteReader(payload)
    guard let length = fields.number(), fields.skip(2) else { return false }
    return length == fields.rest.count
  }

  private mutating func encrypt(
    _ next: Encryption, _ packet: CapturedPacket, _ findings: inout Findings
  ) {
    let wasInClearText = encryption == .none || encryption == .requested
    if next != encryption, next == .unreadable { findings.note(.encryptedLink, at: packet.offset) }
    encryption = next
    if wasInClearText { findings.add(.encryption(true), toLink: index, at: packet.time) }
  }
}

// MARK: - What is said

extension AirLink {
  private mutating func takeReadable(
    _ kind: DataHeader.Kind, _ payload: ArraySlice<UInt8>, _ sender: LinkRole, _ packet: CapturedPacket,
    _ findings: inout Findings
  ) {
    if kind == .control { return take(ControlPDU(payload), sender, packet, &findings) }
    let isContinuation = kind == .continuation
    let earlierDrops = central.frames.dropCount &+ peripheral.frames.dropCount
    let frame =
      sender == .central
      ? central.frames.take(payload.span, isContinuation: isContinuation)
      : peripheral.frames.take(payload.span, isContinuation: isContinuation)
    if central.frames.dropCount &+ peripheral.frames.dropCount != earlierDrops {
      findings.note(.lostFragments, at: packet.offset)
      findings.add(.gap("A part of a message is missing."), toLink: index, at: packet.time)
    }
    guard let frame else { return }
    if (4...6).contains(frame.channel) {
      findings.add(frame, from: sender, toLink: index, at: packet.time)
    } else {
      findings.note(.furtherChannels, at: packet.offset)
    }
  }

  private mutating func take(
    _ pdu: ControlPDU?, _ sender: LinkRole, _ packet: CapturedPacket, _ findings: inout Findings
  ) {
    switch pdu {
    case .connectionUpdate(let parameters):
      findings.add(.parameters(parameters), toLink: index, at: packet.time)
    case .termination(let reason): findings.endLink(index, at: packet.time, reason, by: sender)
    case .encryptionRequest: if encryption == .none { encryption = .requested }
    case .encryptionRefusal: if encryption == .requested { encryption = .none }
    case .encryptionStart: encrypt(.decrypted, packet, &findings)
    case nil: break
    }
  }
}

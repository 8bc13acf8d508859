import Bluetooth
import Framing
import HCIPackets

// Vol 4 Part E 5.4.2
extension HostTracker {
  mutating func takeData(
    _ packet: CapturedPacket, _ direction: HCIDirection?, _ findings: inout Findings
  ) {
    var fields = ByteReader(packet.bytes)
    guard packet.omitted == 0, let data = ACLPacket(in: &fields) else {
      return loseData(packet, &findings)
    }
    guard data.handle != Self.logHandle, !classicLinks.contains(data.handle) else { return }
    let isFromHost = (direction ?? guessDirection(of: data)) == .toController
    let earlierDrops = dropCount(of: data.handle)
    let frame =
      isFromHost
      ? toController[data.handle, default: FrameAssembler()].take(data)
      : toHost[data.handle, default: FrameAssembler()].take(data)
    if dropCount(of: data.handle) != earlierDrops, links[data.handle] != nil {
      findings.note(.lostFragments, at: packet.offset)
      add(.gap("A part of a message is missing."), data.handle, packet.time, &findings)
    }
    if let frame { take(frame, data.handle, isFromHost ? .central : .peripheral, packet, &findings) }
  }

  /// Qualcomm's controllers send their log as data of a link that does not exist.
  private static let logHandle: LinkHandle = 0x0EDC

  private func dropCount(of handle: LinkHandle) -> Int {
    (toController[handle]?.dropCount ?? 0) &+ (toHost[handle]?.dropCount ?? 0)
  }

  /// What the recorder has cut is of no use, and the rest of the frame is neither.
  private mutating func loseData(_ packet: CapturedPacket, _ findings: inout Findings) {
    findings.note(packet.omitted == 0 ? .malformedPackets : .cutPackets, at: packet.offset)
    var fields = ByteReader(packet.bytes)
    guard let handle = fields.handle() else { return }
    (toController[handle], toHost[handle]) = (nil, nil)
    add(.gap("This packet is not complete."), handle, packet.time, &findings)
  }

  /// The direction where the format does not tell (link type 187): a host begins a frame with 0, a controller with 2. A continuation
  /// belongs to the frame that waits for one; if both directions do, it is taken as the controller's.
  private func guessDirection(of data: ACLPacket) -> HCIDirection {
    switch data.boundary {
    case .firstToController: .toController
    case .first, .whole: .toHost
    case .continuation:
      toController[data.handle]?.isWaiting == true && toHost[data.handle]?.isWaiting != true
        ? .toController : .toHost
    }
  }

  private mutating func take(
    _ frame: L2CAPFrame, _ handle: LinkHandle, _ sender: LinkRole, _ packet: CapturedPacket,
    _ findings: inout Findings
  ) {
    switch frame.channel {
    case L2CAPFrame.attributeChannel, L2CAPFrame.signallingChannel, L2CAPFrame.securityChannel:
      let index = links[handle] ?? earlierLink(handle, packet, &findings)
      findings.add(frame, from: sender, toLink: index, at: packet.time)
    // signalling of Classic
    case 0x0001 where links[handle] == nil:
      classicLinks.insert(handle)
      findings.note(.classicLinks, at: packet.offset)
    default:
      if links[handle] != nil { findings.note(.furtherChannels, at: packet.offset) }
    }
  }

  /// A link that began before the recording did.
  private mutating func earlierLink(
    _ handle: LinkHandle, _ packet: CapturedPacket, _ findings: inout Findings
  ) -> Int {
    var link = ObservedLink(packet)
    link.adapter = adapter
    let index = findings.begin(link)
    links[handle] = index
    return index
  }
}

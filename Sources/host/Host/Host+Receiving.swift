import Bluetooth
import Framing
import HCIPackets

// What comes from the controller.
extension Host {
  /// Takes a packet of the controller, with its type (Vol 4 Part A 2). Then call ``advance(to:)``.
  package mutating func receive(_ packet: ArraySlice<UInt8>, at time: Instant) {
    now = max(now, time)
    if case .failed = phase { return }
    let start = packet.startIndex
    guard packet.count >= 3 else { return }
    switch (packet[start], packet[start + 1]) {
    case (0x02, _): receiveData(packet)
    case (0x04, 0x13): completedPackets(packet)
    case (0x04, let code): receiveEvent(packet, code)
    default: break
    }
  }

  /// Handle and flags, length, a part of a frame (5.4.2).
  private mutating func receiveData(_ packet: ArraySlice<UInt8>) {
    let start = packet.startIndex
    guard packet.count >= 5 else { return }
    let head = UInt16(packet[start + 1], packet[start + 2])
    let length = Int(UInt16(packet[start + 3], packet[start + 4]))
    guard packet.count - 5 >= length else { return }
    let handle = head & 0x0FFF
    let part = packet[(start + 5)..<(start + 5 + length)]
    let frame = links.change(handle) { $0.incoming.take(part, isContinuation: head >> 12 & 3 == 1) }
    if let frame = frame ?? nil {
      receive(frame, on: handle)
    } else if frame == nil {
      arrivals.keep(packet, handle, at: now)
    }
  }

  /// Number of links; for each, its handle, and how many packets (7.7.19).
  private mutating func completedPackets(_ packet: ArraySlice<UInt8>) {
    var place = packet.startIndex + 4
    while place + 4 <= packet.endIndex {
      let handle = UInt16(packet[place], packet[place + 1]) & 0x0FFF
      links.completed(Int(UInt16(packet[place + 2], packet[place + 3])), on: handle)
      place += 4
    }
    links.sendParts(to: &packets)
    tellDrained()
  }

  mutating func tellDrained() {
    for handle in links.takeDrained() { tell(.drained(handle)) }
    for (handle, channel) in links.takeDrainedChannels() { tell(.channel(handle, channel, .drained)) }
  }

  private mutating func receiveEvent(_ packet: ArraySlice<UInt8>, _ code: UInt8) {
    guard let event = HCIEvent(packet) else { return }
    switch event {
    case .completed(let opcode, let parameters):
      let status = parameters.first ?? 0
      answered(opcode, allowed: packet[packet.startIndex + 3], status, Array(parameters.dropFirst()))
    case .begun(let opcode, let error):
      answered(opcode, allowed: packet[packet.startIndex + 4], error?.rawValue ?? 0, [])
    case .hardwareFailed(let number): fail(.hardware(number))
    case .other(0x3E) where radio?.scanning.wanted != nil:
      for report in AdvertisingReport.reports(in: packet.dropFirst()) { tell(.heard(report)) }
    // A controller that has not been reset yet may have links of another host.
    default:
      guard case .running = phase else { return }
      take(event)
      perform(changeRadio { $0.take(event) } ?? [])
    }
  }

  private mutating func answered(_ opcode: HCIOpcode, allowed: UInt8, _ status: UInt8, _ answer: [UInt8]) {
    guard let (command, purpose) = commands.answered(opcode, allowed: allowed, at: now) else { return }
    completed(command, purpose, status == 0 ? nil : HCIError(rawValue: status), answer)
  }

  private mutating func take(_ event: HCIEvent) {
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
}

import Bluetooth
import Framing

/// Turns the packets of a recording, one after the other, into its devices and links.
///
/// A recording of HCI is that of one host. The host is the central of its links (a phone) or their peripheral (a device that blemu
/// runs); a link that began earlier does not say, and then its ATT PDUs tell: the central asks.
///
/// Both ends of a link may be a GATT server: some devices read the attributes of the phone. ATT PDUs therefore say who sent them, and a
/// consumer that wants the attributes of the device takes the requests, commands and confirmations of the central, and the
/// responses, notifications and indications of the peripheral.
package struct LinkTracker: Sendable {
  private var findings: Findings
  private var hosts: [Int: HostTracker] = [:]
  private var air = AirTracker()
  private let capacity: Int

  /// - Parameters:
  ///   - format: as in `btsnoop (HCI, H4)`.
  ///   - capacity: how many events and advertisements it keeps. The default takes 3 GB of memory, and a person has nothing
  ///     to learn from more.
  package init(format: String, capacity: Int = 4_000_000) {
    findings = Findings(format: format)
    self.capacity = capacity
  }

  /// Whether it should take no more packets.
  package var isFull: Bool { findings.size >= capacity }

  package mutating func take(_ packet: CapturedPacket) {
    findings.count(packet)
    switch packet.layer {
    case .hci(let type, let adapter, let direction):
      hosts[adapter, default: HostTracker(adapter)].take(packet, type: type, direction, &findings)
    case .linkLayer(let reception): air.take(packet, reception, &findings)
    case .adapter(let adapter, let address):
      hosts[adapter, default: HostTracker(adapter)].own.publicAddress = address
    case .remark: break
    }
    if isFull { findings.note(.tooLong, at: packet.offset) }
  }

  /// Ends the recording. Links that are still there have no end.
  package mutating func finish() -> Capture {
    for adapter in hosts.keys.sorted() { hosts[adapter]?.finish(&findings) }
    air.finish(&findings)
    return findings.capture()
  }
}

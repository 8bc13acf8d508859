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

  /// - Parameter format: as in `btsnoop (HCI, H4)`.
  package init(format: String) { findings = Findings(format: format) }

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
  }

  /// Ends the recording. Links that are still there have no end.
  package mutating func finish() -> Capture {
    for adapter in hosts.keys.sorted() { hosts[adapter]?.finish(&findings) }
    return findings.capture()
  }
}

import Bluetooth
import Framing

/// Writes ATT PDUs.
package enum PDUText {
  /// `0A 03 00  Read Request (0x0A)`
  package static func write(_ packet: [UInt8]) -> String {
    packet.isEmpty ? "an empty PDU" : "\(HexText.format(packet))  \(name(of: packet))"
  }

  /// An Error Response with its error.
  package static func name(of packet: [UInt8]) -> String {
    guard let first = packet.first else { return "an empty PDU" }
    let name = AttributeOpcode(rawValue: first).description
    guard case .errorResponse(_, _, let error)? = try? AttributePDU(packet) else { return name }
    return "\(name): \(error.name)"
  }
}

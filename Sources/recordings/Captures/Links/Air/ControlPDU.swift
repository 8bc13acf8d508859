import Bluetooth
import Framing
import HCIPackets

/// A PDU with which the two Link Layers control a link (Core Specification, Vol 6 Part B 2.4.2), as far as a recording of links needs it.
enum ControlPDU {
  case connectionUpdate(ConnectionParameters)
  case termination(HCIError)
  /// LL_ENC_REQ: the next packets but the answers to it are encrypted.
  case encryptionRequest
  /// LL_REJECT_IND and LL_REJECT_EXT_IND, which may be for another procedure; then there is no request to refuse.
  case encryptionRefusal
  /// LL_START_ENC_RSP, which is itself encrypted.
  case encryptionStart

  init?(_ payload: ArraySlice<UInt8>) {
    var fields = ByteReader(payload)
    guard Self.hasRightLength(payload), let opcode = fields.byte() else { return nil }
    switch opcode {
    // Size and offset of the window, parameters, instant
    case 0x00:
      guard fields.skip(3), let parameters = fields.parameters() else { return nil }
      self = .connectionUpdate(parameters)
    case 0x02:
      guard let reason = fields.byte() else { return nil }
      self = .termination(HCIError(rawValue: reason))
    case 0x03: self = .encryptionRequest
    case 0x06: self = .encryptionStart
    case 0x0D, 0x11: self = .encryptionRefusal
    default: return nil
    }
  }

  /// Whether the length fits the opcode. That of encrypted bytes does not: they are longer by a MIC of four.
  static func hasRightLength(_ payload: ArraySlice<UInt8>) -> Bool {
    guard let opcode = payload.first, Int(opcode) < lengths.count else { return false }
    return payload.count == 1 + lengths[Int(opcode)]
  }

  /// The bytes after the opcodes 0x00 to 0x1B.
  private static let lengths = [
    11, 7, 1, 22, 12, 0, 0, 1, 8, 8, 0, 0, 5, 1, 8, 23, 23, 2, 0, 0, 8, 8, 2, 2, 4, 2, 1, 0,
  ]
}

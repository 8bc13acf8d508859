import Framing

/// Mistakes in the wire side, or in how bytes become frames.
extension Mistake {
  static let unusedWireSide = Self(
    "no bytes pass through the wire side", "add a bridge, or rules that receive from 'wire' or send to it")
  static func noFrames(id: String) -> Self {
    Self(
      "'\(id)' takes no writes and sends no notifications, so it has no frames",
      "add write or notify to its properties")
  }
  /// A part of a frame has no bytes.
  /// - Parameter control: the control characters that stand there in place of hex.
  static func emptyBytes(control: [UInt8]) -> Self {
    Self("expected at least one byte in hex", control.isEmpty ? nil : "write \(HexText.format(control))")
  }
  static func tooShortPacket(size: Int, least: Int) -> Self {
    Self("\(size) bytes have no room for start, checksum and tail", "these take \(least)")
  }
  static func noAlternative(isSilence: Bool) -> Self {
    Self(
      "frames that end with a \(isSilence ? "silence" : "delimiter") cannot be one of several formats",
      "a list can contain only packets, which have a size, a length or a tail")
  }
  static let codedAlternative = Self(
    "an encoded framing cannot be one of several", "write one framing, without a list")
  static let directedAlternative = Self(
    "a list of formats cannot say 'in' or 'out'", "put the list inside: in: [ … ], out: [ … ]")
  /// - Parameter isSent: whether the expression is for what the device sends.
  static func otherDirection(isSent: Bool) -> Self {
    isSent
      ? Self("'in' is for bytes that arrive, which are decoded", "write the encoding under 'out'")
      : Self("'out' is for bytes that are sent, which are encoded", "write the decoding under 'in'")
  }
  static func unjoinedPlace(isLayer: Bool) -> Self {
    Self(
      "'out' says how a central joins what is sent to it; \(isLayer ? "a layer" : "the wire side") has no central",
      "write the framing of what arrives, without 'in' and 'out'")
  }
  static let checkOfWholeFrame = Self(
    "a check over 'frame' covers what its expression says", "remove 'check-from'")
  static let noFormats = Self("expected at least one framing", "a list names the formats of the packets")
}

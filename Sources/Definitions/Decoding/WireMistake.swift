import Framing

/// A mistake in the wire side, or in how bytes become frames.
enum WireMistake: Mistake {
  /// Nothing is sent to the wire side or received from it.
  case unusedWireSide
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case badBaud(any Error, circumstance: String)
  /// The characteristic has no bytes that could become frames.
  case noFrames(id: String)
  /// A part of a frame has no bytes.
  /// - Parameter control: the control characters that stand there in place of hex.
  case emptyBytes(control: [UInt8])
  /// Packets of a fixed size are too short for their parts.
  case tooShortPacket(size: Int, least: Int)
  /// A delimiter or a silence in a list of framings.
  case noAlternative(isSilence: Bool)
  /// An encoding in a list of framings.
  case codedAlternative
  /// A list of framings is empty.
  case noFormats
}

extension WireMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .unusedWireSide:
      (
        "no bytes pass through the wire side",
        "add a bridge, or rules that receive from 'wire' or send to it"
      )
    case .badBaud(let error, let circumstance): ("\(circumstance)\(error)", nil)
    case .noFrames(let id):
      (
        "'\(id)' takes no writes and sends no notifications, so it has no frames",
        "add write or notify to its properties"
      )
    case .emptyBytes(let control):
      ("expected at least one byte in hex", control.isEmpty ? nil : "write \(HexText.format(control))")
    case .tooShortPacket(let size, let least):
      ("\(size) bytes have no room for start, checksum and tail", "these take \(least)")
    case .codedAlternative:
      ("an encoded framing cannot be one of several", "write one framing, without a list")
    case .noFormats: ("expected at least one framing", "a list names the formats of the packets")
    case .noAlternative(let isSilence):
      (
        "frames that end with a \(isSilence ? "silence" : "delimiter") cannot be one of several formats",
        "a list can contain only packets, which have a size, a length or a tail"
      )
    }
  }
}

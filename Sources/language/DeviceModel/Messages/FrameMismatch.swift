import Framing

/// Why no frame of a stream can be a message.
package enum FrameMismatch: Hashable, Sendable {
  /// The message contains the bytes that end a frame; at its end, if no index is given.
  case delimiter([UInt8], at: Int?)
  /// Frames begin with other bytes.
  case start(expected: [MaskedBytes], found: [UInt8])
  /// All frames have this size.
  case size(expected: Int, found: ClosedRange<Int>)
  /// The shortest message is longer than the longest frame.
  case tooLong(least: Int, limit: Int)
  /// The longest message is shorter than the shortest frame.
  case tooShort(most: Int, least: Int)
  /// The constant bytes of the length field give another size; `expected` are the right ones for a message of one size.
  case length(LengthField, found: [UInt8], meaning: Int, sizes: ClosedRange<Int>, expected: [UInt8]?)
  /// The length field cannot hold the number for a message of this size.
  case unsayableLength(LengthField, size: Int)
  /// The length field is a `{size}`, possibly of a field, that adds another number than the framing does.
  case addition(LengthField, of: String?, found: Int, expected: Int)
  /// The length field is a `{size}` in the other byte order.
  case lengthOrder(LengthField)
  /// Frames end with other bytes; `found` is empty where the bytes of the message vary.
  case tail(expected: [UInt8], found: [UInt8])
  /// The bytes that end a frame come earlier in the message.
  case earlyTail([UInt8], at: Int)
  /// The message has no checksum, but the framing checks one.
  case missingCheck(CheckField, isBeforeTail: Bool)
  /// The message has its checksum in another place.
  case misplacedCheck(CheckField, isBeforeTail: Bool)
  /// The message has another checksum.
  case otherCheck(found: Checksum, expected: Checksum)
  /// Its checksum covers other bytes.
  case coverage(Checksum, from: Int, through: Int?, expectedFrom: Int)
  /// Its constant bytes have another checksum.
  case checkValue(Checksum, found: [UInt8], expected: [UInt8])
}

extension FrameMismatch {
  /// How far the comparison got. Of several formats, the one that a message fits best explains most.
  var progress: Int {
    switch self {
    case .start: 0
    case .delimiter, .size, .tooLong, .tooShort: 1
    case .length, .unsayableLength, .addition, .lengthOrder: 2
    case .tail, .earlyTail: 3
    case .missingCheck, .misplacedCheck, .otherCheck, .coverage, .checkValue: 4
    }
  }
}

extension PeripheralDefinition {
  /// Why no frame of a place can be a message; nil if one can, or if that is unknown.
  package func mismatch(of message: MessageTemplate, at endpoint: Rule.Endpoint) -> FrameMismatch? {
    guard let framing = framing(of: endpoint) else { return nil }
    let coding = coding(of: endpoint)
    return mismatch(of: message, with: framing, coding, coding?.packet)
  }

  /// Why no frame that a central joins there can be a message; nil if one can, or if that is unknown.
  package func sentMismatch(of message: MessageTemplate, from characteristic: Int) -> FrameMismatch? {
    guard let framing = characteristics[characteristic].sentFraming else { return nil }
    let coding = characteristics[characteristic].coding
    return mismatch(of: message, with: framing, coding, coding?.sentPacket)
  }

  private func mismatch(
    of message: MessageTemplate, with framing: FramingRule, _ coding: StreamCoding?, _ packet: PacketFormat?
  ) -> FrameMismatch? {
    guard let coding, coding.codesFrames else { return message.mismatch(with: framing) }
    return packet.flatMap { FrameComparison(message, limit: framing.maxLength).mismatch(withDecoded: $0) }
  }
}

extension MessageTemplate {
  /// Why no frame of a stream can be this message; nil if one can, or if that is unknown.
  package func mismatch(with rule: FramingRule) -> FrameMismatch? {
    let comparison = FrameComparison(self, limit: rule.maxLength)
    return switch rule.shape {
    case .raw: nil
    case .idle: comparison.sizeMismatch(with: 1...rule.maxLength)
    case .delimited(let delimiter): comparison.mismatch(with: delimiter)
    case .packet(let format): comparison.mismatch(with: format)
    case .alternatives(let formats): comparison.mismatch(with: formats)
    }
  }
}

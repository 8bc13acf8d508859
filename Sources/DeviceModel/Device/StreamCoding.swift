import Framing

/// How the bytes of a stream are encoded on the air, or on the wire side.
///
/// What comes in is decoded, and what goes out is encoded; a central at the other end does the same. Two stages are
/// possible: of each value as it is, and of each frame.
package final class StreamCoding: Sendable {
  /// Of a value, before it is cut into frames, and after all else. `value` is the value.
  package let valueDecoder, valueEncoder: Expression?
  /// Of a frame, `frame`: what is between its start and its tail, without its delimiter.
  package let frameDecoder, frameEncoder: Expression?
  /// The packets after their decoding, with their checksum; nil: frames are no packets.
  package let packet: PacketFormat?
  /// What ends a frame and is not part of it.
  let delimiter: [UInt8]

  /// - Parameter shape: the framing as it is in the file. Where frames are decoded, their framer must not check them.
  package init(
    valueDecoder: Expression?, valueEncoder: Expression?, frameDecoder: Expression?,
    frameEncoder: Expression?,
    shape: FramingRule.Shape
  ) {
    (self.valueDecoder, self.valueEncoder) = (valueDecoder, valueEncoder)
    (self.frameDecoder, self.frameEncoder) = (frameDecoder, frameEncoder)
    if case .packet(let format) = shape { packet = format } else { packet = nil }
    if case .delimited(let delimiter) = shape { self.delimiter = delimiter.bytes } else { delimiter = [] }
  }

  /// Whether frames differ on the air from what they are for rules, in a direction.
  package var codesFrames: Bool { frameDecoder != nil || frameEncoder != nil }

  /// What the other end does: the same, where both directions are known. A device that only decodes sends plain bytes.
  package var peer: StreamCoding? { isMutual ? self : peerStages }

  /// Whether the other end joins what it gets to frames, which it decodes.
  package var joinsAtPeer: Bool { frameDecoder != nil && frameEncoder != nil }

  private var isMutual: Bool {
    (valueDecoder == nil) == (valueEncoder == nil) && (frameDecoder == nil) == (frameEncoder == nil)
  }

  private var peerStages: StreamCoding? {
    let (values, frames) = (valueDecoder != nil && valueEncoder != nil, joinsAtPeer)
    guard values || frames else { return nil }
    return StreamCoding(
      valueDecoder: values ? valueDecoder : nil, valueEncoder: values ? valueEncoder : nil,
      frameDecoder: frames ? frameDecoder : nil,
      frameEncoder: frames ? frameEncoder : nil, packet: packet, delimiter: delimiter)
  }

  private init(
    valueDecoder: Expression?, valueEncoder: Expression?, frameDecoder: Expression?,
    frameEncoder: Expression?,
    packet: PacketFormat?, delimiter: [UInt8]
  ) {
    (self.valueDecoder, self.valueEncoder) = (valueDecoder, valueEncoder)
    (self.frameDecoder, self.frameEncoder) = (frameDecoder, frameEncoder)
    (self.packet, self.delimiter) = (packet, delimiter)
  }
}

/// Why bytes have no encoding, or are none.
package enum CodingError: Error, Hashable, Sendable {
  case evaluation(EvaluationError)
  case discard(DiscardReason)
  /// A message does not have the start or the tail of its stream.
  case noPacket(start: [UInt8], tail: [UInt8])
}

extension CodingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .evaluation(let error): error.description
    case .discard(let reason): reason.description
    case .noPacket(let start, let tail):
      "the message does not begin with \(HexText.format(start)) and end with \(HexText.format(tail))"
    }
  }
}

// MARK: Decoding

extension StreamCoding {
  /// The bytes that a value stands for.
  package func decode(value: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try valueDecoder?.bytes(from: value, in: context) ?? value
  }

  /// The frame that one on the air stands for.
  package func decode(frame: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    guard let frameDecoder else { return frame }
    let (start, tail) = (packet?.start ?? [], packet?.tail ?? [])
    let inside = Array(frame.dropFirst(start.count).dropLast(tail.count))
    let decoded = try frameDecoder.bytes(from: inside, in: context)
    guard decoded.count <= MessageTemplate.maximumSize else {
      throw .discard(.overflow(limit: MessageTemplate.maximumSize))
    }
    let whole = start + decoded + tail
    if let reason = packet?.checkProblem(of: whole) { throw .discard(reason) }
    return whole
  }
}

// MARK: Encoding

extension StreamCoding {
  /// The bytes that go out for a message: its frame, with the delimiter that the message does not have.
  package func encode(message: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try encode(value: encode(frame: message, in: context), in: context)
  }

  /// The bytes that go out for a value.
  package func encode(value: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try valueEncoder?.bytes(from: value, in: context) ?? value
  }

  private func encode(frame: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    guard let frameEncoder else { return frame }
    let (start, tail) = (packet?.start ?? [], packet?.tail ?? [])
    guard frame.count >= start.count + tail.count, frame.starts(with: start),
      frame.suffix(tail.count) == tail[...]
    else { throw .noPacket(start: start, tail: tail) }
    let inside = Array(frame.dropFirst(start.count).dropLast(tail.count))
    return try start + frameEncoder.bytes(from: inside, in: context) + tail + delimiter
  }
}

extension Expression {
  /// The value of an expression for bytes, or for text, which counts as UTF-8.
  fileprivate func bytes(
    from bytes: [UInt8], in context: EvaluationContext
  ) throws(CodingError) -> [UInt8] {
    var context = context
    context.event = EventValues()
    context.event.bytes = bytes
    let value: Value
    do throws(EvaluationError) { value = try evaluate(in: context) } catch { throw .evaluation(error) }
    switch value {
    case .bytes(let bytes): return bytes
    case .text(let text): return Array(text.utf8)
    default: preconditionFailure("bytes or text were checked to stand here")
    }
  }
}

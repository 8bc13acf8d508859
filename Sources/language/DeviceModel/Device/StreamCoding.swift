import Framing

/// How the bytes of a stream are encoded on the air, or on the wire side.
///
/// Incoming bytes are decoded and outgoing bytes encoded; a central at the other end does the same. Two stages are
/// possible: one for each whole value, one for each frame.
package final class StreamCoding: Sendable {
  /// For a value: decodes it before it is split into frames, and encodes it last. `value` is the value.
  package let valueDecoder, valueEncoder: Expression?
  /// For a frame: `frame` is the bytes between its start and its tail, without its delimiter.
  package let frameDecoder, frameEncoder: Expression?
  /// What surrounds the frames that come in, and those that go out.
  private let incoming, outgoing: Outline

  /// What surrounds a frame on the air.
  private struct Outline: Hashable {
    /// The packets after decoding, with their checksum; nil: frames are not packets.
    var packet: PacketFormat?
    /// The bytes that end a frame and are not part of it.
    var delimiter: [UInt8] = []

    init(_ shape: FramingRule.Shape) {
      if case .packet(let format) = shape { packet = format }
      if case .delimited(let delimiter) = shape { self.delimiter = delimiter.bytes }
    }
  }

  /// The packets that come in, after decoding; nil: frames are not packets.
  package var packet: PacketFormat? { incoming.packet }
  /// Those that go out, before encoding.
  package var sentPacket: PacketFormat? { outgoing.packet }

  /// - Parameters:
  ///   - shape: the framing as it is in the file. If frames are decoded, their framer must not check them.
  ///   - outShape: that of what goes out; nil: the same.
  package convenience init(
    valueDecoder: Expression?, valueEncoder: Expression?, frameDecoder: Expression?,
    frameEncoder: Expression?,
    shape: FramingRule.Shape, outShape: FramingRule.Shape? = nil
  ) {
    self.init(
      valueDecoder: valueDecoder, valueEncoder: valueEncoder, frameDecoder: frameDecoder,
      frameEncoder: frameEncoder, incoming: Outline(shape), outgoing: Outline(outShape ?? shape))
  }

  /// Whether frames on the air differ from the frames that rules see, in a direction.
  package var codesFrames: Bool { frameDecoder != nil || frameEncoder != nil }

  /// The other end's coding: the same if both directions are known. A device that only decodes sends plain bytes.
  package var peer: StreamCoding? { isMutual && incoming == outgoing ? self : peerStages }

  /// Whether the other end joins the bytes it gets into frames and decodes those.
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
      frameEncoder: frames ? frameEncoder : nil, incoming: outgoing, outgoing: incoming)
  }

  private init(
    valueDecoder: Expression?, valueEncoder: Expression?, frameDecoder: Expression?,
    frameEncoder: Expression?,
    incoming: Outline, outgoing: Outline
  ) {
    (self.valueDecoder, self.valueEncoder) = (valueDecoder, valueEncoder)
    (self.frameDecoder, self.frameEncoder) = (frameDecoder, frameEncoder)
    (self.incoming, self.outgoing) = (incoming, outgoing)
  }
}

/// Why bytes cannot be encoded or decoded.
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
  /// The decoded bytes of a value.
  package func decode(value: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try valueDecoder?.bytes(from: value, in: context) ?? value
  }

  /// The decoded form of a frame on the air.
  package func decode(frame: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    guard let frameDecoder else { return frame }
    let (start, tail) = (packet?.start ?? [], packet?.tail ?? [])
    let inside = Array(frame.dropFirst(start.count).dropLast(tail.count))
    let decoded = try frameDecoder.bytes(from: inside, in: context)
    guard decoded.count <= MessageTemplate.maximumSize else {
      throw .discard(.overflow(limit: MessageTemplate.maximumSize))
    }
    let whole = frame.prefix(start.count) + decoded + tail
    if let reason = packet?.checkProblem(of: whole) { throw .discard(reason) }
    return whole
  }
}

// MARK: Encoding

extension StreamCoding {
  /// The bytes sent for a message: its frame, with the delimiter that the message itself does not contain.
  package func encode(message: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try encode(value: encode(frame: message, in: context), in: context)
  }

  /// The bytes sent for a value.
  package func encode(value: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    try valueEncoder?.bytes(from: value, in: context) ?? value
  }

  private func encode(frame: [UInt8], in context: EvaluationContext) throws(CodingError) -> [UInt8] {
    guard let frameEncoder else { return frame }
    let packet = outgoing.packet
    let (start, tail) = (packet?.start ?? [], packet?.tail ?? [])
    guard frame.count >= start.count + tail.count, packet?.mayStart(frame) ?? true,
      frame.suffix(tail.count) == tail[...]
    else { throw .noPacket(start: start, tail: tail) }
    let inside = Array(frame.dropFirst(start.count).dropLast(tail.count))
    return try frame.prefix(start.count) + frameEncoder.bytes(from: inside, in: context) + tail
      + outgoing.delimiter
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

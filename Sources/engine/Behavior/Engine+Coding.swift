import DeviceModel
import Framing

/// Streams whose bytes are encoded on the air, or on the wire side.
extension Engine {
  /// The decoded form of a value; nil, and a remark, if it has none.
  mutating func decoded(value: [UInt8], from key: StreamKey, _ coding: StreamCoding) -> [UInt8]? {
    guard coding.valueDecoder != nil else { return value }
    let endpoint = key.endpoint
    if endpoint.isLayer { select(key.central) }
    guard spendWork(on: value, from: endpoint) else { return nil }
    do throws(CodingError) {
      let plain = try coding.decode(value: value, in: context)
      try checkRest(plain, of: value)
      note(plain, isSent: false, insteadOf: value, at: endpoint)
      return plain
    } catch {
      remark(.discarded(endpoint, value, error.reason))
      return nil
    }
  }

  /// The output of a framer with its frame decoded; nil, and a remark, if that has no decoded form.
  mutating func decoded(_ output: FramerOutput, from key: StreamKey, _ coding: StreamCoding)
    -> FramerOutput?
  {
    guard coding.frameDecoder != nil, case .frame(let frame) = output else { return output }
    // Many protocols have their delimiter at the beginning of a frame, too.
    if frame.isEmpty { return nil }
    let endpoint = key.endpoint
    if endpoint.isLayer { select(key.central) }
    guard spendWork(on: frame, from: endpoint) else { return nil }
    do throws(CodingError) {
      let plain = try coding.decode(frame: frame, in: context)
      try checkRest(plain, of: frame)
      note(plain, isSent: false, insteadOf: frame, at: endpoint)
      return .frame(plain)
    } catch {
      remark(.discarded(endpoint, frame, error.reason))
      return nil
    }
  }

  /// A cipher leaves no bytes of those whose tag is wrong.
  private func checkRest(_ plain: [UInt8], of bytes: [UInt8]) throws(CodingError) {
    if plain.isEmpty, !bytes.isEmpty { throw .discard(.undecodable("decoding leaves no bytes")) }
  }

  /// Gives the expressions of a layer the values of its central.
  private mutating func select(_ central: Central?) {
    context.event.central = central
    centralVariables.select(central, in: &context.variables)
  }

  /// The bytes that go out for a message, or for a value, which need not be a frame.
  mutating func encoded(_ plain: [UInt8], isMessage: Bool, for endpoint: Endpoint) throws(CodingError)
    -> [UInt8]
  {
    guard let coding = lookup[endpoint].coding else { return plain }
    turn.spend(work: Self.work(on: plain))
    let bytes =
      try isMessage ? coding.encode(message: plain, in: context) : coding.encode(value: plain, in: context)
    // What goes into a layer is noted as such.
    if !endpoint.isLayer { note(plain, isSent: true, insteadOf: bytes, at: endpoint) }
    return bytes
  }

  /// Notes the decoded form of bytes if it differs from them.
  private mutating func note(
    _ plain: [UInt8], isSent: Bool, insteadOf bytes: [UInt8], at endpoint: Endpoint
  ) {
    if plain != bytes { remark(.plain(endpoint, plain, isSent: isSent)) }
  }

  private mutating func spendWork(on bytes: [UInt8], from endpoint: Endpoint) -> Bool {
    guard turn.hasWorkLeft else {
      let reason = "more than \(Turn.mostWork) steps without time passing"
      remark(.discarded(endpoint, bytes, .undecodable(reason)))
      return false
    }
    turn.spend(work: Self.work(on: bytes))
    return true
  }

  private static func work(on bytes: [UInt8]) -> Int { 1 + bytes.count / 16 }
}

extension CodingError {
  fileprivate var reason: DiscardReason {
    if case .discard(let reason) = self { reason } else { .undecodable("\(self)") }
  }
}

// MARK: The other end

extension Engine {
  /// The bytes that the other end of a stream sends for a message.
  package func codedByPeer(_ message: [UInt8], for endpoint: Endpoint) throws(CodingError) -> [UInt8] {
    try lookup[endpoint].coding?.peer?.encode(message: message, in: context) ?? message
  }

  /// The bytes that the other end of a stream reads from a value.
  package func decodedByPeer(value: [UInt8], from endpoint: Endpoint) throws(CodingError) -> [UInt8] {
    try lookup[endpoint].coding?.peer?.decode(value: value, in: context) ?? value
  }

  /// The bytes that the other end of a stream reads from a frame.
  package func decodedByPeer(frame: [UInt8], from endpoint: Endpoint) throws(CodingError) -> [UInt8] {
    try lookup[endpoint].coding?.peer?.decode(frame: frame, in: context) ?? frame
  }
}

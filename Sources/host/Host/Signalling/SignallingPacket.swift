import Bluetooth

/// A command of the LE signalling channel (Core Specification, Vol 3 Part A 4).
enum SignallingPacket: Hashable {
  case reject(Reason)
  case parameterUpdateRequest(PreferredConnectionParameters)
  /// Of a link whose parameters another device wants to change.
  case parameterUpdateResponse(isAccepted: Bool)
  /// LE Credit Based Connection Request (4.22).
  case channelRequest(spsm: UInt16, source: UInt16, ChannelTerms)
  /// LE Credit Based Connection Response (4.23).
  case channelResponse(ChannelAnswer)
  /// Flow Control Credit (4.24): the channel as its sender names it.
  case credit(channel: UInt16, UInt16)
  /// The channel as the receiver and as the sender of the request name it (4.6).
  case disconnectionRequest(destination: UInt16, source: UInt16)
  case disconnectionResponse(destination: UInt16, source: UInt16)
  /// Any other command.
  case other(code: UInt8, data: [UInt8])

  /// Why a command is rejected (4.1).
  enum Reason: Hashable {
    case notUnderstood
    /// - Parameter mtu: the most bytes that this side takes.
    case tooLong(mtu: UInt16)
    case invalidChannel(local: UInt16, remote: UInt16)
    case other([UInt8])
  }

  /// The most bytes of a command that every device of LE takes (3.2).
  static let mtu = 23
}

extension SignallingPacket {
  /// Reads a command with its identifier.
  ///
  ///     12  01  08 00  18 00 28 00 00 00 2A 00    Connection Parameter Update Request 1: 30 to 50 ms, latency 0, timeout 420 ms
  ///
  /// - Returns: nil if its length is not that of its data.
  static func read(_ bytes: [UInt8]) -> (identifier: UInt8, SignallingPacket)? {
    guard bytes.count >= 4, bytes.count - 4 == Int(UInt16(bytes[2], bytes[3])) else { return nil }
    return (bytes[1], Self(code: bytes[0], Array(bytes[4...])))
  }

  private init(code: UInt8, _ data: [UInt8]) {
    let numbers = stride(from: 0, to: data.count - 1, by: 2).map { UInt16(data[$0], data[$0 + 1]) }
    switch (code, data.count) {
    case (0x01, 2...): self = .reject(Reason(numbers, data))
    case (0x12, 8) where numbers[0] <= numbers[1]:
      self = .parameterUpdateRequest(
        PreferredConnectionParameters(
          interval: numbers[0]...numbers[1], latency: numbers[2], supervisionTimeout: numbers[3]))
    case (0x13, 2): self = .parameterUpdateResponse(isAccepted: numbers[0] == 0)
    case (0x06, 4): self = .disconnectionRequest(destination: numbers[0], source: numbers[1])
    case (0x07, 4): self = .disconnectionResponse(destination: numbers[0], source: numbers[1])
    case (0x14, 10):
      let terms = ChannelTerms(mtu: numbers[2], mps: numbers[3], credits: numbers[4])
      self = .channelRequest(spsm: numbers[0], source: numbers[1], terms)
    case (0x15, 10):
      let terms = ChannelTerms(mtu: numbers[1], mps: numbers[2], credits: numbers[3])
      self = .channelResponse(ChannelAnswer(destination: numbers[0], terms, result: numbers[4]))
    case (0x16, 4): self = .credit(channel: numbers[0], numbers[1])
    default: self = .other(code: code, data: data)
    }
  }

  /// The command with an identifier.
  func bytes(_ identifier: UInt8) -> [UInt8] {
    let (code, data) = parts
    return [code, identifier] + UInt16(data.count).littleEndianBytes + data
  }

  private var parts: (UInt8, [UInt8]) {
    switch self {
    case .reject(let reason): (0x01, reason.bytes)
    case .parameterUpdateRequest(let wanted): (0x12, wanted.characteristicValue)
    case .parameterUpdateResponse(let isAccepted): (0x13, [isAccepted ? 0 : 1, 0])
    case .channelRequest(let spsm, let source, let terms):
      (0x14, Self.bytes([spsm, source, terms.mtu, terms.mps, terms.credits]))
    case .channelResponse(let answer):
      (
        0x15,
        Self.bytes([
          answer.destination, answer.terms.mtu, answer.terms.mps, answer.terms.credits, answer.result,
        ])
      )
    case .credit(let channel, let credits): (0x16, Self.bytes([channel, credits]))
    case .disconnectionRequest(let destination, let source): (0x06, Self.bytes([destination, source]))
    case .disconnectionResponse(let destination, let source): (0x07, Self.bytes([destination, source]))
    case .other(let code, let data): (code, data)
    }
  }

  private static func bytes(_ numbers: [UInt16]) -> [UInt8] { numbers.flatMap(\.littleEndianBytes) }
}

/// The response to a request for a channel (4.23).
struct ChannelAnswer: Hashable {
  /// The channel as the sender names it; 0 if it is refused.
  var destination: UInt16
  var terms: ChannelTerms
  /// The value of a ``ChannelResult``, or one that the specification reserves.
  var result: UInt16

  init(destination: UInt16, _ terms: ChannelTerms, result: UInt16) {
    (self.destination, self.terms, self.result) = (destination, terms, result)
  }

  init(destination: UInt16, _ terms: ChannelTerms, _ result: ChannelResult) {
    self.init(destination: destination, terms, result: result.rawValue)
  }

  static func refusal(_ result: ChannelResult) -> Self {
    Self(destination: 0, ChannelTerms(mtu: 0, mps: 0, credits: 0), result)
  }
}

extension SignallingPacket.Reason {
  fileprivate init(_ numbers: [UInt16], _ data: [UInt8]) {
    switch (numbers[0], data.count) {
    case (0, 2): self = .notUnderstood
    case (1, 4): self = .tooLong(mtu: numbers[1])
    case (2, 6): self = .invalidChannel(local: numbers[1], remote: numbers[2])
    default: self = .other(data)
    }
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .notUnderstood: [0, 0]
    case .tooLong(let mtu): [1, 0] + mtu.littleEndianBytes
    case .invalidChannel(let local, let remote): [2, 0] + local.littleEndianBytes + remote.littleEndianBytes
    case .other(let data): data
    }
  }
}

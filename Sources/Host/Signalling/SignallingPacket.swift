import Bluetooth

/// A command of the LE signalling channel (Core Specification, Vol 3 Part A 4).
enum SignallingPacket: Hashable {
  case reject(Reason)
  case parameterUpdateRequest(PreferredConnectionParameters)
  /// Of a link whose parameters another device wants to change.
  case parameterUpdateResponse(isAccepted: Bool)
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
    case .other(let code, let data): (code, data)
    }
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

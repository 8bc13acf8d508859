/// The arithmetic of a checksum.
package enum ChecksumAlgorithm: Hashable, Sendable {
  case sum(Sum)
  case xor
  case crc(CRC)
  case fletcher(Fletcher)
  /// That of a definition.
  case defined(DefinedChecksum)

  /// In bytes.
  package var width: Int {
    switch self {
    case .sum(let sum): sum.width
    case .xor: 1
    case .crc(let crc): crc.width / 8
    case .fletcher(let fletcher): fletcher.width
    case .defined(let checksum): checksum.width
    }
  }

  /// The usual byte order: a reflected CRC leaves its shift register least significant byte first and is sent in this order.
  /// The others are sent most significant byte first, except where a definition says otherwise.
  package var customaryByteOrder: ByteOrder {
    switch self {
    case .crc(let crc): crc.isReflected ? .littleEndian : .bigEndian
    case .defined(let checksum): checksum.byteOrder
    case .sum, .xor, .fletcher: .bigEndian
    }
  }

  func value(of bytes: Span<UInt8>) throws(ChecksumFailure) -> UInt32 {
    switch self {
    case .sum(let sum): sum.value(of: bytes)
    case .xor: xorValue(of: bytes)
    case .crc(let crc): crc.value(of: bytes)
    case .fletcher(let fletcher): fletcher.value(of: bytes)
    case .defined(let checksum): try checksum.value(of: bytes)
    }
  }

  func value(of bytes: Span<UInt8>, after earlier: UInt32) -> UInt32 {
    switch self {
    case .sum(let sum): sum.value(of: bytes, after: earlier)
    case .xor: earlier ^ xorValue(of: bytes)
    case .crc(let crc): crc.value(of: bytes, after: earlier)
    case .fletcher(let fletcher): fletcher.value(of: bytes, after: earlier)
    case .defined: preconditionFailure("a checksum of a definition does not continue")
    }
  }

  private func xorValue(of bytes: Span<UInt8>) -> UInt32 {
    var value: UInt8 = 0
    for index in bytes.indices { value ^= bytes[index] }
    return UInt32(value)
  }
}

import TestSupport

@testable import Captures

/// A file of `Tests/CapturesTests/Captures`.
func recording(_ name: String) -> String { Repository.path + "Tests/CapturesTests/Captures/" + name }

extension CaptureFile {
  /// All packets that are left.
  var packets: [CapturedPacket] {
    var packets: [CapturedPacket] = []
    while let packet = next() { packets.append(packet) }
    return packets
  }
}

/// Bytes in hexadecimal digits. Spaces and line ends are for the reader.
func bytes(_ text: String) -> [UInt8] {
  let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Bytes in hex, without spaces.
func hex(_ text: String) -> [UInt8] {
  let digits = text.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

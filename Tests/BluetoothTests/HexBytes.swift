/// Bytes as people write them: `A5 06 03`, nothing else.
func bytes(_ text: String) -> [UInt8] {
  text.split(separator: " ").map { UInt8($0, radix: 16)! }
}

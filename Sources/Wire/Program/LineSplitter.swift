/// Cuts what a program says into lines.
struct LineSplitter {
  /// A longer line is cut here, in bytes.
  static let longest = 1000

  private var pending: [UInt8] = []

  /// The lines that are complete with these bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(take())
      } else {
        pending.append(byte)
        if pending.count == Self.longest { lines.append(take()) }
      }
    }
    return lines
  }

  /// What has no end yet; nil: nothing.
  mutating func finish() -> String? { pending.isEmpty ? nil : take() }

  private mutating func take() -> String {
    if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
    defer { pending.removeAll(keepingCapacity: true) }
    return String(decoding: pending, as: UTF8.self)
  }
}

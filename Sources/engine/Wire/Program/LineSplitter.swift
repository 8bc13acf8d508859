/// Splits a program's output into lines.
struct LineSplitter {
  /// The longest line, in bytes. Longer ones are cut.
  static let longest = 1000

  private var pending: [UInt8] = []

  /// Adds bytes, and returns the lines that they complete.
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

  /// The last line, if it has no line end.
  mutating func finish() -> String? { pending.isEmpty ? nil : take() }

  private mutating func take() -> String {
    if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
    defer { pending.removeAll(keepingCapacity: true) }
    return String(decoding: pending, as: UTF8.self)
  }
}

/// Splits what a program sends into lines.
package struct RequestLines: Sendable {
  package enum Element: Hashable, Sendable {
    case line([UInt8])
    /// A line is too long. Its bytes are dropped.
    case tooLong
  }

  /// The longest line, bytes.
  package static let longest = 1 << 20

  private var received: [UInt8] = []
  /// Whether the rest of a line that is too long is being dropped.
  private var isSkipping = false

  package init() {}

  /// Takes bytes, and returns the lines that they end, without the line feeds. Blank lines are left out.
  package mutating func take(_ bytes: ArraySlice<UInt8>) -> [Element] {
    var elements: [Element] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end], &elements)
      rest = rest[(end + 1)...]
      if !isSkipping, received.contains(where: { !Self.isBlank($0) }) { elements.append(.line(received)) }
      (received, isSkipping) = ([], false)
    }
    add(rest, &elements)
    return elements
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, _ elements: inout [Element]) {
    guard !isSkipping else { return }
    guard received.count + bytes.count <= Self.longest else {
      (received, isSkipping) = ([], true)
      return elements.append(.tooLong)
    }
    received += bytes
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 }
}

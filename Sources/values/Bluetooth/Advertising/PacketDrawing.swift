/// A drawing of an advertising packet with one line for each field: offset, bytes, meaning, and how many bytes are
/// too many for a packet.
package struct PacketDrawing {
  package let lines: [String]

  /// - Parameter capacity: the bytes that the packet can have.
  package init(_ fields: [AdvertisingField], capacity: Int = AdvertisingData.legacyCapacity) {
    let texts = fields.map { Self.hex($0.bytes) }
    let width = max(34, (texts.map(\.count).max() ?? 0) + 2)
    var lines: [String] = []
    var offset = 0
    for (field, hex) in zip(fields, texts) {
      let head = Self.padded(String(offset), 4) + Self.padded(hex, width)
      offset += field.size
      let excess = min(field.size, offset - capacity)
      let tail = excess > 0 ? ", \(excess) \(excess == 1 ? "byte" : "bytes") over" : ""
      lines.append(head + field.content.rawValue + tail)
    }
    self.lines = lines
  }

  /// At most as many bytes of a field as a legacy packet has.
  private static func hex(_ bytes: [UInt8]) -> String {
    let capacity = AdvertisingData.legacyCapacity
    let text = bytes.prefix(capacity).map { $0.hexadecimal(digits: 2) }.joined(separator: " ")
    return bytes.count > capacity ? text + " …" : text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - text.count))
  }
}

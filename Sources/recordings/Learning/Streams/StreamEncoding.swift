import DeviceModel
import Framing

/// How plain bytes and the bytes on the air belong together.
package enum StreamEncoding: Hashable, Sendable {
  /// Each byte with the key's, which repeats from the start of each value.
  case xor([UInt8])
  /// RFC 1055: C0 ends a frame and, if `isOpened`, begins it.
  case slip(isOpened: Bool)
  /// As in HDLC (RFC 1662 4.2): 7E ends a frame and, if `isOpened`, begins it; 7D is before 7D and each of `special`, which
  /// are changed by ^ 20.
  case stuffed(special: [UInt8], isOpened: Bool)
}

extension StreamEncoding: CustomStringConvertible {
  package var description: String {
    switch self {
    case .xor(let key): "XOR \(HexText.format(key))"
    case .slip: "SLIP"
    case .stuffed: "escapes 7D, XOR 20"
    }
  }
}

extension StreamEncoding {
  static let stuffing = ByteStuffing(escape: 0x7D, mask: 0x20)

  /// What ends a frame; nil: the encoding has nothing to do with frames.
  var delimiter: UInt8? {
    switch self {
    case .xor: nil
    case .slip: 0xC0
    case .stuffed: 0x7E
    }
  }

  /// The byte before a changed one.
  var escape: UInt8? {
    switch self {
    case .xor: nil
    case .slip: 0xDB
    case .stuffed: 0x7D
    }
  }

  /// How frames are cut before they are decoded; nil: it is the same as without the encoding.
  package var framing: FramingRule? {
    delimiter.map { FramingRule(.delimited(Delimiter([$0])), maxLength: Layout.longestFrame) }
  }

  /// A value before it is cut into frames.
  package func plain(value: [UInt8]) -> [UInt8] {
    guard case .xor(let key) = self, !key.isEmpty else { return value }
    return value.indices.map { value[$0] ^ key[$0 % key.count] }
  }

  /// A frame after it is cut out of values; nil: it is empty or cannot be decoded.
  package func plain(frame: [UInt8]) -> [UInt8]? {
    if frame.isEmpty { return nil }
    return switch self {
    case .xor: frame
    case .slip: try? SLIP.unescaped(frame)
    case .stuffed: try? Self.stuffing.unescaped(frame)
    }
  }

  func plain(_ items: [ValueStream.Item]) -> [ValueStream.Item] {
    items.map { item in
      var item = item
      item.bytes = plain(value: item.bytes)
      return item
    }
  }
}

/// How the values of a stream become plain frames.
package struct StreamCut: Hashable, Sendable {
  package var framing: FramingRule
  package var encoding: StreamEncoding?
}

extension StreamAnalysis {
  /// nil: each value is a plain frame.
  package var cut: StreamCut? {
    framing == nil && encoding == nil ? nil : StreamCut(framing: framing ?? .raw, encoding: encoding)
  }
}

/// The escapes of SLIP (RFC 1055).
package enum SLIP {
  private static let (end, escape): (UInt8, UInt8) = (0xC0, 0xDB)
  private static let (escapedEnd, escapedEscape): (UInt8, UInt8) = (0xDC, 0xDD)

  /// Without the END (C0) at the end.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case end: [escape, escapedEnd]
      case escape: [escape, escapedEscape]
      default: [byte]
      }
    }
  }

  package static func unescaped(_ bytes: [UInt8]) throws(EvaluationError) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      switch (byte, next) {
      case (escape, escapedEnd?): result.append(end)
      case (escape, escapedEscape?): result.append(escape)
      case (escape, let next): throw .notSLIP(byte, next, at: index)
      case (end, _): throw .notSLIP(byte, nil, at: index)
      default: result.append(byte)
      }
      index += byte == escape ? 2 : 1
    }
    return result
  }
}

/// Escapes as in HDLC: an escape byte, then the byte with some bits inverted.
package struct ByteStuffing {
  let escape: UInt8
  let mask: UInt8

  package init(escape: UInt8, mask: UInt8) { (self.escape, self.mask) = (escape, mask) }

  /// - Parameter special: the bytes to escape, besides the escape byte.
  func escaped(_ bytes: [UInt8], _ special: [UInt8]) -> [UInt8] {
    let special = Set(special + [escape])
    return bytes.flatMap { special.contains($0) ? [escape, $0 ^ mask] : [$0] }
  }

  package func unescaped(_ bytes: [UInt8]) throws(EvaluationError) -> [UInt8] {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if !isEscaped, byte == escape {
        isEscaped = true
      } else {
        result.append(isEscaped ? byte ^ mask : byte)
        isEscaped = false
      }
    }
    if isEscaped { throw .unfinishedEscape(escape) }
    return result
  }
}

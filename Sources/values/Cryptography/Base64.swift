import CNettle

extension [UInt8] {
  /// These bytes as base64 (RFC 4648, section 4).
  package var base64: String {
    let size = (count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: size) { text in
      text.withMemoryRebound(to: CChar.self) { nettle_base64_encode_raw($0.baseAddress, count, self) }
      return size
    }
  }
}

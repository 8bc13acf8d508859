import Framing
import JSON

/// Lines under construction: bytes of UTF-8, appended in place.
///
/// Traffic is formatted by the thousand; strings put together from strings would take ten times as long.
package struct LineBuffer {
  package private(set) var bytes: [UInt8] = []

  package init() { bytes.reserveCapacity(256) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(blanks count: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, count)))
  }

  /// `A5 06 83`.
  mutating func append(hex value: ArraySlice<UInt8>) {
    var isFirst = true
    for byte in value {
      if !isFirst { bytes.append(UInt8(ascii: " ")) }
      isFirst = false
      bytes.append(HexText.digit(byte >> 4))
      bytes.append(HexText.digit(byte & 0x0F))
    }
  }

  /// `Hello\\r\\n`, as ``PrintableText`` has it.
  mutating func append(printable value: ArraySlice<UInt8>) {
    for byte in value { PrintableText.append(byte, to: &bytes) }
  }

  /// A number with leading zeros up to `digits`.
  mutating func append(_ number: Int, digits: Int) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  /// ``PrintableText`` as a JSON string.
  mutating func append(quotedPrintable value: ArraySlice<UInt8>) {
    var printable = LineBuffer()
    printable.append(printable: value)
    JSONText.append(quoted: printable.bytes.span, to: &bytes)
  }

  /// A JSON string of UTF-8.
  mutating func append(quoted text: String) {
    JSONText.append(quoted: text.utf8.span, to: &bytes)
  }
}

import Bluetooth
import Framing
import JSON

/// A buffer of lines whose memory is reused.
///
/// The log formats thousands of lines. Each append makes room once and then writes byte by byte.
package struct LineBuffer: ~Copyable {
  /// The first ``count`` bytes are the lines, in UTF-8. The others are free.
  private var memory = [UInt8](repeating: 0, count: 512)
  private var count = 0

  /// The formatted second of the last line, which most lines share.
  var utcSecond: (number: Int64, text: ArraySlice<UInt8>) = (.min, [])
  var localSecond: (number: Int64, text: ArraySlice<UInt8>) = (.min, [])

  package init() {}

  package var bytes: ArraySlice<UInt8> { memory[..<count] }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func removeAll() { count = 0 }

  /// Makes room for `size` bytes, and lets `write` fill it from `place` on. `write` returns the index after its bytes.
  @inline(__always)
  private mutating func append(atMost size: Int, _ write: (inout MutableSpan<UInt8>, _ place: Int) -> Int) {
    let room = memory.count
    if room - count < size { memory += repeatElement(0, count: max(size, room)) }
    let place = count
    var span = memory.mutableSpan
    let end = write(&span, place)
    count = end
  }
}

// MARK: Text

extension LineBuffer {
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ text: ArraySlice<UInt8>) { text.withUnsafeBufferPointer { append($0) } }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    append(atMost: text.count) { memory, place in
      for index in text.indices { memory[place + index] = text[index] }
      return place + text.count
    }
  }

  mutating func append(spaces count: Int) {
    for _ in 0..<max(0, count) { append(" ") }
  }

  /// A JSON string.
  mutating func append(quoted text: String) {
    let text = text.utf8.span
    append(atMost: JSONText.maximumSize(of: text)) { JSONText.write(quoted: text, to: &$0, at: $1) }
  }
}

// MARK: Bytes and numbers

extension LineBuffer {
  /// `A5 06 83`.
  mutating func append(hex value: ArraySlice<UInt8>) { append(hex: value, separator: UInt8(ascii: " ")) }

  /// `4C:32:75:0A:11:9E`.
  mutating func append(_ address: DeviceAddress) {
    append(hex: address.bytes[...], separator: UInt8(ascii: ":"))
  }

  private mutating func append(hex value: ArraySlice<UInt8>, separator: UInt8) {
    append(atMost: 3 * value.count) { memory, start in
      var place = start
      for byte in value {
        memory[place] = HexText.digit(byte >> 4)
        memory[place + 1] = HexText.digit(byte & 0x0F)
        memory[place + 2] = separator
        place += 3
      }
      return max(start, place - 1)
    }
  }

  /// `Hello\\r\\n`, as ``PrintableText`` writes it.
  mutating func append(printable value: ArraySlice<UInt8>) {
    append(atMost: PrintableText.longest * value.count) { PrintableText.write(value, to: &$0, at: $1) }
  }

  /// ``PrintableText`` as a JSON string.
  mutating func append(quotedPrintable value: ArraySlice<UInt8>) {
    let printableSize = PrintableText.longest * value.count
    append("\"")
    append(atMost: (1 + JSONText.longest) * printableSize) { memory, place in
      // Beyond the reach of the escaped text.
      let printable = place + JSONText.longest * printableSize
      let end = PrintableText.write(value, to: &memory, at: printable)
      return (printable..<end).reduce(place) { JSONText.write(memory[$1], to: &memory, at: $0) }
    }
    append("\"")
  }

  /// A number with leading zeros to this number of digits.
  mutating func append(_ number: Int, digits: Int) {
    append(atMost: digits) { memory, place in
      var rest = number
      for index in (place..<place + digits).reversed() {
        memory[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return place + digits
    }
  }
}
